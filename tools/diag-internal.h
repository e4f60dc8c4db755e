/* SPDX-License-Identifier: GPL-2.0 */
/* The first line of a diagnostic, taken apart; for diag-parse.c only. */
#ifndef RESPIN_DIAG_INTERNAL_H
#define RESPIN_DIAG_INTERNAL_H

#include "diag.h"

struct diag_location {
	gsize file_len;		/* bytes of the file name at the start */
	unsigned int line, column;	/* 0: not said */
	bool tool;		/* a program ("cc1") rather than a file */
};

struct diag_head {
	struct diag_location at;
	enum diag_kind kind;
	bool note, fatal, internal, assembler;
	const char *message;	/* points into the line */
};

/* Reads "F", "F:L" or "F:L:C", the first @len bytes of @s. */
void diag_read_location(const char *s, gsize len, struct diag_location *at);

/* false: @line starts no diagnostic and no note. */
bool diag_read_head(const char *line, struct diag_head *h);

/* A line without a severity that says that the compiler died. */
bool diag_read_death(const char *line, struct diag_head *h);
#endif
