// SPDX-License-Identifier: GPL-2.0
/*
 * What a patch takes away: objects that may define or export less than before
 * are compiled on the parent too; who uses what is gone is compiled as well.
 */
#include <string.h>
#include "check.h"
#include "error.h"
#include "follow.h"
#include "impact.h"
#include "plan.h"
#include "run-int.h"
#include "symbols-int.h"
#include "toggle-run.h"

/* A name that is gone: of what image, and only its export perhaps. */
struct loss {
	struct view *view;
	const char *name;	/* interned */
	struct image image;
	bool export_only;
	bool gpl_only;		/* it stays, for GPL-compatible modules */
};

struct losing {
	struct symbols *s;
	unsigned int n;
	unsigned int before;	/* the step to compare with: n - 1, or the base
				   when all patches are judged at once */
	bool tip;		/* that is so */
	GPtrArray *jobs;	/* of the step */
	GArray *losses;		/* of struct loss */
	GHashTable *macros;	/* header path -> GHashTable of char * (owned):
				   macros that it changes; NULL: nothing */
};

static void add_defines(GHashTable *set, const char *shape, GHashTable *other,
			bool all)
{
	g_auto(GStrv) lines = g_strsplit(shape, "\n", -1);

	for (char **l = lines; *l; l++) {
		gsize n = 0;
		const char *name = *l + strlen("#define ");

		if (!g_str_has_prefix(*l, "#define ") ||
		    (!all && g_hash_table_contains(other, *l)))
			continue;
		while (is_word_char(name[n]))
			n++;
		g_hash_table_add(set, g_strndup(name, n));
	}
}

/* The lines of a shape; *@conditions: its #if lines as one text. */
static GHashTable *lines_of(const char *shape, GString *conditions)
{
	GHashTable *set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
						NULL);
	g_auto(GStrv) lines = g_strsplit(shape, "\n", -1);

	for (char **l = lines; *l; l++) {
		g_hash_table_add(set, g_strdup(*l));
		if (g_str_has_prefix(*l, "#if") || g_str_has_prefix(*l, "#el"))
			g_string_append(conditions, *l);
	}
	return set;
}

/* The macros that patch n changes in the header @path: with its conditions
 * all of them. */
static GHashTable *changed_macros(struct losing *lo, const char *path)
{
	GHashTable *set = g_hash_table_lookup(lo->macros, path);
	const char *was = symindex_shape(lo->s->index, path, lo->before);
	const char *is = symindex_shape(lo->s->index, path, lo->n);
	g_autoptr(GString) if_was = g_string_new(""), if_is = g_string_new("");
	g_autoptr(GHashTable) old = NULL, new = NULL;
	bool all;

	if (set)
		return set;
	set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	old = lines_of(was, if_was);
	new = lines_of(is, if_is);
	all = strcmp(if_was->str, if_is->str);
	add_defines(set, was, new, all);
	add_defines(set, is, old, all);
	g_hash_table_insert(lo->macros, g_strdup(path), set);
	return set;
}

static bool names_any(struct losing *lo, const char *source, GHashTable *macros)
{
	g_autoptr(GBytes) bytes = NULL;
	g_autoptr(GHashTable) words = NULL;
	GHashTableIter it;
	gpointer name;
	const char *text = NULL;
	gsize len;

	if (!g_hash_table_size(macros))
		return false;
	bytes = symindex_text(lo->s->index, source, lo->n);
	if (bytes)
		text = g_bytes_get_data(bytes, &len);
	if (!text)
		return false;
	words = symtext_words(text, len);
	g_hash_table_iter_init(&it, macros);
	while (g_hash_table_iter_next(&it, &name, NULL))
		if (g_hash_table_contains(words, name))
			return true;
	return false;
}

/* Does the patch change more of @path than bodies, for the TU @source? */
static bool is_reshaped(struct losing *lo, const char *path, const char *source)
{
	if (symbols_only_adds(symindex_shape(lo->s->index, path, lo->before),
			      symindex_shape(lo->s->index, path, lo->n)))
		return false;
	if (strcmp(path, source) && g_str_has_suffix(path, ".h"))
		return names_any(lo, source, changed_macros(lo, path));
	return true;
}

static bool reads(const struct job *job, const char *path)
{
	if (!strcmp(job->tu->source, path))
		return true;
	for (char **d = job->deps; d && *d; d++)
		if (!strcmp(*d, path))
			return true;
	return false;
}

static bool file_suspicious(struct losing *lo, const struct job *job)
{
	const struct diff *d = run_change(lo->s->run, lo->before, lo->n);

	for (guint i = 0; i < d->files->len; i++) {
		const struct file_diff *fd = d->files->pdata[i];

		if (fd->new_path && fd->old_path && reads(job, fd->new_path) &&
		    is_reshaped(lo, fd->new_path, job->tu->source))
			return true;
	}
	return false;
}

/*
 * Is something of the source's text not in the object, or compiled by the old
 * .config and not by the new one?
 */
static bool text_suspicious(struct losing *lo, const struct job *job)
{
	struct symindex *ix = lo->s->index;
	const struct variant *v = job->variant;
	struct run *run = lo->s->run;
	const struct symtext *t = symindex_scan(ix, job->tu->source, lo->n);
	bool other = strcmp(follow_odir(run, v, lo->n),
			    follow_odir(run, v, lo->before));

	for (guint i = 0; t && i < t->items->len; i++) {
		struct symindex_hit hit = { job->tu->source, job->tu->source, 0,
			&g_array_index(t->items, struct symtext_item, i),
			t->conditional };
		const char *name = hit.item->name;
		bool there = hit.item->kind == SYMTEXT_DEFINE ?
			elf_symbols_defines(job->symbols, name) :
			elf_symbols_exports(job->symbols, name) != NULL;

		if (there)
			continue;
		if (symindex_compiled(ix, v, &hit, lo->n) == 1 ||
		    (other && symindex_compiled(ix, v, &hit, lo->before)))
			return true;
	}
	return false;
}

static bool is_suspicious(struct losing *lo, const struct job *job)
{
	const struct tu *was = compdb_at(job->tu, lo->before);

	if (!job->symbols || !was)
		return false;
	return was != compdb_at(job->tu, lo->n) || file_suspicious(lo, job) ||
	       (g_str_has_suffix(job->tu->source, ".c") &&
		text_suspicious(lo, job));
}

/* Another object of the step that gives the same. */
static bool moved(struct losing *lo, struct view *view, const char *name,
		  const struct image *from, const struct elf_export *exported)
{
	struct world *w = symbols_world(lo->s, view->v, lo->n);
	const GPtrArray *givers = g_hash_table_lookup(w->givers, name);

	for (guint i = 0; givers && i < givers->len; i++) {
		const struct job *job = givers->pdata[i];
		struct image b = symbols_image(view, job->tu, lo->n);

		if (exported ? elf_symbols_gives(job->symbols, exported) :
		    image_shares(from, &b) &&
		    elf_symbols_defines(job->symbols, name))
			return true;
	}
	return false;
}

static void lose(struct losing *lo, struct view *view, const char *name,
		 const struct image *image, const struct elf_export *exported)
{
	struct elf_export gpl = exported ? *exported : (struct elf_export){ 0 };
	struct loss loss = { view, name, *image, exported };

	gpl.gpl = true;
	loss.gpl_only = exported && moved(lo, view, name, image, &gpl);

	g_array_append_val(lo->losses, loss);
	/* at once: any of the patches may have done it */
	if (!g_hash_table_contains(view->lost, name))
		g_hash_table_insert(view->lost, (char *)name,
				    GUINT_TO_POINTER(lo->before + 2));
}

/* The parent's object is not there for a reason other than its code. */
static void note_unread(struct losing *lo, struct view *view,
			const struct tu *tu)
{
	struct world *before = symbols_world(lo->s, view->v, lo->before);
	const struct job *job = g_hash_table_lookup(before->tried, tu);

	if (!job || job->symbols || (job_usable(job) && !job_lacks_file(job)))
		return;
	run_gap(lo->s->run, lo->n, view->v, tu->object, "what it no longer "
		"defines is not found out: its object on the parent could not "
		"be made");
}

/* What @tu gave on the parent and gives no more. */
static void compare(struct losing *lo, struct view *view, const struct tu *tu)
{
	struct world *before = symbols_world(lo->s, view->v, lo->before);
	struct world *now = symbols_world(lo->s, view->v, lo->n);
	const struct job *was = g_hash_table_lookup(before->jobs, tu);
	const struct job *is = g_hash_table_lookup(now->jobs, tu);
	struct image image = symbols_image(view, tu, lo->before);

	for (guint i = 0; was && i < was->symbols->defined->len; i++) {
		const char *name = was->symbols->defined->pdata[i];

		if (!(is && elf_symbols_defines(is->symbols, name)) &&
		    !moved(lo, view, name, &image, NULL))
			lose(lo, view, name, &image, NULL);
	}
	for (guint i = 0; was && i < was->symbols->exports->len; i++) {
		const struct elf_export *e = &g_array_index(
			was->symbols->exports, struct elf_export, i);

		if (!moved(lo, view, e->name, &image, e))
			lose(lo, view, e->name, &image, e);
	}
}

/* Objects that are made no more since this patch. */
static void add_gone(struct losing *lo, struct view *view, GPtrArray *tus)
{
	const GPtrArray *gone = view->v->db->gone;

	for (guint i = 0; i < gone->len; i++) {
		struct tu *tu = gone->pdata[i];

		if (tu->gone && tu->since > lo->before && compdb_at(tu, lo->before))
			g_ptr_array_add(tus, tu);
	}
}

static int compare_all(struct losing *lo, struct view *view, GError **error)
{
	g_autoptr(GPtrArray) tus = g_ptr_array_new();

	for (guint i = 0; i < lo->jobs->len; i++) {
		const struct job *job = lo->jobs->pdata[i];

		if (job->variant == view->v && is_suspicious(lo, job))
			g_ptr_array_add(tus, (gpointer)job->tu);
	}
	add_gone(lo, view, tus);
	if (symbols_compile(lo->s, view->v, tus, lo->before, error))
		return -1;
	for (guint i = 0; i < tus->len; i++) {
		note_unread(lo, view, tus->pdata[i]);
		compare(lo, view, tus->pdata[i]);
	}
	return 0;
}

/* Who mentions what is lost, through macros and inlines too. */
static struct impact *users(struct losing *lo, GError **error)
{
	struct run *run = lo->s->run;
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	g_autoptr(GPtrArray) archs = g_ptr_array_new();
	g_autoptr(GPtrArray) macros = g_ptr_array_new();
	g_autofree char *dir = g_build_filename(run->dir, "impact", NULL);

	for (guint i = 0; i < lo->losses->len; i++) {
		const struct loss *l = &g_array_index(lo->losses, struct loss, i);

		if (!g_ptr_array_find(names, l->name, NULL))
			g_ptr_array_add(names, (gpointer)l->name);
		if (!g_ptr_array_find(archs, l->view->v->arch->srcarch, NULL))
			g_ptr_array_add(archs,
					(gpointer)l->view->v->arch->srcarch);
	}
	g_ptr_array_add(archs, NULL);
	return impact_close_kept(dir, run_step(run, lo->n)->tree, run->graph,
				 run->cur, names, macros,
				 (const char *const *)archs->pdata, error);
}

/* May an object of @a use one of the losses on its variant? */
static bool may_use(const struct losing *lo, struct view *view,
		    const struct image *a)
{
	for (guint i = 0; i < lo->losses->len; i++) {
		const struct loss *l = &g_array_index(lo->losses, struct loss, i);

		if (l->view != view || (l->gpl_only &&
		    symbols_is_free(lo->s, symbols_world(lo->s, view->v, lo->n), a)))
			continue;
		if (l->export_only ? a->kind == IMAGE_MODULE :
		    symbols_gives(a, &l->image, true))
			return true;
	}
	return false;
}

/* Is there a job for it?  If by chance only, it is no chance now. */
static bool has_job(const struct losing *lo, const struct variant *v,
		    const struct tu *tu)
{
	for (guint i = 0; i < lo->jobs->len; i++) {
		struct job *job = lo->jobs->pdata[i];

		if (job->variant != v || job->tu != tu || job->header)
			continue;
		if (job->why == WHY_AUDIT)
			job->why = WHY_MENTION;
		return true;
	}
	return false;
}

static void add_users(struct losing *lo, struct view *view,
		      const struct impact *im, GHashTable *reach,
		      GPtrArray *fresh)
{
	struct run *run = lo->s->run;
	const GPtrArray *tus = view->v->db->tus;
	guint left = 0;

	for (guint i = 0; i < tus->len; i++) {
		const struct tu *tu = tus->pdata[i];
		struct image image;
		struct job *job;

		if (!g_hash_table_contains(im->sources, tu->source) &&
		    !g_hash_table_contains(reach, tu->source))
			continue;
		image = symbols_image(view, tu, lo->n);
		if (!may_use(lo, view, &image) || has_job(lo, view->v, tu))
			continue;
		if (!run->exhaustive && fresh->len >= run->reach_max) {
			left++;
			continue;
		}
		job = job_new(check_find("gcc"), view->v, tu, NULL, lo->n,
			      WHY_MENTION);
		job->cost = 2 + plan_cost(run, tu->source);
		if (toggle_room(view->v, fresh, job))
			g_ptr_array_add(fresh, job);
		else
			job_free(job);
	}
	if (left || im->capped) {
		g_autofree char *why = g_strdup_printf("'%s' is no longer "
			"defined or exported: not all that may use it were "
			"compiled", g_array_index(lo->losses, struct loss,
						  0).name);

		run_gap(run, lo->n, view->v, "symbols", why);
	}
}

/* Sources that reach a header which mentions a loss outside of any entity. */
static GHashTable *reaching(struct losing *lo, const struct view *view,
			    const struct impact *im)
{
	GHashTable *all = g_hash_table_new(g_str_hash, g_str_equal);
	GHashTableIter it, inner;
	gpointer header, path;

	g_hash_table_iter_init(&it, im->headers);
	while (g_hash_table_iter_next(&it, &header, NULL)) {
		g_autoptr(GHashTable) set = incgraph_reaching(lo->s->run->graph,
					header, view->v->arch->srcarch);

		g_hash_table_iter_init(&inner, set);
		while (g_hash_table_iter_next(&inner, &path, NULL))
			g_hash_table_add(all, path);
	}
	return all;
}

static int compile_users(struct losing *lo, GError **error)
{
	g_autoptr(GPtrArray) fresh = g_ptr_array_new();
	struct impact *im = users(lo, error);
	int ret = 0;

	if (!im)
		return -1;
	for (guint i = 0; i < lo->s->views->len; i++) {
		struct view *view = lo->s->views->pdata[i];
		g_autoptr(GHashTable) reach = reaching(lo, view, im);

		add_users(lo, view, im, reach, fresh);
	}
	impact_free(im);
	lo->s->extra += fresh->len;
	if (fresh->len)
		ret = run_compile(lo->s->run, fresh, lo->n, error);
	for (guint i = 0; i < fresh->len; i++) {
		g_ptr_array_add(lo->jobs, fresh->pdata[i]);
		symbols_add(lo->s, fresh->pdata[i]);
	}
	return ret;
}

/* What make said comes before the rest when all patches are judged at once. */
static bool is_of_make(const GPtrArray *jobs)
{
	for (guint i = 0; i < jobs->len; i++) {
		const struct job *job = jobs->pdata[i];

		if (strcmp(job->check->name, "kbuild"))
			return false;
	}
	return jobs->len > 0;
}

int symbols_lose(struct symbols *s, unsigned int n, GPtrArray *jobs,
		 GError **error)
{
	g_autoptr(GArray) losses = g_array_new(FALSE, FALSE, sizeof(struct loss));
	g_autoptr(GHashTable) macros = g_hash_table_new_full(g_str_hash,
		g_str_equal, g_free, (GDestroyNotify)g_hash_table_unref);
	struct losing lo = { .s = s, .n = n, .before = n - 1, .jobs = jobs,
			     .losses = losses, .macros = macros };
	const GPtrArray *variants = s->run->variants;

	lo.tip = variants->len && ((struct variant *)variants->pdata[0])->tip;
	if (lo.tip && (n < run_steps(s->run) || is_of_make(jobs)))
		return 0;
	if (lo.tip)
		lo.before = 0;
	for (guint i = 0; i < variants->len; i++) {
		struct view *view = symbols_view(s, variants->pdata[i]);

		if (compare_all(&lo, view, error))
			return -1;
	}
	return losses->len ? compile_users(&lo, error) : 0;
}
