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

/* How sure a check is of what it says. */
enum confidence {
	CONFIDENCE_CERTAIN,	/* a compiler, or a tool that knows the code as
				   one: it is so */
	CONFIDENCE_LIKELY,	/* more right than wrong, measured */
	CONFIDENCE_HINT,	/* worth a look, on request */
};

/* Where the code of a diagnostic was used: a macro, or an inlined call. */
struct diag_place {
	char *file;		/* as in struct diag */
	unsigned int line, column;
	char *text;		/* the source line gcc quoted, trimmed; "" */
	char *via;		/* the macro used, or the calling function */
	bool inlined;		/* "inlined from" rather than a macro */
};

struct diag {
	enum diag_kind kind;	/* as gcc would call it without -Werror: an
				   option's error is still DIAG_ERROR */
	bool fatal;		/* "fatal error": the rest was not read */
	bool tool;		/* about the compiler, not the code: killed, out
				   of memory, internal error, command line */
	enum confidence confidence;
	char *check;		/* "gcc" */
	char *rule;		/* "-Wunused-variable" (never -Werror=...); "" */
	char *file;		/* relative to the source tree; "O/..." under O= */
	unsigned int line, column;	/* from 1; 0: not known */
	char *function;		/* enclosing; "" at top level or unknown */
	char *message;		/* as printed, without the option */
	char *text;		/* the source line gcc quoted, trimmed; "" */
	char *chain;		/* "file:line" of the #include that brought the
				   file in; "" in the main source or unknown */
	GPtrArray *places;	/* of struct diag_place: macro uses, then callers
				   it was inlined into, each innermost first */
	GPtrArray *notes;	/* of char *: "file:line: text" that belong to it */
	GPtrArray *follow_ons;	/* of struct diag: errors that follow from this */
	unsigned int repeats;	/* printed again in this TU, word for word with
				   its notes and callers */
};

/*
 * Parses @text, compiler output of a compile in @odir of sources under
 * @srcdir.  Assembler messages ("file.s: Assembler messages:",
 * "file.c:12: Error: ...") and linker-like lines of the driver
 * ("cc1: error: ...", "cc1: out of memory") are diagnostics too.
 * "cc1: some warnings being treated as errors" is none.  Paths: what lies
 * under @odir becomes "O/...", under @srcdir relative to it; a relative path
 * is taken from @odir.  A temporary .s file has no name: file "" and line 0.
 * Invalid UTF-8 is replaced; truncated text gives what was complete.
 * Returns an array of struct diag (g_ptr_array_unref()), in printed order.
 */
GPtrArray *diag_parse(const char *text, const char *srcdir, const char *odir);

/*
 * Folds what follows from an earlier error of the same TU under it, in place:
 *  - what names the identifier x of an earlier "implicit declaration of x",
 *    "unknown type name x" or "x undeclared" error, in its message; or, for
 *    errors that a wrong type causes (a list in diag-fold.c), in its quoted
 *    source line.  For "undeclared" within its function only: the same name
 *    in two functions is two mistakes;
 *  - "control reaches end" (-Wreturn-type) in a function with an earlier error.
 * A warning that an error folds under becomes an error.
 * An error of these three kinds about another identifier stays on its own.
 */
void diag_fold(GPtrArray *diags);

/*
 * The identifier a message is about: x in "implicit declaration of function
 * 'x'", "'x' undeclared", "unknown type name 'x'", "conflicting types for
 * 'x'", "unused variable 'x'"...: the first word in single quotes that is one
 * identifier.  NULL: none; g_free().
 */
char *diag_subject(const struct diag *d);

/*
 * The line a reader would name: where the outermost macro was used, when the
 * code stands in one (a wrong pr_info() is printed at kern_levels.h), else
 * the diagnostic's own.  Returns the file, borrowed from @d.
 */
const char *diag_where(const struct diag *d, unsigned int *line);

/*
 * The message with numbers and line references masked as "N": two messages
 * that differ only there are the same finding.  Digits in an identifier stay
 * ('u64'), but for the counters of __compiletime_assert_N and __UNIQUE_ID_xN.
 * A "; did you mean 'y'?" is dropped.  g_free().
 */
char *diag_mask(const char *message);

/* Is it an error that hides what the compiler would say behind it?  One of
 * check "symbols" does not: it was found in the object; nor does a linker's. */
bool diag_hides(const struct diag *d);

struct diag *diag_new(void);	/* strings "", arrays empty, check "gcc" */
/*
 * One that no compiler printed, of @check, at @file:@line ("" and 0: nowhere).
 * @message is taken over.
 */
struct diag *diag_say(enum diag_kind kind, const char *check, const char *rule,
		      const char *file, unsigned int line, char *message);
#define DIAG_LINK "link"	/* the rule of what a linker says */
struct diag_place *diag_place_new(void);
struct diag_place *diag_place_copy(const struct diag_place *p);
void diag_place_free(struct diag_place *p);
GPtrArray *diag_array_new(void);	/* of struct diag, which it owns */
struct diag *diag_copy(const struct diag *d);
void diag_free(struct diag *d);
/*
 * @file as the project names it (see diag_parse()); @srcdir and @odir may be
 * NULL.  g_free().
 */
char *diag_path(const char *file, const char *srcdir, const char *odir);
/* For the store: an array of diags as text and back (jansson). */
char *diag_to_json(const GPtrArray *diags);
GPtrArray *diag_from_json(const char *json, GError **error);
#endif
