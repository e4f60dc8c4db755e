// SPDX-License-Identifier: GPL-2.0
/* Which files differ between two trees, and nothing more of them. */
#include "repo-internal.h"

int repo_changed(struct repo *r, const char *old, const char *new,
		 repo_changed_fn fn, void *data, GError **error)
{
	git_diff_options o = GIT_DIFF_OPTIONS_INIT;
	g_autoptr(git_tree) a = NULL, b = NULL;
	g_autoptr(git_diff) gd = NULL;
	int err;

	if (repo_lookup_tree(r, old, &a, error) < 0 ||
	    repo_lookup_tree(r, new, &b, error) < 0)
		return -1;
	/* As git_iterator does it: a subtree of the same id is not entered. */
	o.flags = GIT_DIFF_IGNORE_SUBMODULES | GIT_DIFF_SKIP_BINARY_CHECK |
		  GIT_DIFF_INCLUDE_TYPECHANGE;
	err = git_diff_tree_to_tree(&gd, r->git, a, b, &o);
	if (err < 0)
		return repo_git_error(r, err, error, "cannot compare %.12s with %.12s",
				      old, new);
	for (gsize i = 0; i < git_diff_num_deltas(gd); i++) {
		const git_diff_delta *d = git_diff_get_delta(gd, i);
		bool both = d->status != GIT_DELTA_ADDED &&
			    d->status != GIT_DELTA_DELETED;

		fn(both || d->status == GIT_DELTA_ADDED ? d->new_file.path :
		   d->old_file.path, both, data);
	}
	return 0;
}
