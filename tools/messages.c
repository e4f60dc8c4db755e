// SPDX-License-Identifier: GPL-2.0
#include "messages.h"
#include "run.h"

/* The text of a file of the base; NULL: there is none. */
static char *file_text(struct repo *r, const char *base, const char *path)
{
	g_autoptr(GBytes) bytes = repo_blob(r, base, path);
	gsize size;
	const char *p;

	if (!bytes)
		return NULL;
	p = g_bytes_get_data(bytes, &size);
	return g_utf8_make_valid(p ? p : "", size);
}

static char *commit_subject(const char *hex, void *data)
{
	g_autofree char *id = repo_resolve(data, hex, NULL);
	g_autofree char *subject = id ? repo_subject(data, id) : NULL;

	return subject ? g_utf8_make_valid(subject, -1) : NULL;
}

struct messages *messages_read(struct repo *r, const struct series *s,
			       const char *base, GPtrArray *earlier)
{
	g_autofree char *maintainers = file_text(r, base, "MAINTAINERS");
	g_autofree char *mailmap = file_text(r, base, ".mailmap");
	struct message_base b = {
		.maintainers = maintainers,
		.mailmap = mailmap,
		.history = repo_is_upstream(r),
		.subject = commit_subject,
		.data = r,
		.earlier = earlier,
	};

	return message_check(s, &b);
}

void messages_run(struct run *run)
{
	run->messages = messages_read(run->repo, run->series,
				      run_step(run, 0)->commit, NULL);
	if (run->messages->gap)
		run_gap(run, 0, NULL, "recipients", run->messages->gap)->keeps =
			true;
}
