/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A parsed patch: files and hunks, as git-diff(1) describes them.  Bytes are
 * kept as they came (no charset, NUL allowed); strings point into the
 * GBytes the diff was parsed from, which the struct keeps alive.
 */
#ifndef RESPIN_DIFF_H
#define RESPIN_DIFF_H

#include <glib.h>
#include <stdbool.h>

struct diff_line {
	char op;		/* ' ', '-' or '+' */
	bool no_eol;		/* "\ No newline at end of file" follows */
	const char *text;	/* without the op; with the '\n' unless no_eol */
	gsize len;		/* bytes of text, the '\n' included */
};

struct hunk {
	unsigned int old_start, old_count;	/* lines, from 1 */
	unsigned int new_start, new_count;
	GArray *lines;				/* of struct diff_line */
};

struct binary_part {
	bool present;
	bool is_delta;		/* "delta" rather than "literal" */
	gsize size;		/* of the inflated data */
	GByteArray *deflated;	/* zlib stream, base85 already decoded */
};

struct file_diff {
	char *old_path;		/* NULL: the file is created */
	char *new_path;		/* NULL: the file is deleted */
	unsigned int old_mode;	/* 0: not said */
	unsigned int new_mode;	/* 0: not said */
	char *old_blob;		/* from "index a..b", abbreviated; NULL: not said */
	char *new_blob;
	bool is_rename, is_copy, is_binary;
	struct binary_part forward;	/* pre-image to post-image */
	GPtrArray *hunks;	/* of struct hunk */
};

struct diff {
	GBytes *bytes;		/* owns what the lines point into */
	GPtrArray *files;	/* of struct file_diff */
};

/*
 * Parses the diff in @bytes (the part of a mail after the log message; text
 * before the first "diff --git" or "--- a/" and after the last hunk, such as
 * a signature "-- ", is passed over, as git-apply(1) does).  Paths lose their
 * first component (-p1) and C-style quoting.
 * Returns a diff to be freed with diff_free(), or NULL with @error
 * (RESPIN_ERROR_INPUT; says the line in @bytes) when a hunk is truncated or
 * corrupt, or a path leaves the tree ("..", absolute, a ".git" component).
 * A diff with no file in it is no error: files->len is 0.
 */
struct diff *diff_parse(GBytes *bytes, GError **error);
struct file_diff *file_diff_new(void);
void file_diff_free(struct file_diff *fd);
struct hunk *hunk_new(void);
void hunk_free(struct hunk *h);
void diff_free(struct diff *d);

/* The path a reader would name: the new one, or the old one when deleted. */
const char *file_diff_path(const struct file_diff *fd);

/*
 * Where line @old (from 1) of the pre-image stands in the post-image, by
 * hunks with any amount of context.  0: the line is deleted or changed.
 */
unsigned int file_diff_map_line(const struct file_diff *fd, unsigned int old);

typedef struct diff diff_t;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(diff_t, diff_free)
#endif
