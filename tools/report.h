/* SPDX-License-Identifier: GPL-2.0 */
/* What the terminal report and the JSON document share.  Pure. */
#ifndef RESPIN_REPORT_H
#define RESPIN_REPORT_H

#include <glib.h>
#include "run.h"

/* "3/7.1"; g_free() */
char *report_label(const struct run *run, const struct finding *f);
/* "x86_64, riscv def+all": variants (of struct variant), the kconfig only
 * where a run has several; g_free() */
char *report_variants(const struct run *run, const GPtrArray *variants);
/* One sentence: the cause, or the message with its option; g_free() */
char *report_sentence(const struct finding *f);
/* "def", "def SWAP=n": what tells @v from others of its arch; g_free() */
char *report_config(const struct variant *v);
/* "defconfig" as a column heading: "def" */
const char *report_kconfig_short(const char *kconfig);
/* "3 min 40 s", "8 s"; g_free() */
char *report_seconds(double seconds);
/* The grid: a mark for each patch on each variant, and what they mean. */
void report_grid(const struct run *run, FILE *out);
/* Prints @first and @text, broken at blanks, further lines by @indent. */
void report_wrap(FILE *out, const char *first, unsigned int indent,
		 const char *text);
/* Patches with a finding. */
unsigned int report_bad_patches(const struct run *run);
/* The git command that mends a finding that is gone later; g_free() */
char *report_fixup(const struct run *run, const struct finding *f);
/* What the compile level never does, in one line: the first part always, the
 * second (may be "") for what the series touches; g_free() */
char *report_out_of_scope(const struct run *run);
/* Does the text, or the same line by the same check, say the cause number @i of
 * @f already? */
bool report_is_said(const struct finding *f, guint i);
/*
 * Lines for what checks say of @f by the text alone, for the architectures that
 * are not compiled; each once.
 */
void report_by_text(const struct finding *f, FILE *out);
#endif
