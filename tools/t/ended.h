/* SPDX-License-Identifier: GPL-2.0 */
/* A process that has come to its end, for what judges one. */
#ifndef RESPIN_TEST_ENDED_H
#define RESPIN_TEST_ENDED_H

#include "proc.h"

/* proc_job_free() it. */
static inline struct proc_job *ended(int status, const char *err)
{
	struct proc_job *p = proc_job_new(g_strsplit("make", " ", -1));

	p->end = PROC_EXITED;
	p->status = status;
	if (!p->out)
		p->out = g_string_new("");
	if (!p->err)
		p->err = g_string_new("");
	g_string_assign(p->err, err);
	return p;
}
#endif
