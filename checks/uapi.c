// SPDX-License-Identifier: GPL-2.0
/*
 * uapi: a header as user space gets it, compiled alone and read by
 * headers_check.pl, as kbuild does with CONFIG_UAPI_HEADER_TEST.  Only it and
 * what it includes are installed.  The source of its jobs' TU is the header.
 */
#include "check.h"
#include "inst.h"
#include "uapi.h"

/*
 * What a job does, and `respin repro` too, which has no need.mk: then all is
 * installed.
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
	INST_UNIFDEF
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

static const char *const nothing[] = { NULL };

static const char *name_of(const struct job *job)
{
	return uapi_name(job->tu->source, job->variant->arch->srcarch);
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
	return inst_put(jobdir, "need.mk", mk->str, error) ||
	       inst_put(jobdir, "hdrtest.mk", makefile, error) ? -1 : 0;
}

static char **uapi_argv(const struct job *job, const char *srcdir,
			const char *jobdir)
{
	g_autofree char *file = g_build_filename(jobdir, "hdrtest.mk", NULL);

	return inst_argv(job, file, name_of(job), srcdir, jobdir, nothing);
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
		return diag_say(DIAG_ERROR, "uapi", "headers_install",
				g_str_has_prefix(file, srcdir) ?
				file + strlen(srcdir) + 1 : file, 0,
				g_steal_pointer(&what));
	g_free(file);
	file = g_match_info_fetch(m, 3);
	number = g_match_info_fetch(m, 4);
	return diag_say(DIAG_WARNING, "uapi", "headers_check", file,
			strtoul(number, NULL, 10), g_steal_pointer(&what));
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

static void uapi_judge(struct job *job, const struct proc_job *p,
		       const char *srcdir)
{
	static const char *const more[] = { "usr/include/Makefile",
		"scripts/headers_install.sh", NULL };
	g_autofree char *how = proc_job_describe(p);

	if (!check_ran(job, p))
		return;
	read_errors(job, p->err->str, srcdir);
	inst_set_deps(job, srcdir, name_of(job), more);
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
	return inst_argv(job, "-", name_of(job), srcdir, out, nothing);
}

static char *uapi_by_hand(const struct job *job)
{
	return g_strdup_printf("make ARCH=%s all, with CONFIG_UAPI_HEADER_TEST=y",
			       job->variant->arch->kernel_arch);
}

const struct check check_uapi = {
	.name = "uapi",
	.what = "headers for user space, each alone, as kbuild tests them",
	.version = "1",
	.argv = uapi_argv,
	.judge = uapi_judge,
	.prepare = uapi_prepare,
	.shown = uapi_shown,
	.by_hand = uapi_by_hand,
};
