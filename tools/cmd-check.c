// SPDX-License-Identifier: GPL-2.0
#include <unistd.h>

#include "command.h"
#include "error.h"
#include "messages.h"
#include "session.h"

static struct session_options opts;
static char *arch_list, *kconfig_list, *tip_list, *json_path;
static gboolean verbose;

static const GOptionEntry entries[] = {
	{ "tree", 0, 0, G_OPTION_ARG_STRING, &opts.tree,
	  "the kernel repository (default: the one you stand in)", "PATH[@REV]" },
	{ "base", 0, 0, G_OPTION_ARG_STRING, &opts.base,
	  "the commit the series goes on", "REV" },
	{ "arch", 0, 0, G_OPTION_ARG_STRING, &arch_list,
	  "comma-separated: x86_64,arm64,powerpc,riscv", "LIST" },
	{ "kconfig", 0, 0, G_OPTION_ARG_STRING, &kconfig_list,
	  "comma-separated: defconfig,allmodconfig,...", "LIST" },
	{ "tip", 0, 0, G_OPTION_ARG_STRING, &tip_list,
	  "compiled after the last patch only: i386,riscv32,powerpc32, or none",
	  "LIST" },
	{ "toggle", 0, 0, G_OPTION_ARG_STRING, &opts.toggle,
	  "how many symbols the code hangs on are tried otherwise, at the tip "
	  "(default: 6)", "all|none|N" },
	{ "cover", 0, 0, G_OPTION_ARG_NONE, &opts.cover,
	  "find a configuration for added lines that none compiles", NULL },
	{ "check", 0, 0, G_OPTION_ARG_STRING, &opts.check,
	  "comma-separated: these checks only (see `respin checks`)", "LIST" },
	{ "skip", 0, 0, G_OPTION_ARG_STRING, &opts.skip,
	  "comma-separated: all checks but these", "LIST" },
	{ "min-confidence", 0, 0, G_OPTION_ARG_STRING, &opts.min_confidence,
	  "certain, likely (default) or hint", "WORD" },
	{ "json", 0, 0, G_OPTION_ARG_FILENAME, &json_path,
	  "write the report as JSON too ('-': to standard output)", "FILE" },
	{ "jobs", 'j', 0, G_OPTION_ARG_INT, &opts.jobs,
	  "compiles at once (default: one for each processor)", "N" },
	{ "budget", 0, 0, G_OPTION_ARG_STRING, &opts.budget,
	  "start no compile after TIME of compiling (90s, 10m, 2h)", "TIME" },
	{ "fuzz", 0, 0, G_OPTION_ARG_INT, &opts.fuzz,
	  "context lines that may differ when nothing else applies", "N" },
	{ "keep-cr", 0, 0, G_OPTION_ARG_NONE, &opts.keep_cr,
	  "keep CR at line ends, as git am --keep-cr", NULL },
	{ "exhaustive", 0, 0, G_OPTION_ARG_NONE, &opts.exhaustive,
	  "compile all objects that can reach a touched header", NULL },
	{ "no-audit", 0, 0, G_OPTION_ARG_NONE, &opts.no_audit,
	  "compile nothing at random outside of the impact", NULL },
	{ "no-reuse", 0, 0, G_OPTION_ARG_NONE, &opts.no_reuse,
	  "compile again what an earlier run compiled", NULL },
	{ "no-sandbox", 0, 0, G_OPTION_ARG_NONE, &opts.no_sandbox,
	  "run tools on the patched tree without bubblewrap", NULL },
	{ "verbose", 'v', 0, G_OPTION_ARG_NONE, &verbose,
	  "say more: databases, compiler time, base diagnostics", NULL },
	{ "quiet", 'q', 0, G_OPTION_ARG_NONE, &opts.quiet,
	  "no progress; print the report only when it is not empty", NULL },
	{ NULL }
};

/* The document goes to a file of its own or to standard output. */
static int write_json(const char *doc, GError **error)
{
	if (!json_path)
		return 0;
	if (!strcmp(json_path, "-")) {
		puts(doc);
		return 0;
	}
	return g_file_set_contents(json_path, doc, -1, error) ? 0 : -1;
}

static int report(struct session *s, bool last, GError **error)
{
	g_autofree char *doc = report_json(s->run);
	bool to_stdout = json_path && !strcmp(json_path, "-");

	if (!to_stdout && !(opts.quiet && (!last || !run_exit(s->run))))
		report_terminal(s->run, stdout, verbose);
	if ((last || !to_stdout ? write_json(doc, error) : 0) ||
	    store_put_report(s->store, s->run->series->subject, doc, error))
		return -1;
	if (fflush(stdout)) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO,
			    "cannot write the report");
		return -1;
	}
	return 0;
}

/* The verdict of one stage, complete in itself. */
static void on_stage(struct run *run, void *data)
{
	const GPtrArray *next = run->stages->pdata[run->stage];
	g_autoptr(GError) error = NULL;

	/* A full disk is met again, and said, at the end. */
	report(data, false, &error);
	if (opts.quiet || (json_path && !strcmp(json_path, "-")))
		return;
	printf("\n%u more to come, %s first; an interrupt (Ctrl-C) keeps what "
	       "is above\n\n", run_variant_count(run) - run->variants->len,
	       ((struct variant *)next->pdata[0])->name);
	fflush(stdout);
}

/* What a first run costs, before it costs it. */
static void say_first_run(const struct session *s)
{
	g_autofree char *dir = g_build_filename(s->dir, "cur", NULL);
	unsigned int n = run_variant_count(s->run);

	if (opts.quiet || g_file_test(dir, G_FILE_TEST_EXISTS))
		return;
	fprintf(stderr, "respin: first run on this tree: about %u minutes and "
		"%.1f GB in %s\n", 1 + 2 * n, 2.0 + 0.1 * n, s->dir);
}

int cmd_check(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	struct session *s;
	int status;

	if (!command_parse(entries, "SERIES...", "Applies a series (mbox, mails, "
		"directory, maildir, '-') or a commit range A..B, compiles every "
		"patch and says what is new with which patch.", &argc, &argv,
		&status))
		return status;
	if (argc < 2)
		return command_usage("check", "no series given");
	if (opts.jobs < 0 || opts.fuzz < 0)
		return command_usage("check", "--jobs and --fuzz take a number "
				     "from 0");
	if (arch_list)
		opts.arches = g_strsplit(arch_list, ",", -1);
	if (tip_list)
		opts.tip = g_strsplit(tip_list, ",", -1);
	if (kconfig_list)
		opts.kconfigs = g_strsplit(kconfig_list, ",", -1);
	proc_catch_signals();
	s = session_open(&opts, argv + 1, &error);
	if (!s)
		return command_fail("check", error, EXIT_NOT_VERIFIED);
	messages_run(s->run);
	say_first_run(s);
	s->run->on_stage = on_stage;
	s->run->on_stage_data = s;
	s->run->progress = progress_new(stderr, opts.quiet);
	if (run_all(s->run, &error) || report(s, true, &error))
		status = command_fail("check", error, EXIT_NOT_VERIFIED);
	else
		status = run_exit(s->run);
	session_close(s);
	return status;
}
