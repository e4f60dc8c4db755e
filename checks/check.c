// SPDX-License-Identifier: GPL-2.0
#include "check.h"

#define CHECK(name) extern const struct check check_##name;
#include "list.h"
#undef CHECK

static const struct check *const checks[] = {
#define CHECK(name) &check_##name,
#include "list.h"
#undef CHECK
	NULL
};

bool check_ran(struct job *job, const struct proc_job *p)
{
	g_autofree char *how = proc_job_describe(p);

	if (p->end == PROC_TIMEOUT)
		job_set_outcome(job, OUTCOME_TIMEOUT, how);
	else if (p->end != PROC_EXITED)
		job_set_outcome(job, OUTCOME_ERROR, how);
	else if (p->cut)
		job_set_outcome(job, OUTCOME_ERROR, "more output than is kept");
	else
		return true;
	return false;
}

char **check_shown_ref(const struct job *job, const struct diag *d,
		       const char *srcdir, char **input)
{
	g_auto(GStrv) parts = g_strsplit(d->message, "'", 3);
	char *argv[] = {
		(char *)"env", (char *)"-C", (char *)srcdir, (char *)"sh",
		(char *)"-c", (char *)"grep -nF -- \"$1\" \"$2\"; ls -d -- \"$1\"",
		(char *)"sh", parts[1], d->file, NULL
	};

	return g_strdupv(argv);
}

const struct check *const *check_list(void)
{
	return checks;
}

const struct check *check_find(const char *name)
{
	for (gsize i = 0; checks[i]; i++)
		if (!strcmp(checks[i]->name, name))
			return checks[i];
	return NULL;
}
