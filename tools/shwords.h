/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The words of shell command lines as kbuild writes them: single and double
 * quotes and backslashes; nothing is expanded.  g_shell_parse_argv() knows no
 * operators, and a compile is often followed by "; objtool ...".
 */
#ifndef RESPIN_SHWORDS_H
#define RESPIN_SHWORDS_H

#include <glib.h>
#include <stdbool.h>

enum shword {
	SHWORD_WORD,
	SHWORD_OP,		/* one of ; & | < > ( ) or a newline */
	SHWORD_END,
};

/*
 * Moves *p behind the next word before @end and puts it in @word, without its
 * quotes.  A word with an open quote ends at @end.
 */
enum shword shword_next(const char **p, const char *end, GString *word);
#endif
