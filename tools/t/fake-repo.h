/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A directory that answers for a repository: a "tree" is a path, a blob's id
 * the SHA-1 of its content.  So the tests of the include graph need no git.
 */
#ifndef RESPIN_FAKE_REPO_H
#define RESPIN_FAKE_REPO_H

#include "repo.h"

static unsigned int fake_blobs_read;

struct repo {
	int unused;
};

static struct repo fake_repo;

struct repo *repo_open(const char *path, GError **error)
{
	return &fake_repo;
}

void repo_free(struct repo *r)
{
}

const char *repo_path(const struct repo *r)
{
	return ".";
}

GBytes *repo_blob(struct repo *r, const char *tree, const char *path)
{
	g_autofree char *full = g_build_filename(tree, path, NULL);
	char *text;
	gsize len;

	fake_blobs_read++;
	if (!g_file_get_contents(full, &text, &len, NULL))
		return NULL;
	return g_bytes_new_take(text, len);
}

static int fake_walk(const char *tree, const char *dir, repo_walk_fn fn,
		     void *data)
{
	g_autofree char *full = g_build_filename(tree, dir, NULL);
	g_autoptr(GDir) d = g_dir_open(full, 0, NULL);
	const char *name;

	while (d && (name = g_dir_read_name(d))) {
		g_autofree char *path = *dir ?
			g_build_filename(dir, name, NULL) : g_strdup(name);
		g_autofree char *file = g_build_filename(tree, path, NULL);
		g_autofree char *text = NULL, *id = NULL;
		gsize len;

		if (g_file_test(file, G_FILE_TEST_IS_DIR)) {
			if (fake_walk(tree, path, fn, data) < 0)
				return -1;
			continue;
		}
		if (!g_file_get_contents(file, &text, &len, NULL))
			return -1;
		id = g_compute_checksum_for_data(G_CHECKSUM_SHA1,
						 (guchar *)text, len);
		if (fn(path, id, 0100644, data) < 0)
			return -1;
	}
	return 0;
}

int repo_walk(struct repo *r, const char *tree, repo_walk_fn fn, void *data,
	      GError **error)
{
	return fake_walk(tree, "", fn, data);
}
#endif
