// SPDX-License-Identifier: GPL-2.0
/*
 * `respin apply`: applies and prints one line for each step, "n how moved
 * commit tree".  For tests and scripts: not in the list of commands.
 */
#include <stdio.h>

#include "apply.h"
#include "command.h"
#include "error.h"

struct args {
	char *tree, *rev;	/* of --tree PATH[@REV] */
	char *ref;
	int fuzz;
	gboolean keep_cr;
	char **series;
};

static void split_rev(struct args *a)
{
	/* A path may have an '@' in it: then it is there as a whole. */
	char *at = g_file_test(a->tree, G_FILE_TEST_EXISTS) ? NULL :
		strrchr(a->tree, '@');

	if (!at)
		return;
	a->rev = g_strdup(at + 1);
	*at = '\0';
}

static void print_steps(const struct steps *st)
{
	guint i, k;

	for (i = 0; i < st->steps->len; i++) {
		const struct step *s = st->steps->pdata[i];

		printf("%u %s %d %s %s\n", i, apply_how_name(s->how), s->moved,
		       s->commit, s->tree);
		for (k = 0; k < s->notes->len; k++)
			fprintf(stderr, "respin: patch %u: %s\n", i,
				(char *)s->notes->pdata[k]);
	}
}

static int run(struct args *a, GError **error)
{
	g_autoptr(series_t) s = NULL;
	g_autofree char *base = NULL;
	struct apply_options o = { .fuzz = a->fuzz, .keep_cr = a->keep_cr };
	struct repo *r = repo_open(a->tree, error);
	struct steps *st = NULL;

	if (r)
		base = repo_resolve(r, a->rev ? a->rev : "HEAD", error);
	if (base)
		s = series_read(a->series, a->keep_cr, error);
	if (s)
		st = apply_series(r, s, base, &o, a->ref, error);
	if (st)
		print_steps(st);
	steps_free(st);
	repo_free(r);
	return st ? 0 : -1;
}

int cmd_apply(int argc, char **argv)
{
	struct args a = { 0 };
	const GOptionEntry entries[] = {
		{ "tree", 0, 0, G_OPTION_ARG_FILENAME, &a.tree,
		  "the repository", "PATH[@REV]" },
		{ "ref", 0, 0, G_OPTION_ARG_STRING, &a.ref,
		  "keep the steps under refs/respin/NAME/", "NAME" },
		{ "fuzz", 0, 0, G_OPTION_ARG_INT, &a.fuzz,
		  "context lines that may differ", "N" },
		{ "keep-cr", 0, 0, G_OPTION_ARG_NONE, &a.keep_cr,
		  "as git am --keep-cr", NULL },
		{ NULL }
	};
	g_autoptr(GError) error = NULL;
	int status;

	if (!command_parse(entries, "SERIES...", "Applies a series and prints "
			   "its steps.", &argc, &argv, &status))
		return status;
	if (!a.tree || argc < 2 || a.fuzz < 0)
		return command_usage("apply", "--tree and a series are needed");
	split_rev(&a);
	a.series = argv + 1;
	status = run(&a, &error) ?
		command_fail("apply", error, EXIT_NOT_VERIFIED) : EXIT_NOTHING_NEW;
	g_free(a.tree);
	g_free(a.rev);
	g_free(a.ref);
	return status;
}
