// SPDX-License-Identifier: GPL-2.0
/*
 * asm-offsets.h, bounds.h and their like are made of what the compiler prints
 * of a C file ("->NAME VALUE TEXT" in its assembler output).  The C file is
 * compiled as a TU is; only when these lines are others is make asked, which
 * takes much longer.
 */
#include <string.h>
#include "follow-int.h"
#include "kbuild-int.h"
#include "run-keep.h"

#define MARK		"->"
#define SECONDS		300

/* The dependencies that kbuild noted when it made @tu; NULL: not made. */
static char *read_deps(const struct follow_work *w, const struct tu *tu)
{
	g_autofree char *dir = g_path_get_dirname(tu->object);
	g_autofree char *base = g_path_get_basename(tu->object);
	g_autofree char *name = g_strdup_printf(".%s.cmd", base);
	g_autofree char *path = g_build_filename(w->v->odir, dir, name, NULL);
	char *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) ? text : NULL;
}

/* Does a .cmd file name @path, as "  /src/include/x.h \" or "include/x.h"? */
static bool names(const char *deps, const char *path)
{
	gsize n = strlen(path);

	for (const char *p = deps; path && (p = strstr(p, path)); p += n)
		if ((p == deps || strchr("/ \t", p[-1])) &&
		    (!p[n] || strchr(" \\\n", p[n])))
			return true;
	return false;
}

static bool is_touched(const struct follow_work *w, const char *deps)
{
	const struct diff *d = run_change(w->run, w->n - 1, w->n);

	for (guint i = 0; i < d->files->len; i++) {
		const struct file_diff *fd = d->files->pdata[i];

		if ((fd->old_path && names(deps, fd->old_path)) ||
		    (fd->new_path && names(deps, fd->new_path)))
			return true;
	}
	return false;
}

char *follow_offset_lines(const char *text)
{
	g_autoptr(GString) s = g_string_new("");
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **l = lines; *l; l++) {
		const char *p = strstr(*l, MARK);

		if (p)
			g_string_append_printf(s, "%s\n", p);
	}
	return g_strdup(s->str);
}

static char *lines_of(const char *path)
{
	g_autofree char *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) ?
		follow_offset_lines(text) : NULL;
}

/*
 * Did the compiler refuse it?  Whatever else went wrong may be well next time.
 * "fatal error: error writing to" is no word on the source.
 */
static bool is_refused(const struct proc_job *j)
{
	return j->end == PROC_EXITED && j->status == 1 &&
	       strstr(j->err->str, ": error: ");
}

/*
 * What @tu of @step says, compiled from @srcdir; NULL: it does not compile,
 * and @sure that it never will.
 */
static char *compile(const struct follow_work *w, const struct tu *tu,
		     const char *srcdir, unsigned int step, bool *sure)
{
	g_autofree char *top = g_path_get_dirname(w->v->odir);
	g_autofree char *dir = g_build_filename(top, "offsets", NULL);
	g_autofree char *object = g_build_filename(dir, "o.o", NULL);
	g_autofree char *dep = g_build_filename(dir, "o.d", NULL);
	const struct tu *at = compdb_at(tu, step);
	const char *ro[] = { srcdir, w->v->odir, w->v->tooldir, NULL };
	const char *rw[] = { dir, NULL };
	g_auto(GStrv) argv = NULL;
	char *lines = NULL;
	struct proc_job *j;

	*sure = false;
	if (!at || g_mkdir_with_parents(dir, 0755))
		return NULL;
	argv = compdb_argv(w->v->db, at, srcdir, object, dep, NULL);
	j = proc_job_new(sandbox_argv(w->run->kbuild->sandbox, argv, w->v->odir,
				      ro, rw, NULL));
	j->seconds = SECONDS;
	proc_run(j);
	if (kbuild_ok(j))
		lines = lines_of(object);
	*sure = lines || is_refused(j);
	proc_job_free(j);
	remove_tree(dir, NULL);
	return lines;
}

/* The same, from an earlier run where it is kept: a first byte, '+' for lines
 * and '-' for none, then the lines. */
static char *ask(const struct follow_work *w, const struct tu *tu,
		 const char *srcdir, unsigned int step)
{
	g_autoptr(GChecksum) key = run_keep_key("offsets", w->run, w->v, step);
	g_autoptr(GBytes) kept = NULL;
	g_autofree char *text = NULL;
	char *lines;
	gsize len;
	bool sure;

	kept_add(key, run_step(w->run, 0)->tree);
	run_keep_add_tu(key, w->v->db, tu, step);
	kept = run_keep_get(w->run, key);
	if (kept) {
		text = g_bytes_unref_to_data(g_steal_pointer(&kept), &len);
		if (len)
			return *text == '+' ? g_strndup(text + 1, len - 1) : NULL;
	}
	lines = compile(w, tu, srcdir, step, &sure);
	if (!sure)
		return lines;
	text = g_strconcat(lines ? "+" : "-", lines, NULL);
	kept = g_bytes_new(text, strlen(text));
	run_keep_put(w->run, key, kept);
	return lines;
}

/*
 * What does not compile is planned: the job says why.  @made: its text stands
 * in O=; else the step before is compiled as well.
 */
static enum offsets moves(struct follow_work *w, struct tu *tu, bool made)
{
	g_autofree char *old = g_build_filename(w->v->odir, tu->object, NULL);
	g_autofree char *was = made ? lines_of(old) :
			       ask(w, tu, w->run->prev, w->n - 1);
	g_autofree char *is = ask(w, tu, w->run->cur, w->n);
	struct follow_item item = { w->v, tu };

	if (!is)
		g_array_append_val(w->out->items, item);
	if (!g_strcmp0(was, is))
		return OFFSETS_SAME;
	if (is)
		return OFFSETS_MOVE;
	g_ptr_array_add(w->failed, g_strdup(tu->object));
	return OFFSETS_FAIL;
}

/* The same of one that `prepare` does not make: by the text of #include lines. */
static bool may_read(const struct follow_work *w, const struct tu *tu)
{
	const struct diff *d = run_change(w->run, w->n - 1, w->n);

	for (guint i = 0; i < d->files->len; i++) {
		const char *path = file_diff_path(d->files->pdata[i]);
		g_autoptr(GHashTable) reach = incgraph_reaching(w->run->graph,
					path, w->v->arch->srcarch);

		if (!strcmp(path, tu->source) ||
		    g_hash_table_contains(reach, tu->source))
			return true;
	}
	return false;
}

/* An object that `prepare` links into something, the vDSO. */
static bool is_prepared(const struct follow_work *w, const struct tu *tu)
{
	const struct diff *d = run_change(w->run, w->n - 1, w->n);
	g_autofree char *path = NULL;
	bool touched = false;

	for (guint i = 0; i < d->files->len && !touched; i++)
		touched = !strcmp(file_diff_path(d->files->pdata[i]),
				  tu->source);
	if (!touched)
		return false;
	path = g_build_filename(w->v->odir, tu->object, NULL);
	return g_file_test(path, G_FILE_TEST_EXISTS);
}

/* Of one that is not made yet make is to be asked what is made of it. */
static enum offsets offsets_move(struct follow_work *w, struct tu *tu)
{
	g_autofree char *deps = read_deps(w, tu);

	if (deps)
		return is_touched(w, deps) ? moves(w, tu, true) : OFFSETS_SAME;
	if (may_read(w, tu) && moves(w, tu, false))
		g_ptr_array_add(w->others, tu->source);
	return OFFSETS_SAME;
}

enum offsets follow_offsets_move(struct follow_work *w)
{
	enum offsets most = OFFSETS_SAME;

	for (guint i = 0; i < w->v->db->tus->len; i++) {
		struct tu *tu = w->v->db->tus->pdata[i];
		enum offsets one = OFFSETS_SAME;

		/* modpost alone reads what is made of those below scripts/ */
		if (g_str_has_prefix(tu->object, "scripts/") ||
		    !compdb_at(tu, w->n))
			continue;
		if (g_str_has_suffix(tu->object, ".s"))
			one = offsets_move(w, tu);
		else if (is_prepared(w, tu))
			one = OFFSETS_MOVE;
		most = MAX(most, one);
	}
	return most;
}
