// SPDX-License-Identifier: GPL-2.0
#include "cmd-apply.h"

#include <stdio.h>
#include "apply.h"
#include "error.h"

struct args {
	char *tree, *rev;	/* of --tree PATH[@REV] */
	char *ref;
	int fuzz;
	gboolean keep_cr;
	char **series;
};

static int parse_args(int argc, char **argv, struct args *a, GError **error)
{
	const GOptionEntry entries[] = {
		{ "tree", 0, 0, G_OPTION_ARG_FILENAME, &a->tree, "tree", "PATH[@REV]" },
		{ "ref", 0, 0, G_OPTION_ARG_STRING, &a->ref, "refs/respin/NAME/n", "NAME" },
		{ "fuzz", 0, 0, G_OPTION_ARG_INT, &a->fuzz, "context lines that may differ", "N" },
		{ "keep-cr", 0, 0, G_OPTION_ARG_NONE, &a->keep_cr, "as git am --keep-cr", NULL },
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &a->series,
		  NULL, "SERIES..." },
		{ NULL },
	};
	GOptionContext *ctx = g_option_context_new(NULL);
	bool ok;
	char *at;

	g_option_context_add_main_entries(ctx, entries, NULL);
	ok = g_option_context_parse(ctx, &argc, &argv, error);
	g_option_context_free(ctx);
	if (!ok)
		return -1;
	if (!a->tree || !a->series || a->fuzz < 0) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_USAGE,
			    "usage: respin apply --tree PATH[@REV] SERIES...");
		return -1;
	}
	/* A path may have an '@' in it: then it is there as a whole. */
	at = g_file_test(a->tree, G_FILE_TEST_EXISTS) ? NULL :
							strrchr(a->tree, '@');
	if (at) {
		a->rev = g_strdup(at + 1);
		*at = 0;
	}
	return 0;
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
	GError *error = NULL;
	int ret = 0;

	if (parse_args(argc, argv, &a, &error) < 0 || run(&a, &error) < 0) {
		fprintf(stderr, "respin: %s\n", error->message);
		g_error_free(error);
		ret = 3;
	}
	g_free(a.tree);
	g_free(a.rev);
	g_free(a.ref);
	g_strfreev(a.series);
	return ret;
}
