/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a preprocessor condition says when only some CONFIG_ symbols are known:
 * yes, no, or that it hangs on something else too.  Pure.
 */
#ifndef RESPIN_CONDEXPR_H
#define RESPIN_CONDEXPR_H

#include <glib.h>
#include <stdbool.h>

enum truth {
	TRUTH_NO,
	TRUTH_YES,
	TRUTH_UNKNOWN,
};

/* The value of @symbol (without CONFIG_): 'y', 'm', 'n', or 0: not known. */
typedef char (*condexpr_value_fn)(const char *symbol, void *data);

/*
 * @text as in struct condition.  defined(), IS_ENABLED() and its kin, !, &&, ||
 * and parentheses are understood; all else is TRUTH_UNKNOWN.
 */
enum truth condexpr_eval(const char *text, condexpr_value_fn value, void *data);

struct setting {
	char *symbol;		/* without CONFIG_ */
	char value;		/* 'y', 'm', 'n' */
};
void setting_free(struct setting *s);
struct setting *setting_new(const char *symbol, char value);
/* "X=n"; g_free() */
char *setting_text(const struct setting *s);

/*
 * The smallest sets of changes to @value that make all of @texts (char *)
 * true: of GPtrArray of struct setting, the smaller ones first; those that
 * leave something TRUTH_UNKNOWN come last.  Empty: none does, or no symbol is
 * named.  At most 10 symbols are tried.
 */
GPtrArray *condexpr_solve(const GPtrArray *texts, condexpr_value_fn value,
			  void *data);
/* Those names in @text that are no CONFIG_ symbol and no operator, as
 * "__ASSEMBLY__, MAX_NUMNODES"; NULL: none.  g_free() */
char *condexpr_others(const char *text);
#endif
