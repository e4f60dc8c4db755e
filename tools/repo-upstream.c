// SPDX-License-Identifier: GPL-2.0
/* Whether a commit that is not there is nowhere: that takes all of history. */
#include "repo-internal.h"

/* Linux 2.6.12-rc2: every commit of upstream comes after it. */
#define FIRST_COMMIT "1da177e4c3f41524e886b7f1b8a0c1fc7321cac2"

bool repo_is_upstream(struct repo *r)
{
	return !r->partial && !git_repository_is_shallow(r->git) &&
	       repo_has(r, FIRST_COMMIT);
}
