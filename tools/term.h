/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Text for a terminal.  Subjects, names, paths and source lines come from
 * strangers: all of them go through term_escape() before they are printed.
 */
#ifndef RESPIN_TERM_H
#define RESPIN_TERM_H

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * @text with what could steer a terminal or reorder a line made visible:
 * control characters but tab ("\x1b", "\n"), bytes that are no UTF-8
 * ("\xff"), bidirectional and invisible format characters ("\u202e").
 * Everything else stays as it is, the backslash too.  g_free() the result.
 */
char *term_escape(const char *text);

/* Columns that the UTF-8 @text takes; no control characters in it. */
unsigned int term_width(const char *text);
/* @text, cut to @columns with "…" at its end where it is longer. */
char *term_cut(const char *text, unsigned int columns);
/* @text, with blanks up to @columns; never cut. */
char *term_pad(const char *text, unsigned int columns);

/* Columns of the terminal on @out: the kernel's word, $COLUMNS, or 80. */
unsigned int term_columns(FILE *out);

/* A terminal that knows escape sequences ($TERM is not "dumb")? */
bool term_is_live(FILE *out);
/* Colours on @out: a live terminal, and NO_COLOR (no-color.org) is not set. */
bool term_has_colour(FILE *out);

/*
 * What switches a colour on or off on @out, "" without colours:
 *	printf("%s%s%s\n", term_red(stdout), text, term_off(stdout));
 */
const char *term_red(FILE *out);
const char *term_green(FILE *out);
const char *term_yellow(FILE *out);
const char *term_off(FILE *out);

#endif
