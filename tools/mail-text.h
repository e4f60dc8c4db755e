/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Text of a mail, as git-mailinfo(1) treats it: lines, charsets, spaces,
 * format=flowed.  Nothing here knows MIME or patches.
 */
#ifndef RESPIN_MAIL_TEXT_H
#define RESPIN_MAIL_TEXT_H

#include <glib.h>
#include <stdbool.h>

/* Bytes of the line at @p, its '\n' included; @end is past the text. */
gsize text_line_len(const char *p, const char *end);

/*
 * The @len bytes at @p, which are in @charset (NULL: not said), as UTF-8, to
 * be freed by the caller.  Bytes that are not in @charset, or in a charset
 * that nobody knows, are read as UTF-8 when they are valid UTF-8, else as
 * latin-1: *guessed is then set (and never cleared).  NUL bytes stay.
 */
char *text_to_utf8(const char *p, gsize len, const char *charset,
		   bool *guessed, gsize *out_len);

/*
 * Undoes format=flowed (RFC 3676) line by line: the space that was stuffed is
 * taken off, a line that ends in a space is joined to the next one (without
 * that space when @delsp).  "-- " alone is the signature and no soft break.
 */
GBytes *text_unflow(GBytes *text, bool delsp);

/* Each run of white space becomes one space; in place, returns @text. */
char *text_one_space(char *text);

/*
 * As git-stripspace(1): no trailing white space, one blank line at most
 * between paragraphs, none at both ends, a '\n' at the end unless empty.
 */
char *text_stripspace(const char *text);

#endif
