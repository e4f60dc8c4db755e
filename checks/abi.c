// SPDX-License-Identifier: GPL-2.0
/*
 * abi: the types of a header as user space gets it, against those of the base,
 * as scripts/check-uapi.sh does for two commits: that needs a repository, takes
 * hours for all headers of all patches, and abidiff pairs enums without a name
 * by their order.  So both sides are laid out by abidw and compared here.
 *
 * The TU of its jobs has in values where the headers of the base are, and the
 * installed name.  What differs from the base stands at every later step too.
 */
#include <string.h>
#include "abi.h"
#include "check.h"
#include "error.h"
#include "inst.h"
#include "uapi.h"

/* What a job does; and `respin repro`, which gets the names by its command line
 * and lets abidiff show it. */
static const char makefile[] =
	"dirs = $(1)/include/uapi $(1)/arch/$(SRCARCH)/include/uapi"
	" $(GEN)/include/generated/uapi"
	" $(GEN)/arch/$(SRCARCH)/include/generated/uapi\n"
	"find = $(firstword $(wildcard $(addsuffix /$(2).h,$(call dirs,$(1)))))\n"
	"all: $(GOAL)\n"
	"-include $(OUT)/need.mk\n"
	"was is: %: $(OUT)/%.so\n"
	"\t@echo 'respin: $@'\n"
	"\t@abidw --load-all-types --no-corpus-path --no-comp-dir-path $<\n"
	"diff: $(OUT)/was.so $(OUT)/is.so\n"
	"\tabidiff --non-reachable-types $^\n"
	INST_UNIFDEF
	"$(OUT)/was/%.h: $(OUT)/scripts/unifdef\n"
	"\t@mkdir -p $(@D)\n"
	"\t@cd $(OUT) && sh $(SRC)/scripts/headers_install.sh"
	" $(call find,$(BASE),$*) $@\n"
	"$(OUT)/is/%.h: $(OUT)/scripts/unifdef\n"
	"\t@mkdir -p $(@D)\n"
	"\t@cd $(OUT) && sh $(SRC)/scripts/headers_install.sh"
	" $(call find,$(SRC),$*) $@\n"
	"$(OUT)/was.so: $(NEED_was:%=$(OUT)/was/%)\n"
	"$(OUT)/is.so: $(NEED_is:%=$(OUT)/is/%)\n"
	"$(OUT)/%.so:\n"
	"\t@mkdir -p $(OUT)/$* && cd $(OUT)/$* &&"
	" echo 'int f(void) { return 0; }' |"
	" $(CC) $(MODE) -w -g -O0 -shared"
	" -nostdlib -fPIC -fno-eliminate-unused-debug-types"
	" -fdiagnostics-color=never -fmessage-length=0"
	" -I . -I $(SRC)/usr/dummy-include -include $(H) -o $@ -x c -\n";

static const char *base_of(const struct job *job)
{
	return job->tu->values[0];
}

static const char *name_of(const struct job *job)
{
	return job->tu->values[1];
}

/* A file of the base into the directory of the job: it sees no other. */
static int copy(const char *from, const char *jobdir, const char *path,
		GError **error)
{
	g_autofree char *source = g_build_filename(from, path, NULL);
	g_autofree char *to = g_build_filename(jobdir, "base", path, NULL);
	g_autofree char *dir = g_path_get_dirname(to);
	g_autofree char *text = NULL;
	gsize len;

	if (!g_mkdir_with_parents(dir, 0755) &&
	    g_file_get_contents(source, &text, &len, NULL) &&
	    g_file_set_contents(to, text, len, NULL))
		return 0;
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO,
		    "cannot copy '%s' to '%s'", source, to);
	return -1;
}

static int add_need(GString *mk, const struct job *job, const char *srcdir,
		    const char *side, const char *copies, GError **error)
{
	const struct variant *v = job->variant;
	g_autoptr(GHashTable) need = uapi_closure(srcdir, v->odir,
					v->arch->srcarch, name_of(job));
	GHashTableIter it;
	gpointer name;
	int ret = 0;

	g_string_append_printf(mk, "NEED_%s :=", side);
	g_hash_table_iter_init(&it, need);
	while (!ret && g_hash_table_iter_next(&it, &name, NULL)) {
		g_autofree char *path = uapi_source(srcdir, v->odir,
						    v->arch->srcarch, name);

		g_string_append_printf(mk, " %s", (char *)name);
		if (copies && !g_str_has_prefix(path, "O/"))
			ret = copy(srcdir, copies, path, error);
	}
	g_string_append_c(mk, '\n');
	return ret;
}

static int abi_prepare(const struct job *job, const char *srcdir,
		       const char *jobdir, GError **error)
{
	g_autoptr(GString) mk = g_string_new("");

	if (add_need(mk, job, base_of(job), "was", jobdir, error) ||
	    add_need(mk, job, srcdir, "is", NULL, error) ||
	    inst_put(jobdir, "need.mk", mk->str, error))
		return -1;
	return inst_put(jobdir, "abi.mk", makefile, error);
}

static char **abi_argv(const struct job *job, const char *srcdir,
		       const char *jobdir)
{
	g_autofree char *file = g_build_filename(jobdir, "abi.mk", NULL);
	g_autofree char *base = g_strconcat("BASE=", jobdir, "/base", NULL);
	const char *more[] = { "GOAL=was is", base, NULL };

	return inst_argv(job, file, name_of(job), srcdir, jobdir, more);
}

/* "linux/x.h" to where it is, or was on the base. */
static void place(struct diag *d, const struct job *job, const char *srcdir)
{
	const struct variant *v = job->variant;
	char *path = uapi_source(srcdir, v->odir, v->arch->srcarch, d->file);

	if (!path)
		path = uapi_source(base_of(job), v->odir, v->arch->srcarch,
				   d->file);
	for (guint i = 0; path && i < d->notes->len; i++) {
		char *note = d->notes->pdata[i];

		d->notes->pdata[i] = g_strconcat(path, strchr(note, ':'), NULL);
		g_free(note);
	}
	if (path) {
		g_free(d->file);
		d->file = path;
	}
	for (guint i = 0; i < d->follow_ons->len; i++)
		place(d->follow_ons->pdata[i], job, srcdir);
}

static struct diag *header_gone(const struct job *job)
{
	return diag_say(DIAG_WARNING, "uapi", "removed", name_of(job), 0,
			g_strdup_printf("<%s> is installed no more",
					name_of(job)));
}

/* The corpus of @side in what was printed; NULL: there is none. */
static struct abi *corpus(const char *text, const char *side, GError **error)
{
	g_autofree char *mark = g_strdup_printf("respin: %s\n", side);
	const char *start = strstr(text, mark), *end;

	start = start ? start + strlen(mark) : NULL;
	end = start ? strstr(start, "</abi-corpus>") : NULL;
	if (!end) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TOOL,
			    "abidw wrote nothing");
		return NULL;
	}
	return abi_parse(start, end + strlen("</abi-corpus>") - start, error);
}

/* What comes without @xml: the first that was said about it. */
static void cannot(struct job *job, const char *when, const char *text,
		   const char *srcdir, const GError *error)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_autofree char *reason = NULL;
	const char *why = error->message;

	for (char **l = lines; *l; l++) {
		const char *mark = strstr(*l, "error: ");

		if (!mark)
			continue;
		why = mark + strlen("error: ");
		if (g_str_has_prefix(why, srcdir))
			why += strlen(srcdir) + 1;
		break;
	}
	if (strstr(text, "abidw: not found"))
		why = "abidw is not there; install 'abigail-tools'";
	reason = g_strdup_printf("its types could not be compared: %s: %s", when,
				 why);
	job_set_outcome(job, OUTCOME_ERROR, reason);
}

/* Also where it would be if it is not there. */
static void set_deps(struct job *job, const char *srcdir)
{
	g_autofree char *common = g_build_filename("include/uapi", name_of(job),
						   NULL);
	g_autofree char *own = g_build_filename("arch",
			job->variant->arch->srcarch, "include/uapi",
			name_of(job), NULL);
	const char *more[] = { common, own, "scripts/headers_install.sh", NULL };

	inst_set_deps(job, srcdir, name_of(job), more);
}

static void abi_judge(struct job *job, const struct proc_job *p,
		      const char *srcdir)
{
	const struct variant *v = job->variant;
	g_autofree char *there = uapi_source(srcdir, v->odir, v->arch->srcarch,
					     name_of(job));
	g_autoptr(GError) error = NULL;
	struct abi *was = NULL, *is = NULL;

	if (!check_ran(job, p))
		return;
	set_deps(job, srcdir);
	was = there ? corpus(p->out->str, "was", &error) : NULL;
	is = was ? corpus(p->out->str, "is", &error) : NULL;
	if (!there) {
		job->diags = diag_array_new();
		g_ptr_array_add(job->diags, header_gone(job));
	} else if (is) {
		job->diags = abi_diags(was, is, name_of(job));
	} else {
		cannot(job, was ? "with this patch" : "without the series",
		       p->err->str, srcdir, error);
	}
	abi_free(was);
	abi_free(is);
	if (!job->diags || job->done)
		return;
	for (guint i = 0; i < job->diags->len; i++)
		place(job->diags->pdata[i], job, srcdir);
	job_set_outcome(job, job->diags->len ? OUTCOME_FINDINGS : OUTCOME_PASS,
			NULL);
}

/* The installed names of the headers that the job read. */
static char *names_read(const struct job *job)
{
	static const char made[] = "generated/uapi/";
	GString *list = g_string_new("NEED_is=");

	for (char **d = job->deps; d && *d; d++) {
		const char *name = uapi_name(*d, job->variant->arch->srcarch);
		const char *mark = strstr(*d, made);

		if (!name && g_str_has_prefix(*d, "O/") && mark)
			name = mark + strlen(made);
		if (name && !strstr(list->str, name))
			g_string_append_printf(list, " %s", name);
	}
	return g_string_free(list, FALSE);
}

static char *names_of_base(const struct job *job)
{
	const struct variant *v = job->variant;
	g_autoptr(GHashTable) need = uapi_closure(base_of(job), v->odir,
					v->arch->srcarch, name_of(job));
	g_autofree gpointer *names = g_hash_table_get_keys_as_array(need, NULL);
	g_autofree char *list = g_strjoinv(" ", (char **)names);

	return g_strconcat("NEED_was=", list, NULL);
}

static char **abi_shown(const struct job *job, const struct diag *d,
			const char *srcdir, char **input)
{
	g_autofree char *beside = g_path_get_dirname(job->variant->odir);
	g_autofree char *out = g_build_filename(beside, "abi", NULL);
	g_autofree char *base = g_strconcat("BASE=", base_of(job), NULL);
	g_autofree char *was = names_of_base(job), *is = names_read(job);
	const char *more[] = { "GOAL=diff", base, was, is, "-B", NULL };

	*input = g_strdup(makefile);
	return inst_argv(job, "-", name_of(job), srcdir, out, more);
}

static char *abi_by_hand(const struct job *job)
{
	return g_strdup_printf("ARCH=%s scripts/check-uapi.sh",
			       job->variant->arch->srcarch);
}

const struct check check_abi = {
	.name = "abi",
	.what = "types of headers for user space that change",
	.version = "1",
	.argv = abi_argv,
	.judge = abi_judge,
	.prepare = abi_prepare,
	.shown = abi_shown,
	.by_hand = abi_by_hand,
};
