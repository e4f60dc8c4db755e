/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tag in front of a patch mail's subject: "[PATCH mm-unstable v2 03/10]".
 */
#ifndef RESPIN_SERIES_TAG_H
#define RESPIN_SERIES_TAG_H

#include <glib.h>
#include <stdbool.h>

struct series_tag {
	bool is_reply;		/* "Re:", "Fwd:" and the like in front */
	bool has_word;		/* the word PATCH stands in the brackets */
	bool numbered;		/* n and m are there */
	unsigned int n, m;	/* 1/1 when not numbered */
	unsigned int version;	/* 1 when not said */
	unsigned int minor;	/* 1 of v2.1, else 0 */
	char *prefix;		/* the other words, joined by spaces; "" */
};

/*
 * Parses @subject (UTF-8, as mailed).  Brackets that hold neither PATCH, RFC
 * nor n/m, such as a list's name, are passed over.  Never fails: a subject
 * without a tag gives neither has_word nor numbered.
 */
struct series_tag *series_tag_parse(const char *subject);
void series_tag_free(struct series_tag *tag);

/* "2/7", or "v3 2/7" when @with_version; "[PATCH]" or "(no tag)" without n/m. */
char *series_tag_label(const struct series_tag *tag, bool with_version);

#endif
