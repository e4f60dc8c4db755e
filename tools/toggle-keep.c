// SPDX-License-Identifier: GPL-2.0
/*
 * kconfig is asked in a copy of O= and tries the compiler for dozens of options
 * before it answers: seconds for each question.
 */
#include "kbuild-step.h"
#include "run-keep.h"
#include "toggle-keep.h"

static char *text_of(GBytes *bytes)
{
	return g_strndup(g_bytes_get_data(bytes, NULL) ?: "",
			 g_bytes_get_size(bytes));
}

static void keep(const struct run *run, GChecksum *key, const char *text)
{
	g_autoptr(GBytes) bytes = g_bytes_new(text, strlen(text));

	run_keep_put(run, key, bytes);
}

char *toggle_try(const struct run *run, struct variant *v, const char *config,
		 const char *settings, GError **error)
{
	g_autoptr(GChecksum) key = run_keep_key("kconfig", run, v,
						run_steps(run));
	g_autoptr(GBytes) kept = NULL;
	struct kbuild_step *step;
	char *after = NULL;

	kept_add(key, config);
	kept_add(key, settings);
	kept = run_keep_get(run, key);
	if (kept)
		return text_of(kept);
	step = kbuild_step_new(run->kbuild, v, error);
	if (step && !kbuild_step_try(step, config, settings, &after, error))
		keep(run, key, after);
	kbuild_step_free(step);
	return after;
}

static GChecksum *refused_key(const struct run *run,
			      const struct variant *parent, const char *line)
{
	GChecksum *key = run_keep_key("refused setting", run, parent, 0);

	kept_add(key, line);
	/* who selects it is read of the last step */
	kept_add(key, run_step(run, run_steps(run))->tree);
	return key;
}

char *toggle_refused(const struct run *run, const struct variant *parent,
		     const char *line)
{
	g_autoptr(GChecksum) key = refused_key(run, parent, line);
	g_autoptr(GBytes) kept = run_keep_get(run, key);

	return kept ? text_of(kept) : NULL;
}

void toggle_keep_refused(const struct run *run, const struct variant *parent,
			 const char *line, const char *why)
{
	g_autoptr(GChecksum) key = refused_key(run, parent, line);

	keep(run, key, why);
}
