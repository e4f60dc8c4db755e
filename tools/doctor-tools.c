// SPDX-License-Identifier: GPL-2.0
/*
 * The tools, as data, and the trial run of each.
 */
#include <unistd.h>
#include "doctor.h"
#include "proc.h"

#define TRIAL_SECONDS 20

/* A header is there when the compiler that needs it finds it. */
#define HEADER(h) { "gcc", "-E", "-o", "/dev/null", "-include", h, "-xc", "/dev/null" }

const struct tool doctor_tools[] = {
	{ "bwrap", { "bwrap", "--version" }, NULL, "bubblewrap",
	  "the sandbox that patched code runs in", "every run" },
	{ "ctags", { "ctags", "--version" }, "Universal Ctags", "universal-ctags",
	  "which function a changed line is in", "every run" },
	{ "gcc", { "gcc", "--version" }, NULL, "gcc",
	  "programs that the build runs itself", "kbuild" },
	{ "make", { "make", "--version" }, "GNU Make", "make",
	  "compile commands, generated headers", "kbuild" },
	{ "flex", { "flex", "--version" }, NULL, "flex",
	  "the reader of Kconfig files", "kbuild" },
	{ "bison", { "bison", "--version" }, NULL, "bison",
	  "the reader of Kconfig files", "kbuild" },
	{ "bc", { "bc", "--version" }, NULL, "bc",
	  "include/generated/timeconst.h", "kbuild" },
	{ "perl", { "perl", "-e", "print $^V" }, NULL, "perl",
	  "generated headers and assembler", "kbuild" },
	{ "python3", { "python3", "--version" }, NULL, "python3",
	  "generated headers", "kbuild" },
	{ "cpio", { "cpio", "--version" }, NULL, "cpio",
	  "kheaders of allmodconfig", "kbuild" },
	{ "xz", { "xz", "--version" }, NULL, "xz-utils",
	  "kheaders of allmodconfig", "kbuild" },
	{ "gelf.h", HEADER("gelf.h"), NULL, "libelf-dev",
	  "objtool and other host programs", "kbuild" },
	{ "openssl/evp.h", HEADER("openssl/evp.h"), NULL, "libssl-dev",
	  "the host programs for signing", "kbuild" },
	{ "urcu.h", HEADER("urcu.h"), NULL, "liburcu-dev",
	  "programs of tools/testing/", "patches that touch what they test" },
	{ "abidw", { "abidw", "--version" }, NULL, "abigail-tools",
	  "types of headers for user space", "patches that touch them" },
	{ "spatch", { "spatch", "--version" }, NULL, "coccinelle",
	  "rules for page tables and folios", "the check cocci" },
	{ "sparse", { "sparse", "--version" }, NULL, "sparse",
	  "__bitwise types, address spaces, locks", "the check sparse" },
	{ "clang-tidy-19", { "clang-tidy-19", "--version" }, NULL,
	  "clang-tidy-19", "hints on touched sources",
	  "the check clang-tidy, on request" },
	{ "git", { "git", "--version" }, NULL, "git",
	  "references to documents", "patches that move them" },
	{ NULL }
};

static char *find_program(const char *name, const char *path)
{
	g_auto(GStrv) dirs = g_strsplit(path, ":", -1);

	for (char **d = dirs; *d; d++) {
		char *p = g_build_filename(*d, name, NULL);

		if (!access(p, X_OK) && !g_file_test(p, G_FILE_TEST_IS_DIR))
			return p;
		g_free(p);
	}
	return NULL;
}

char *doctor_find(const char *program)
{
	return find_program(program, DOCTOR_PATH);
}

char *doctor_version(const char *output)
{
	/* The last one in the line: "gcc (Debian 12.2.0-14) 12.2.0" */
	static const char pattern[] =
		"^.*(?:^|[\\sv(])([0-9]+(?:\\.[0-9]+)+)(?![-+~.\\w])";
	g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_MULTILINE, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	if (!g_regex_match(regex, output, 0, &match))
		return g_strdup("");
	return g_match_info_fetch(match, 1);
}

static void check_tool(GPtrArray *rows, const struct tool *t, const char *path)
{
	g_autofree char *program = find_program(t->args[0], path);
	g_autofree char *version = NULL, *purpose = NULL;
	bool is_program = !strcmp(t->args[0], t->name);
	struct doctor_row *row;
	struct proc_job *job;

	purpose = g_strdup_printf("%s (%s)", t->purpose, t->needed_by);
	if (!program) {
		row = doctor_add(rows, DOCTOR_MISSING, t->name, "", "", purpose);
		row->package = g_strdup(t->package);
		return;
	}
	job = proc_job_new(g_strdupv((char **)t->args));
	g_free(job->argv[0]);
	job->argv[0] = g_strdup(program);
	job->seconds = TRIAL_SECONDS;
	proc_run(job);

	version = doctor_version(is_program ? job->out->str : "");
	row = doctor_add(rows, DOCTOR_OK, t->name, version,
			 is_program ? program : "", purpose);
	row->package = g_strdup(t->package);
	if (job->end != PROC_EXITED || job->status) {
		row->state = is_program ? DOCTOR_BROKEN : DOCTOR_MISSING;
		row->hint = is_program ? proc_job_describe(job) : NULL;
	} else if (t->must_say && !strstr(job->out->str, t->must_say)) {
		row->state = DOCTOR_MISSING;
		row->hint = g_strdup_printf("'%s' is not %s", program,
					    t->must_say);
	}
	proc_job_free(job);
}

void doctor_check_tools(GPtrArray *rows, const struct tool *tools,
			const char *path)
{
	for (; tools->name; tools++)
		check_tool(rows, tools, path);
}
