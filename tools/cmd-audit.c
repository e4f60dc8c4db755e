// SPDX-License-Identifier: GPL-2.0
#include "audit.h"
#include "command.h"
#include "error.h"
#include "session.h"

static struct session_options opts;
static char *arch_list, *kconfig_list, *json_path;
static int minutes, seed;

static const GOptionEntry entries[] = {
	{ "tree", 0, 0, G_OPTION_ARG_STRING, &opts.tree,
	  "the kernel repository (default: the one you stand in)", "PATH[@REV]" },
	{ "base", 0, 0, G_OPTION_ARG_STRING, &opts.base,
	  "the commit the series goes on", "REV" },
	{ "arch", 0, 0, G_OPTION_ARG_STRING, &arch_list,
	  "comma-separated: x86_64,arm64,powerpc,riscv", "LIST" },
	{ "kconfig", 0, 0, G_OPTION_ARG_STRING, &kconfig_list,
	  "comma-separated: defconfig,allmodconfig,...", "LIST" },
	{ "minutes", 0, 0, G_OPTION_ARG_INT, &minutes,
	  "compile what the plan leaves out for so long (default: all of it)",
	  "N" },
	{ "seed", 0, 0, G_OPTION_ARG_INT, &seed,
	  "decides which of them are compiled first", "S" },
	{ "json", 0, 0, G_OPTION_ARG_FILENAME, &json_path,
	  "write the result as JSON too ('-': to standard output)", "FILE" },
	{ "jobs", 'j', 0, G_OPTION_ARG_INT, &opts.jobs,
	  "compiles at once (default: one for each processor)", "N" },
	{ "no-reuse", 0, 0, G_OPTION_ARG_NONE, &opts.no_reuse,
	  "compile again what an earlier run compiled", NULL },
	{ "no-sandbox", 0, 0, G_OPTION_ARG_NONE, &opts.no_sandbox,
	  "run tools on the patched tree without bubblewrap", NULL },
	{ "quiet", 'q', 0, G_OPTION_ARG_NONE, &opts.quiet, "no progress", NULL },
	{ NULL }
};

static int report(const struct session *s, GError **error)
{
	g_autofree char *doc = audit_json(s->run);

	if (!json_path || strcmp(json_path, "-"))
		audit_print(s->run, stdout);
	else
		puts(doc);
	if (!json_path || !strcmp(json_path, "-"))
		return 0;
	return g_file_set_contents(json_path, doc, -1, error) ? 0 : -1;
}

static int audit(char *const *args, GError **error)
{
	struct session *s = session_open(&opts, args, error);
	int status = -1;

	if (!s)
		return -1;
	audit_free(s->run->audit);
	s->run->audit = audit_new();
	s->run->audit->full = true;
	s->run->audit->minutes = minutes;
	s->run->audit->seed = seed;
	/* As above: they are judged at the tip. */
	s->run->toggle_max = 0;
	s->run->progress = progress_new(stderr, opts.quiet);
	if (!run_all(s->run, error) && !report(s, error))
		status = audit_exit(s->run);
	session_close(s);
	return status;
}

int cmd_audit(int argc, char **argv)
{
	/* What is compiled after the last patch only has no steps to audit. */
	static char none[] = "none";
	static char *tip[] = { none, NULL };
	g_autoptr(GError) error = NULL;
	int status;

	if (!command_parse(entries, "SERIES...", "Checks a series and compiles "
		"what the check leaves out too, to see whether it misses "
		"anything.", &argc, &argv, &status))
		return status;
	if (argc < 2)
		return command_usage("audit", "no series given");
	if (opts.jobs < 0 || minutes < 0)
		return command_usage("audit", "--jobs and --minutes take a number "
				     "from 0");
	if (arch_list)
		opts.arches = g_strsplit(arch_list, ",", -1);
	if (kconfig_list)
		opts.kconfigs = g_strsplit(kconfig_list, ",", -1);
	opts.tip = tip;
	proc_catch_signals();
	status = audit(argv + 1, &error);
	return status < 0 ? command_fail("audit", error, EXIT_NOT_VERIFIED) :
		status;
}
