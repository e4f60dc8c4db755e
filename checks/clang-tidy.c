// SPDX-License-Identifier: GPL-2.0
/*
 * clang-tidy on touched sources of the host's architecture, with the command of
 * the database less what only gcc knows.  All that it says is a hint.
 */
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "checkset.h"
#include "compdb.h"

/*
 * What is right more often than not in kernel code.  Not: DeadStores and
 * easily-swappable-parameters (style), narrowing-conversions, branch-clone,
 * reserved-identifier, macro-parentheses, assignment-in-if-condition (the
 * kernel's own idioms), Malloc and the like (it has no malloc).
 */
#define CHECKS "-checks=-*,linuxkernel-*,bugprone-bool-pointer-implicit-conversion," \
	"bugprone-infinite-loop,bugprone-integer-division," \
	"bugprone-misplaced-widening-cast,bugprone-redundant-branch-condition," \
	"bugprone-sizeof-expression,bugprone-string-literal-with-embedded-nul," \
	"bugprone-suspicious-memset-usage,bugprone-suspicious-missing-comma," \
	"bugprone-suspicious-semicolon,bugprone-swapped-arguments," \
	"bugprone-too-small-loop-variable,bugprone-undefined-memory-manipulation," \
	"clang-analyzer-core.DivideZero,clang-analyzer-core.NullDereference," \
	"clang-analyzer-core.BitwiseShift," \
	"clang-analyzer-core.UndefinedBinaryOperatorResult," \
	"clang-analyzer-core.uninitialized.*,clang-analyzer-core.VLASize"

static const char *const gcc_only[] = { "-fconserve-stack",
	"-fno-allow-store-data-races", "-fmin-function-alignment=",
	"-mno-fp-ret-in-387", "-mpreferred-stack-boundary=", "-mskip-rax-setup",
	"-mindirect-branch", "-mfunction-return=", "-mrecord-mcount",
	"-fplugin", "-falign-jumps=", "-falign-loops=", "-fno-var-tracking",
	"-fsanitize=bounds-strict", "-mharden-sls=", "-fno-ipa-", "-fno-partial-",
	"-fno-code-hoisting", "-mstack-protector-guard", "--param", "-Wa,",
	"-fno-reorder-blocks", "-fno-tree-", "-fdump-", "-mabi=lp64", "-W",
	"-fno-gcse", "-fno-sanitize-recover", "-fzero-init-padding-bits=",
	"-fcallgraph-info", "-fstrict-flex-arrays", NULL };

static bool is_gcc_only(const char *word)
{
	if (g_str_has_prefix(word, "-Wp,"))
		return true;
	for (const char *const *g = gcc_only; *g; g++)
		if (g_str_has_prefix(word, *g))
			return true;
	return false;
}

static void add(GPtrArray *a, const char *word)
{
	g_ptr_array_add(a, g_strdup(word));
}

static char **command(const struct job *job, const char *srcdir)
{
	const struct tu *tu = compdb_at(job->tu, job->step);
	g_auto(GStrv) gcc = compdb_argv(job->variant->db, tu, srcdir, "o.o",
					"o.d", NULL);
	GPtrArray *a = g_ptr_array_new();
	guint n = g_strv_length(gcc);

	add(a, check_tool_program(job->check));
	add(a, "--quiet");
	add(a, "--config={}");
	add(a, CHECKS);
	add(a, gcc[n - 1]);
	add(a, "--");
	for (guint i = 1; i + 1 < n; i++) {
		if (!strcmp(gcc[i], "-o"))
			i++;
		else if (strcmp(gcc[i], "-c") && !is_gcc_only(gcc[i]))
			add(a, gcc[i]);
	}
	add(a, "-w");
	add(a, "-Qunused-arguments");
	g_ptr_array_add(a, NULL);
	return (char **)g_ptr_array_free(a, FALSE);
}

static char **tidy_argv(const struct job *job, const char *srcdir,
			const char *jobdir)
{
	return command(job, srcdir);
}

/* "FILE:LINE:COL: warning: text [rule]" */
static struct diag *read_head(const char *line, const char *srcdir,
			      const char *odir)
{
	static const char *const marks[] = { ": warning: ", ": error: ", NULL };

	for (const char *const *m = marks; *m; m++) {
		const char *at = strstr(line, *m), *open;
		g_auto(GStrv) parts = NULL;
		g_autofree char *place = NULL, *file = NULL, *rule = NULL;
		struct diag *d;

		open = at ? strrchr(at, '[') : NULL;
		if (!open || !g_str_has_suffix(line, "]"))
			continue;
		place = g_strndup(line, at - line);
		parts = g_strsplit(place, ":", -1);
		if (g_strv_length(parts) != 3)
			continue;
		file = diag_path(parts[0], srcdir, odir);
		rule = g_strndup(open + 1, strlen(open) - 2);
		at += strlen(*m);
		d = diag_say(DIAG_WARNING, "clang-tidy", rule, file,
			     atoi(parts[1]), g_strndup(at, open - at - 1));
		d->column = atoi(parts[2]);
		d->confidence = CONFIDENCE_HINT;
		return d;
	}
	return NULL;
}

static void tidy_judge(struct job *job, const struct proc_job *p,
		       const char *srcdir)
{
	g_auto(GStrv) lines = NULL;

	if (!check_ran(job, p))
		return;
	lines = g_strsplit(p->out->str, "\n", -1);
	job->diags = diag_array_new();
	for (char **l = lines; *l; l++) {
		struct diag *d = read_head(*l, srcdir, job->variant->odir);

		if (d && g_str_has_prefix(d->rule, "clang-diagnostic-")) {
			g_autofree char *why = g_strdup_printf("clang cannot read "
				"it: %s", d->message);

			diag_free(d);
			job_set_outcome(job, OUTCOME_ERROR, why);
			return;
		}
		if (d)
			g_ptr_array_add(job->diags, d);
	}
	if (p->status) {
		g_autofree char *how = proc_job_describe(p);
		g_autofree char *why = g_strdup_printf("%s: %.200s", how,
						       p->err->str);

		job_set_outcome(job, OUTCOME_ERROR, why);
		return;
	}
	job_set_outcome(job, job->diags->len ? OUTCOME_FINDINGS : OUTCOME_PASS,
			NULL);
}

static char **tidy_shown(const struct job *job, const struct diag *d,
			 const char *srcdir, char **input)
{
	return command(job, srcdir);
}

static char *tidy_by_hand(const struct job *job)
{
	return g_strdup_printf("make LLVM=1 defconfig && make LLVM=1 clang-tidy "
			       "(for %s)", job->tu->object);
}

const struct check check_clang_tidy = {
	.name = "clang-tidy",
	.what = "touched sources of the host's architecture, by checks that fit "
		"the kernel",
	.tool = "clang-tidy-19",
	.package = "clang-tidy-19",
	.confidence = CONFIDENCE_HINT,
	.version = "1",
	.argv = tidy_argv,
	.judge = tidy_judge,
	.shown = tidy_shown,
	.by_hand = tidy_by_hand,
};
