// SPDX-License-Identifier: GPL-2.0
/*
 * uapi: a header as user space gets it, compiled alone and read by
 * headers_check.pl, as kbuild does with CONFIG_UAPI_HEADER_TEST.  Only it and
 * what it includes are installed.  The source of its jobs' TU is the header.
 */
#include "check.h"
#include "error.h"
#include "uapi.h"

/*
 * What a job does, and `respin repro` too, which has no need.mk: then all is
 * installed.  The switch -b of unifdef leaves a blank line for each that it
 * takes out, so that lines keep their numbers.
 */
static const char makefile[] =
	"all: check compile\n"
	"DIRS := $(SRC)/include/uapi $(SRC)/arch/$(SRCARCH)/include/uapi"
	" $(GEN)/include/generated/uapi"
	" $(GEN)/arch/$(SRCARCH)/include/generated/uapi\n"
	"FLAGS := -std=c90 -Wall -Werror=implicit-function-declaration\n"
	"TEST := -include $(H) -include $(H)\n"
	"-include $(OUT)/need.mk\n"
	"NEED ?= $(foreach d,$(DIRS),"
	"$(patsubst $(d)/%,%,$(shell find $(d) -name '*.h')))\n"
	"$(OUT)/scripts/unifdef: $(SRC)/scripts/unifdef.c\n"
	"\t@mkdir -p $(@D)\n"
	"\t@cc -o $@.bin $<\n"
	"\t@(echo '#!/bin/sh'; echo exec $@.bin -b '\"$$@\"') >$@\n"
	"\t@chmod 755 $@\n"
	"$(OUT)/inst/%.h: $(OUT)/scripts/unifdef\n"
	"\t@mkdir -p $(@D)\n"
	"\t@cd $(OUT) && sh $(SRC)/scripts/headers_install.sh"
	" $(firstword $(wildcard $(addsuffix /$*.h,$(DIRS)))) $@\n"
	"compile: $(NEED:%=$(OUT)/inst/%)\n"
	"\t@cd $(OUT)/inst && $(CC) $(FLAGS) $(MODE) -I ."
	" -I $(SRC)/usr/dummy-include -fsyntax-only -fdiagnostics-color=never"
	" -fmessage-length=0 -x c /dev/null $(TEST)\n"
	"check: $(NEED:%=$(OUT)/inst/%)\n"
	"\t@cd $(OUT)/inst && perl $(SRC)/usr/include/headers_check.pl ."
	" $(SRCARCH) $(H)\n";

static const char *name_of(const struct job *job)
{
	return uapi_name(job->tu->source, job->variant->arch->srcarch);
}

static int put(const char *dir, const char *name, const char *text,
	       GError **error)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);

	if (g_file_set_contents(path, text, -1, NULL))
		return 0;
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO, "cannot write '%s'",
		    path);
	return -1;
}

static int uapi_prepare(const struct job *job, const char *srcdir,
			const char *jobdir, GError **error)
{
	const char *srcarch = job->variant->arch->srcarch, *name = name_of(job);
	g_autoptr(GHashTable) need = uapi_closure(srcdir, job->variant->odir,
						  srcarch, name);
	g_autofree char *path = g_build_filename(srcdir, "usr/include/Makefile",
						 NULL);
	g_autofree char *rules = NULL, *flags = NULL;
	g_autoptr(GString) mk = g_string_new("NEED :=");
	GHashTableIter it;
	gpointer key;

	g_hash_table_iter_init(&it, need);
	while (g_hash_table_iter_next(&it, &key, NULL))
		g_string_append_printf(mk, " %s", (char *)key);
	g_string_append_c(mk, '\n');
	if (g_file_get_contents(path, &rules, NULL, NULL))
		flags = uapi_flags(rules);
	if (flags)
		g_string_append_printf(mk, "FLAGS := %s\n", flags);
	if (rules && uapi_is_excluded(rules, srcarch, name))
		g_string_append(mk, "TEST :=\n");
	return put(jobdir, "need.mk", mk->str, error) ||
	       put(jobdir, "hdrtest.mk", makefile, error) ? -1 : 0;
}

static char **command(const struct job *job, const char *file,
		      const char *srcdir, const char *out)
{
	const struct variant *v = job->variant;
	GPtrArray *a = g_ptr_array_new();

	g_ptr_array_add(a, g_strdup("make"));
	g_ptr_array_add(a, g_strdup("-k"));
	g_ptr_array_add(a, g_strdup("-r"));
	g_ptr_array_add(a, g_strdup("-f"));
	g_ptr_array_add(a, g_strdup(file));
	g_ptr_array_add(a, g_strconcat("SRC=", srcdir, NULL));
	g_ptr_array_add(a, g_strconcat("GEN=", v->odir, NULL));
	g_ptr_array_add(a, g_strconcat("OUT=", out, NULL));
	g_ptr_array_add(a, g_strconcat("SRCARCH=", v->arch->srcarch, NULL));
	g_ptr_array_add(a, g_strconcat("CC=", v->cross, "gcc", NULL));
	g_ptr_array_add(a, g_strconcat("MODE=", uapi_mode(v->db), NULL));
	g_ptr_array_add(a, g_strconcat("H=", name_of(job), NULL));
	g_ptr_array_add(a, NULL);
	return (char **)g_ptr_array_free(a, FALSE);
}

static char **uapi_argv(const struct job *job, const char *srcdir,
			const char *jobdir)
{
	g_autofree char *file = g_build_filename(jobdir, "hdrtest.mk", NULL);

	return command(job, file, srcdir, jobdir);
}

/* An installed name, "O/linux/types.h" or without the O/, to its source. */
static void place(char **file, const struct job *job, const char *srcdir)
{
	const char *name = g_str_has_prefix(*file, "O/") ? *file + 2 : *file;
	const struct variant *v = job->variant;
	char *path = uapi_source(srcdir, v->odir, v->arch->srcarch, name);

	if (!path)
		return;
	g_free(*file);
	*file = path;
}

/* "linux/x.h:12: text", or with what gcc says before: "..., from linux/x.h:12" */
static void place_head(char **text, const struct job *job, const char *srcdir)
{
	char *colon = strchr(*text, ':');
	g_autofree char *file = colon ? g_strndup(*text, colon - *text) : NULL;
	char *with;

	if (!file)
		return;
	place(&file, job, srcdir);
	with = g_strconcat(file, colon, NULL);
	g_free(*text);
	*text = with;
}

static void place_diag(struct diag *d, const struct job *job,
		       const char *srcdir)
{
	g_free(d->check);
	d->check = g_strdup("uapi");
	place(&d->file, job, srcdir);
	place_head(&d->chain, job, srcdir);
	for (guint i = 0; i < d->places->len; i++) {
		struct diag_place *p = d->places->pdata[i];

		place(&p->file, job, srcdir);
	}
	for (guint i = 0; i < d->notes->len; i++)
		place_head((char **)&d->notes->pdata[i], job, srcdir);
	for (guint i = 0; i < d->follow_ons->len; i++)
		place_diag(d->follow_ons->pdata[i], job, srcdir);
}

static struct diag *said(enum diag_kind kind, const char *rule,
			 const char *file, unsigned int line, const char *what)
{
	struct diag *d = diag_new();

	d->kind = kind;
	g_free(d->rule);
	g_free(d->file);
	g_free(d->message);
	d->rule = g_strdup(rule);
	d->file = g_strdup(file);
	d->line = line;
	d->message = g_strdup(what);
	return d;
}

/*
 * "error: SRC/include/uapi/x.h: leak CONFIG_X to user-space" of
 * headers_install.sh, "linux/x.h:12: text" of headers_check.pl.
 */
static struct diag *script_line(const char *line, const char *srcdir)
{
	static GRegex *form;
	g_autoptr(GMatchInfo) m = NULL;
	g_autofree char *file = NULL, *number = NULL, *what = NULL;

	if (!form)
		form = g_regex_new("^(?:error: (/[^:]+)()|([^/: ][^: ]*):([0-9]+)):"
			" (?!error:|warning:|note:|fatal error:)(.*)$",
			G_REGEX_RAW | G_REGEX_DUPNAMES, 0, NULL);
	if (!g_regex_match(form, line, 0, &m))
		return NULL;
	what = g_match_info_fetch(m, 5);
	file = g_match_info_fetch(m, 1);
	if (*file)
		return said(DIAG_ERROR, "headers_install",
			    g_str_has_prefix(file, srcdir) ?
			    file + strlen(srcdir) + 1 : file, 0, what);
	g_free(file);
	file = g_match_info_fetch(m, 3);
	number = g_match_info_fetch(m, 4);
	return said(DIAG_WARNING, "headers_check", file, strtoul(number, NULL, 10),
		    what);
}

static void read_errors(struct job *job, const char *text, const char *srcdir)
{
	g_autoptr(GPtrArray) mine = diag_array_new();
	g_autoptr(GString) rest = g_string_new(NULL);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **l = lines; *l; l++) {
		struct diag *d = script_line(*l, srcdir);

		if (d)
			g_ptr_array_add(mine, d);
		else if (!g_str_has_prefix(*l, "make"))
			g_string_append_printf(rest, "%s\n", *l);
	}
	/* the compiler stands where the headers are installed */
	job->diags = diag_parse(rest->str, srcdir, "/installed");
	g_ptr_array_extend_and_steal(job->diags, g_steal_pointer(&mine));
	for (guint i = 0; i < job->diags->len; i++)
		place_diag(job->diags->pdata[i], job, srcdir);
	diag_fold(job->diags);
}

/* All that can be read: what is generated does not change with a patch. */
static void set_deps(struct job *job, const char *srcdir)
{
	const struct variant *v = job->variant;
	g_autoptr(GHashTable) need = uapi_closure(srcdir, v->odir,
					v->arch->srcarch, name_of(job));
	GPtrArray *deps = g_ptr_array_new();
	GHashTableIter it;
	gpointer name;

	g_hash_table_iter_init(&it, need);
	while (g_hash_table_iter_next(&it, &name, NULL)) {
		char *path = uapi_source(srcdir, v->odir, v->arch->srcarch, name);

		if (path)
			g_ptr_array_add(deps, path);
	}
	g_ptr_array_add(deps, g_strdup("usr/include/Makefile"));
	g_ptr_array_add(deps, g_strdup("scripts/headers_install.sh"));
	g_ptr_array_add(deps, NULL);
	g_strfreev(job->deps);
	job->deps = (char **)g_ptr_array_free(deps, FALSE);
}

static void uapi_judge(struct job *job, const struct proc_job *p,
		       const char *srcdir)
{
	g_autofree char *how = proc_job_describe(p);

	if (!check_ran(job, p))
		return;
	read_errors(job, p->err->str, srcdir);
	set_deps(job, srcdir);
	if (p->status && !job->diags->len) {
		g_autofree char *reason = g_strdup_printf("%s without an error "
			"that respin understands: %.200s", how, p->err->str);
		job_set_outcome(job, OUTCOME_ERROR, reason);
		return;
	}
	job_set_outcome(job, job->diags->len ? OUTCOME_FINDINGS : OUTCOME_PASS,
			NULL);
}

static char **uapi_shown(const struct job *job, const struct diag *d,
			 const char *srcdir, char **input)
{
	g_autofree char *beside = g_path_get_dirname(job->variant->odir);
	g_autofree char *out = g_strconcat(beside, "/uapi", NULL);

	*input = g_strdup(makefile);
	return command(job, "-", srcdir, out);
}

static char *uapi_by_hand(const struct job *job)
{
	return g_strdup_printf("make ARCH=%s all, with CONFIG_UAPI_HEADER_TEST=y",
			       job->variant->arch->kernel_arch);
}

const struct check check_uapi = {
	.name = "uapi",
	.version = "1",
	.argv = uapi_argv,
	.judge = uapi_judge,
	.prepare = uapi_prepare,
	.shown = uapi_shown,
	.by_hand = uapi_by_hand,
};
