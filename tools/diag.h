/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What gcc printed, as diagnostics.  Pure: text in, structs out.  The text
 * format is used (LC_ALL=C, -fdiagnostics-color=never -fmessage-length=0):
 * it names functions and include chains, which gcc 12's JSON does not.
 */
#ifndef RESPIN_DIAG_H
#define RESPIN_DIAG_H

#include <glib.h>
#include <stdbool.h>

enum diag_kind { DIAG_WARNING, DIAG_ERROR };

struct diag {
	enum diag_kind kind;	/* as gcc would call it without -Werror: an
				   option's error is still DIAG_ERROR */
	bool fatal;		/* "fatal error": the rest was not read */
	char *check;		/* "gcc" */
	char *rule;		/* "-Wunused-variable" (never -Werror=...); "" */
	char *file;		/* relative to the source tree; "O/..." under O= */
	unsigned int line, column;	/* from 1; 0: not known */
	char *function;		/* enclosing; "" at top level or unknown */
	char *message;		/* as printed, without the option */
	char *text;		/* the source line gcc quoted, trimmed; "" */
	char *chain;		/* main source or header that included it; "" */
	GPtrArray *notes;	/* of char *: "file:line: text" that belong to it */
	GPtrArray *follow_ons;	/* of struct diag: errors that follow from this */
	unsigned int repeats;	/* the same place printed again in this TU */
};

/*
 * Parses @text, compiler output of a compile in @odir of sources under
 * @srcdir.  Assembler messages ("file.s: Assembler messages:",
 * "file.c:12: Error: ...") and linker-like lines of the driver
 * ("cc1: error: ...", "cc1: out of memory") are diagnostics too.
 * "cc1: some warnings being treated as errors" is none.
 * Returns an array of struct diag (g_ptr_array_unref()).
 */
GPtrArray *diag_parse(const char *text, const char *srcdir, const char *odir);

/*
 * Folds what follows from an earlier error of the same TU under it: an error
 * that names, or whose source line names, the identifier of an earlier
 * "implicit declaration", "undeclared" or "unknown type name" error; and
 * -Wreturn-type in a function with an earlier error.  In place.
 */
void diag_fold(GPtrArray *diags);

/* The identifier a message is about ('x' in "implicit declaration of function
 * 'x'"), or NULL; g_free(). */
char *diag_subject(const struct diag *d);

/*
 * The message with numbers and line references masked: two messages that
 * differ only there are the same finding.  g_free().
 */
char *diag_mask(const char *message);

struct diag *diag_new(void);
struct diag *diag_copy(const struct diag *d);
void diag_free(struct diag *d);
/* For the store: an array of diags as text and back (jansson). */
char *diag_to_json(const GPtrArray *diags);
GPtrArray *diag_from_json(const char *json, GError **error);
#endif
