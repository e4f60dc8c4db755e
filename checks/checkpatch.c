// SPDX-License-Identifier: GPL-2.0
/*
 * checkpatch: the base's scripts/checkpatch.pl on each patch as a whole.  What it
 * calls an ERROR is likely, the rest a hint.  There is no parent: a patch is
 * new as such.  But a line that it only moves is not.
 *
 * The TU of its jobs has in values: [0] the directory with the script, [1] the
 * patch.
 */
#include <stdlib.h>
#include <string.h>
#include "check.h"

/* What another check of respin says better, or not at all: see message.h. */
#define IGNORED "--ignore=FILE_PATH_CHANGES,MISSING_SIGN_OFF," \
	"NO_AUTHOR_SIGN_OFF,FROM_SIGN_OFF_MISMATCH,BAD_FIXES_TAG," \
	"BAD_REPORTED_BY_LINK,UNKNOWN_COMMIT_ID,GIT_COMMIT_ID,CONFIG_DESCRIPTION"

static char **command(const struct job *job, const char *srcdir)
{
	g_autofree char *script = g_build_filename(job->tu->values[0],
						   "checkpatch.pl", NULL);
	g_autofree char *root = g_strconcat("--root=", srcdir, NULL);
	const char *argv[] = { "perl", script, root, "--terse", "--show-types",
		"--showfile", "--no-summary", "--color=never", IGNORED,
		job->tu->values[1], NULL };

	return g_strdupv((char **)argv);
}

static char **checkpatch_argv(const struct job *job, const char *srcdir,
			      const char *jobdir)
{
	return command(job, srcdir);
}

/* The lines that the patch takes away, without blanks around them. */
static GHashTable *removed_lines(const char *path)
{
	GHashTable *set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
						NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return set;
	lines = g_strsplit(text, "\n", -1);
	for (char **l = lines; *l; l++)
		if (**l == '-' && !g_str_has_prefix(*l, "--- "))
			g_hash_table_add(set, g_strdup(g_strstrip(*l + 1)));
	return set;
}

static void set_text(struct diag *d, const char *srcdir)
{
	g_autofree char *path = g_build_filename(srcdir, d->file, NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!d->line || !g_file_get_contents(path, &text, NULL, NULL))
		return;
	lines = g_strsplit(text, "\n", -1);
	if (d->line > g_strv_length(lines))
		return;
	g_free(d->text);
	d->text = g_utf8_make_valid(g_strstrip(lines[d->line - 1]), -1);
}

/* "FILE:LINE: WARNING:TYPE: message", of the message "PATCH:LINE: ..." */
static struct diag *read_line(const char *line, const char *patch)
{
	static const struct {
		const char *mark;
		enum confidence confidence;
	} kinds[] = {
		{ ": ERROR:", CONFIDENCE_LIKELY },
		{ ": WARNING:", CONFIDENCE_HINT },
		{ ": CHECK:", CONFIDENCE_HINT },
	};

	for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
		const char *at = strstr(line, kinds[i].mark), *colon, *type, *end;
		g_autofree char *file = NULL, *rule = NULL;
		struct diag *d;

		type = at ? at + strlen(kinds[i].mark) : NULL;
		end = type ? strstr(type, ": ") : NULL;
		if (!end)
			continue;
		file = g_strndup(line, at - line);
		colon = strrchr(file, ':');
		rule = g_strndup(type, end - type);
		d = diag_say(DIAG_WARNING, "checkpatch", rule, "", 0,
			     g_utf8_make_valid(end + 2, -1));
		d->confidence = kinds[i].confidence;
		if (!colon || g_str_has_prefix(file, patch))
			return d;
		d->line = atoi(colon + 1);
		g_free(d->file);
		d->file = g_strndup(file, colon - file);
		return d;
	}
	return NULL;
}

static void checkpatch_judge(struct job *job, const struct proc_job *p,
			     const char *srcdir)
{
	g_autoptr(GHashTable) removed = NULL;
	g_auto(GStrv) lines = NULL;
	const char *strange = NULL;

	if (!check_ran(job, p))
		return;
	removed = removed_lines(job->tu->values[1]);
	lines = g_strsplit(p->out->str, "\n", -1);
	job->diags = diag_array_new();
	for (char **l = lines; *l; l++) {
		struct diag *d = read_line(*l, job->tu->values[1]);

		if (!d) {
			strange = **l ? *l : strange;
			continue;
		}
		set_text(d, srcdir);
		if (*d->text && g_hash_table_contains(removed, d->text))
			diag_free(d);
		else
			g_ptr_array_add(job->diags, d);
	}
	if (strange || p->err->len || p->status > 1) {
		g_autofree char *why = g_strdup_printf("checkpatch says what respin "
			"does not understand: %.200s", strange ?: p->err->str);

		job_set_outcome(job, OUTCOME_ERROR, why);
		return;
	}
	job_set_outcome(job, job->diags->len ? OUTCOME_FINDINGS : OUTCOME_PASS,
			NULL);
}

static char **checkpatch_shown(const struct job *job, const struct diag *d,
			       const char *srcdir, char **input)
{
	return command(job, srcdir);
}

static char *checkpatch_by_hand(const struct job *job)
{
	return g_strdup("scripts/checkpatch.pl --show-types -g HEAD");
}

const struct check check_checkpatch = {
	.name = "checkpatch",
	.what = "the style of each patch; what checkpatch calls ERROR is likely",
	.confidence = CONFIDENCE_LIKELY,
	.reads_file = true,
	.version = "1",
	.argv = checkpatch_argv,
	.judge = checkpatch_judge,
	.shown = checkpatch_shown,
	.by_hand = checkpatch_by_hand,
};
