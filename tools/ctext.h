/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A C (or assembler) file as lines with its comments blanked: the ground that
 * conditions, entities and changed lines are read from.
 */
#ifndef RESPIN_CTEXT_H
#define RESPIN_CTEXT_H

#include <glib.h>
#include <stdbool.h>

struct ctext {
	char *mask;		/* the text; each byte of a comment is a blank */
	gsize len;
	unsigned int count;	/* lines; the last may lack its '\n' */
	gsize *start;		/* offset of line n at [n], from 1; [count + 1]
				   is len */
	bool *joined;		/* [n]: line n and n + 1 are one logical line,
				   by a backslash or a block comment */
};

/* Never fails; an unterminated comment runs to the end.  ctext_free() it. */
struct ctext *ctext_new(const char *text, gsize len);
void ctext_free(struct ctext *t);

/* Line @n (1 to count) of the mask, its '\n' excluded; not NUL-terminated. */
const char *ctext_line(const struct ctext *t, unsigned int n, gsize *len);
/* Is there nothing on line @n but blanks and comments? */
bool ctext_blank(const struct ctext *t, unsigned int n);
/* First and last line of the logical line that holds @n. */
unsigned int ctext_first(const struct ctext *t, unsigned int n);
unsigned int ctext_last(const struct ctext *t, unsigned int n);
/* Does @name stand as a whole word on line @n, outside of comments? */
bool ctext_mentions(const struct ctext *t, unsigned int n, const char *name);

/* Does @name stand as a whole word in the @len bytes at @text? */
bool word_in(const char *text, gsize len, const char *name);
bool is_word_char(char c);

struct directive {
	char word[16];		/* "if", "define", "include"; "" for a lone # */
	unsigned int line;	/* where its # stands */
	const char *args;	/* in the mask, after the word and blanks */
	gsize args_len;		/* up to the end of the logical line */
};

/*
 * The preprocessor directive of the logical line that begins at @first.
 * False when that line is none (an assembler's "# text" is none either).
 */
bool ctext_directive(const struct ctext *t, unsigned int first,
		     struct directive *d);

typedef struct ctext ctext_t;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ctext_t, ctext_free)
#endif
