// SPDX-License-Identifier: GPL-2.0
/*
 * `respin repro N/M.K`: the one command that shows a finding, as pasted.  The
 * sources of the step are put into a checkout of their own, where they stay
 * until the next repro of the same tree.
 */
#include "command.h"
#include "error.h"
#include "last.h"
#include "repo.h"

static char *put(const char *text, const char *srcdir)
{
	g_auto(GStrv) parts = g_strsplit(text, "@SRC", -1);

	return g_strjoinv(srcdir, parts);
}

static int checkout(const json_t *doc, const json_t *rep, const char *srcdir,
		    GError **error)
{
	const json_t *trees = json_object_get(doc, "trees");
	const char *path = last_str(json_array_get(trees, 0), "path");
	struct repo *repo = repo_open(path, error);
	g_autofree char *tree = NULL, *twin = NULL;
	int ret = -1;

	if (!repo)
		return -1;
	tree = repo_tree_of(repo, last_str(rep, "commit"), error);
	twin = g_build_filename(last_str(rep, "tree"), "cur", NULL);
	if (tree)
		ret = repo_checkout(repo, tree, srcdir, twin, error);
	repo_free(repo);
	return ret;
}

static void print_command(const json_t *f, const json_t *rep,
			  const char *srcdir)
{
	g_autofree char *dir = g_shell_quote(last_str(rep, "directory"));
	g_autoptr(GString) cmd = g_string_new("");
	json_t *word;
	size_t i;

	printf("# %s on %s; from scratch, at %.12s: %s\n", last_str(f, "id"),
	       last_str(rep, "variant"), last_str(rep, "commit"), last_str(rep, "make"));
	if (*last_str(rep, "stdin")) {
		g_autofree char *text = put(last_str(rep, "stdin"), srcdir);
		g_autofree char *quoted = g_shell_quote(g_strchomp(text));

		g_string_append_printf(cmd, "echo %s | ", quoted);
	}
	json_array_foreach(json_object_get(rep, "argv"), i, word) {
		g_autofree char *text = put(json_string_value(word), srcdir);
		g_autofree char *quoted = g_shell_quote(text);

		g_string_append_printf(cmd, "%s%s", i ? " " : "",
			strpbrk(text, " '\"\\$`;&|<>()*?[]~#") ? quoted : text);
	}
	/* readelf reads the objects of any architecture */
	if (*last_str(rep, "symbol")) {
		g_autofree char *object = g_strconcat(srcdir, ".o", NULL);
		g_autofree char *quoted = g_shell_quote(object);

		g_string_append_printf(cmd, " && readelf -sW %s | grep -w %s",
				       strpbrk(object, " '\"\\$`;&|<>()*?[]~#") ?
				       quoted : object, last_str(rep, "symbol"));
	}
	printf("cd %s && %s\n", dir, cmd->str);
}

int cmd_repro(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *srcdir = NULL;
	json_t *doc, *f, *rep = NULL;
	int status;

	if (!command_parse(NULL, "N/M.K", "Prints the one command that shows a "
		"finding of the last report; it works as pasted.", &argc, &argv,
		&status))
		return status;
	if (argc != 2)
		return command_usage("repro", "one finding, such as 3/7.1, is needed");
	doc = last_report(&error);
	f = doc ? last_finding(doc, argv[1], &error) : NULL;
	if (f) {
		rep = json_object_get(f, "reproducer");
		srcdir = g_build_filename(last_str(rep, "tree"), "repro", NULL);
	}
	if (!f || checkout(doc, rep, srcdir, &error)) {
		json_decref(doc);
		return command_fail("repro", error, EXIT_NOT_VERIFIED);
	}
	print_command(f, rep, srcdir);
	json_decref(doc);
	return EXIT_NOTHING_NEW;
}
