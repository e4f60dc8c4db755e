// SPDX-License-Identifier: GPL-2.0
/*
 * The document of --json.  Its members are described in respin(1); "schema"
 * counts up when a member changes its meaning or goes.
 */
#include <jansson.h>

#include "audit.h"
#include "check.h"
#include "checkset.h"
#include "command.h"
#include "follow.h"
#include "messages.h"
#include "report.h"
#include "symbols.h"

#define SCHEMA 1

/* jansson refuses what is not UTF-8; kernel sources may hold Latin-1. */
static json_t *text(const char *s)
{
	g_autofree char *valid = s ? g_utf8_make_valid(s, -1) : NULL;

	return s ? json_string(valid) : json_null();
}

static json_t *number_or_null(unsigned int n)
{
	return n ? json_integer(n) : json_null();
}

static json_t *series_json(const struct run *run)
{
	const struct series *s = run->series;
	json_t *patches = json_array();

	for (guint i = 0; i < s->patches->len; i++) {
		const struct patch *p = g_ptr_array_index(s->patches, i);

		json_array_append_new(patches, json_pack("{s:i, s:o, s:o, s:o}",
			"n", p->n, "subject", text(p->subject),
			"msgid", text(p->msgid), "commit",
			text(run_step(run, p->n)->commit)));
	}
	return json_pack("{s:o, s:o, s:i, s:i, s:o, s:o, s:o, s:o}",
		"subject", text(s->subject), "author", text(s->author),
		"version", s->version, "total", s->total,
		"cover_msgid", text(s->cover_msgid),
		"base_commit", text(s->base_commit),
		"change_id", text(s->change_id), "patches", patches);
}

static json_t *tree_json(const struct run *run)
{
	json_t *apply = json_array();

	for (unsigned int n = 1; n <= run_steps(run); n++) {
		const struct step *s = run_step(run, n);

		json_array_append_new(apply, json_pack("{s:i, s:s, s:i}",
			"n", n, "how", apply_how_name(s->how),
			"moved", s->moved));
	}
	return json_pack("{s:o, s:o, s:o, s:o, s:o}",
		"name", text(run->tree_name), "path",
		text(repo_path(run->repo)), "base",
		text(run_step(run, 0)->commit), "base_found",
		text(run->base_how), "apply", apply);
}

static const char *mark_name(enum mark mark)
{
	static const char *const names[] = {
		[MARK_NOTHING] = "nothing to compile", [MARK_PASS] = "nothing new",
		[MARK_WARNING] = "warning", [MARK_ERROR] = "error",
		[MARK_BLIND] = "passes but is blind", [MARK_HIDDEN] = "hidden",
		[MARK_NOT_VERIFIED] = "not verified",
	};

	return names[mark];
}

static json_t *variant_json(const struct run *run, guint v)
{
	const struct variant *var = g_ptr_array_index(run->variants, v);
	json_t *patches = json_array();

	for (unsigned int n = 1; n <= run_steps(run); n++) {
		const struct cell *c = run_cell(run, n, v);

		json_array_append_new(patches, json_pack(
			"{s:i, s:s, s:i, s:i, s:o}", "n", n, "result",
			mark_name(c->mark), "compiles", c->jobs, "reachable",
			c->reachable, "behind", number_or_null(c->behind)));
	}
	return json_pack("{s:s, s:s, s:s, s:o, s:b, s:o, s:o, s:s, s:i, s:i, s:i, s:o}",
		"name", var->name, "arch", var->arch->name, "kconfig",
		var->kconfig, "toggle", text(var->toggle), "tip", var->tip,
		"toolchain", text(var->toolchain), "database",
		text(var->how), "config_hash",
		var->config_hash ? var->config_hash : "", "tus",
		var->db->tus->len, "flag_classes", var->db->classes->len,
		"base_diagnostics",
		GPOINTER_TO_UINT(g_hash_table_lookup(run->base_diags, var->name)),
		"patches", patches);
}

static json_t *strings_json(const GPtrArray *strings)
{
	json_t *list = json_array();

	for (guint i = 0; strings && i < strings->len; i++)
		json_array_append_new(list, text(g_ptr_array_index(strings, i)));
	return list;
}

static json_t *fragments_json(const struct run *run)
{
	json_t *list = json_array();

	for (guint i = 0; i < run->fragments->len; i++) {
		const struct fragment *f = run->fragments->pdata[i];

		if (!f->done)
			continue;
		json_array_append_new(list, json_pack(
			"{s:i, s:o, s:s, s:s, s:s}", "n", f->n,
			"what", text(f->what), "variant", f->variant->name,
			"base", f->base->name, "settings", f->text));
	}
	return list;
}

static json_t *diag_json(const struct diag *d)
{
	json_t *follow = json_array();

	for (guint i = 0; d->follow_ons && i < d->follow_ons->len; i++)
		json_array_append_new(follow, diag_json(
			g_ptr_array_index(d->follow_ons, i)));
	return json_pack("{s:s, s:o, s:o, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o}",
		"severity", d->kind == DIAG_ERROR ? "error" : "warning",
		"rule", text(d->rule), "file", text(d->file),
		"line", d->line, "column", d->column,
		"function", text(d->function), "message", text(d->message),
		"source", text(d->text), "included_from", text(d->chain),
		"notes", strings_json(d->notes), "follow_ons", follow);
}

static char *by_hand(const struct job *job)
{
	const struct variant *v = job->variant;

	if (job->check->by_hand)
		return job->check->by_hand(job);
	return g_strdup_printf("make ARCH=%s%s%s W=1 %s",
		v->arch->kernel_arch, *v->cross ? " CROSS_COMPILE=" : "",
		v->cross, job->tu->object);
}

/* A header alone is read from standard input. */
static char **compile_shown(const struct job *job, const char *object,
			    char **input)
{
	const struct tu *tu = compdb_at(job->tu, job->step);
	char **argv = compdb_argv(job->variant->db, tu, "@SRC", object,
				  "/dev/null", job->header ? "-" : NULL);
	guint n = g_strv_length(argv);

	if (!job->header)
		return argv;
	*input = probe_text(job->header, "@SRC");
	argv = g_renew(char *, argv, n + 3);
	memmove(argv + 3, argv + 1, n * sizeof(*argv));
	argv[1] = g_strdup("-x");
	argv[2] = g_strdup("c");
	return argv;
}

/* What `respin repro` needs: "@SRC" stands for the checkout of the step. */
static json_t *reproducer_json(const struct run *run, const struct finding *f)
{
	const struct showing *s = g_ptr_array_index(f->showings, 0);
	const struct job *job = s->job;
	const struct variant *v = s->variant;
	g_autofree char *make = by_hand(job), *probe = NULL;
	/* what was found in the object: it must be kept to be looked at */
	bool keep = !strcmp(f->diag->check, SYMBOLS_CHECK);
	g_autofree char *symbol = keep ? diag_subject(f->diag) : NULL;
	g_auto(GStrv) argv = job_is_compile(job) ?
		compile_shown(job, keep ? "@SRC.o" : "/dev/null", &probe) :
		job->check->shown(job, f->diag, "@SRC", &probe);
	json_t *words = json_array();

	for (char **w = argv; *w; w++)
		json_array_append_new(words, text(*w));
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:f}",
		"variant", v->name, "symbol", text(symbol), "commit",
		text(run_step(run, f->n)->commit), "make", text(make),
		"tree", text(run->dir), "directory", text(follow_odir(run, v, f->n)),
		"stdin", text(probe), "argv", words, "seconds", job->seconds);
}

static json_t *finding_json(const struct run *run, const struct finding *f)
{
	g_autofree char *label = report_label(run, f);
	g_autofree char *sentence = report_sentence(f);
	g_autofree char *fixup = finding_died(f) ? report_fixup(run, f) : NULL;
	json_t *fails = json_array(), *passes = json_array();
	json_t *same = json_array(), *doc;

	for (guint i = 0; i < f->showings->len; i++) {
		const struct showing *s = g_ptr_array_index(f->showings, i);
		g_autofree char *name = job_name(s->job);

		json_array_append_new(fails, json_pack("{s:s, s:i, s:o, s:o}",
			"variant", s->variant->name, "places", s->places,
			"first", text(name), "died", number_or_null(s->died)));
	}
	for (guint i = 0; i < f->passes->len; i++) {
		const struct passing *p = g_ptr_array_index(f->passes, i);

		json_array_append_new(passes, json_pack("{s:s, s:o, s:b, s:o}",
			"variant", p->variant->name, "because",
			text(p->because), "defined", p->defined, "by",
			text(p->by)));
	}
	for (guint i = 0; i < f->same_cause->len; i++) {
		const struct finding *g = g_ptr_array_index(f->same_cause, i);

		json_array_append_new(same, diag_json(g->diag));
	}
	doc = json_pack("{s:o, s:i, s:s, s:s, s:o, s:o, s:o, s:o, s:i, s:o, s:o,"
			" s:o, s:b, s:b}",
		"id", text(label), "n", f->n, "check", f->diag->check,
		"confidence", confidence_name(f->diag->confidence), "sentence", text(sentence),
		"fails", fails, "passes", passes, "same_cause", same,
		"born", f->n, "died", number_or_null(finding_died(f)),
		"fixup", text(fixup), "reproducer", reproducer_json(run, f),
		"found_late", f->missed, "found_outside", f->outside);
	json_object_update_new(doc, diag_json(f->diag));
	return doc;
}

static json_t *gaps_json(const struct run *run)
{
	json_t *list = json_array();

	for (guint i = 0; i < run->lost->len; i++) {
		const struct lost_variant *l = g_ptr_array_index(run->lost, i);

		json_array_append_new(list, json_pack("{s:o, s:s, s:o, s:o}",
			"n", json_null(), "variant", l->name, "what",
			text("all"), "reason", text(l->reason)));
	}
	for (guint i = 0; i < run->gaps->len; i++) {
		const struct gap *g = g_ptr_array_index(run->gaps, i);

		json_array_append_new(list, json_pack("{s:o, s:o, s:o, s:o}",
			"n", number_or_null(g->n), "variant",
			text(g->variant ? g->variant->name : NULL), "what",
			text(g->what), "reason", text(g->reason)));
	}
	return list;
}

static json_t *times_json(const struct run *run)
{
	json_t *times = json_object();

	for (const struct check *const *c = check_list(); *c; c++) {
		double s = runner_spent(run->runner, (*c)->name);

		if (s > 0)
			json_object_set_new(times, (*c)->name, json_real(s));
	}
	return times;
}

char *report_json(const struct run *run)
{
	json_t *variants = json_array(), *findings = json_array(), *doc;
	g_autofree char *scope = report_out_of_scope(run);
	char *out;

	for (guint v = 0; v < run->variants->len; v++)
		json_array_append_new(variants, variant_json(run, v));
	for (guint i = 0; i < run->attrib->findings->len; i++)
		json_array_append_new(findings, finding_json(run,
			g_ptr_array_index(run->attrib->findings, i)));
	doc = json_pack("{s:i, s:s, s:s, s:o, s:[o], s:o, s:o, s:o, s:o,"
			" s:o, s:o, s:o, s:o, s:o,"
			" s:{s:i, s:i, s:f, s:f, s:o, s:i, s:i}, s:b, s:i}",
		"schema", SCHEMA, "respin", RESPIN_VERSION, "level", "compile",
		"series", series_json(run), "trees", tree_json(run),
		"variants", variants, "findings", findings,
		"messages", messages_json(run->messages), "not_checked",
		strings_json(run->messages ? run->messages->unchecked : NULL),
		"not_verified", gaps_json(run), "covered", fragments_json(run),
		"not_toggled", strings_json(run->toggle_notes),
		"budget", number_or_null(run->budget.total),
		"out_of_scope", text(scope),
		"stats", "compiled", run->runner->compiled, "reused",
		run->runner->reused, "seconds", run->seconds, "job_seconds",
		run->runner->spent, "check_seconds", times_json(run),
		"impact_missed", run->attrib->missed,
		"audited", run->audit ? run->audit->audited : 0,
		"interrupted", run->interrupted, "exit", run_exit(run));
	out = json_dumps(doc, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
	json_decref(doc);
	return out;
}
