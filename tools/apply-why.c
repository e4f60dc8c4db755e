// SPDX-License-Identifier: GPL-2.0
#include "apply-internal.h"

/* Commits looked at: a message is not worth more than about a second. */
#define HISTORY_MAX 2000

/* The id at @path in @commit's tree, zero when there is none. */
static void id_at(git_commit *commit, const char *path, git_oid *id)
{
	g_autoptr(git_tree) tree = NULL;
	g_autoptr(git_tree_entry) e = NULL;

	memset(id, 0, sizeof(*id));
	if (!git_commit_tree(&tree, commit) &&
	    !git_tree_entry_bypath(&e, tree, path))
		*id = *git_tree_entry_id(e);
}

char *last_change(struct repo *r, const char *commit, const char *path)
{
	g_autoptr(git_commit) c = NULL;
	git_oid now, before;
	int i;

	if (repo_lookup_commit(r, commit, &c, NULL) < 0)
		return NULL;
	id_at(c, path, &now);
	for (i = 0; i < HISTORY_MAX; i++) {
		git_commit *parent;

		/* What the first commit brought was changed by nobody. */
		if (git_commit_parent(&parent, c, 0) < 0)
			return NULL;
		id_at(parent, path, &before);
		if (!git_oid_equal(&now, &before)) {
			g_autofree char *hex = repo_hex(git_commit_id(c));

			git_commit_free(parent);
			return g_strdup_printf("%.12s ('%s')", hex,
					       git_commit_summary(c));
		}
		git_commit_free(c);
		c = parent;
	}
	return NULL;
}
