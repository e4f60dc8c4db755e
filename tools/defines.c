// SPDX-License-Identifier: GPL-2.0
#include <glib/gstdio.h>

#include "check.h"
#include "defines.h"

static void define_free(struct define *d)
{
	g_free(d->file);
	g_free(d->value);
	g_free(d);
}

/* # 12 "/src/include/linux/mm.h" 1 3 */
static bool read_marker(const char *line, const char *srcdir, char **file,
			unsigned int *at)
{
	const char *quote = strchr(line, '"'), *end;
	gsize n = strlen(srcdir);

	if (!g_ascii_isdigit(line[2]) || !quote || !(end = strchr(quote + 1, '"')))
		return false;
	*at = strtoul(line + 2, NULL, 10);
	g_free(*file);
	if (!strncmp(quote + 1, srcdir, n) && quote[1 + n] == '/')
		quote += n + 1;
	*file = quote[1] == '<' ? g_strdup("") :
		g_strndup(quote + 1, end - quote - 1);
	return true;
}

static void read_define(GHashTable *all, const char *line, const char *file,
			unsigned int at)
{
	const char *name = line + strlen("#define ");
	gsize n = strcspn(name, " (\t");
	struct define *d = g_new0(struct define, 1);

	d->file = g_strdup(file);
	d->line = at;
	d->value = g_strstrip(g_strdup(name + n));
	g_hash_table_replace(all, g_strndup(name, n), d);
}

GHashTable *defines_parse(const char *text, const char *srcdir)
{
	GHashTable *all = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
						(GDestroyNotify)define_free);
	g_autofree char *file = g_strdup("");
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	unsigned int at = 0;

	for (char **l = lines; *l; l++, at++) {
		if (g_str_has_prefix(*l, "# ") &&
		    read_marker(*l, srcdir, &file, &at))
			at--;	/* the marker is about the line after it */
		else if (g_str_has_prefix(*l, "#define "))
			read_define(all, *l, file, at);
		else if (g_str_has_prefix(*l, "#undef "))
			g_hash_table_remove(all, g_strstrip(*l + 7));
	}
	return all;
}

char *defines_text(struct runner *r, const struct job *job, const char *srcdir)
{
	g_autofree char *dir = g_build_filename(r->tmpdir, "defines", NULL);
	g_autofree char *probe = g_build_filename(dir, "probe.c", NULL);
	g_autofree char *object = g_build_filename(dir, "o.o", NULL);
	g_autofree char *text = job->header ?
		probe_text(job->header, srcdir) : NULL;
	g_auto(GStrv) argv = NULL;
	struct proc_job *p;
	char *printed = NULL;
	guint n;

	g_mkdir_with_parents(dir, 0755);
	if (text && !g_file_set_contents(probe, text, -1, NULL))
		return NULL;
	argv = job->check->argv(job, srcdir, dir);
	n = g_strv_length(argv);
	argv = g_renew(char *, argv, n + 3);
	argv[n++] = g_strdup("-E");
	argv[n++] = g_strdup("-dD");
	argv[n] = NULL;
	p = proc_job_new(sandbox_argv(r->sandbox, argv, job->variant->odir,
		(const char *const[]){ srcdir, job->variant->odir,
				       job->variant->tooldir, NULL },
		(const char *const[]){ dir, NULL }, NULL));
	p->seconds = r->seconds;
	proc_run(p);
	/* It goes where the object would have gone. */
	if (p->end != PROC_EXITED || p->status ||
	    !g_file_get_contents(object, &printed, NULL, NULL))
		printed = NULL;
	g_unlink(object);
	proc_job_free(p);
	return printed;
}

GHashTable *defines_read(struct runner *r, const struct job *job,
			 const char *srcdir)
{
	g_autofree char *text = defines_text(r, job, srcdir);

	return text ? defines_parse(text, srcdir) : NULL;
}
