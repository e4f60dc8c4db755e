// SPDX-License-Identifier: GPL-2.0
/*
 * What a file that is gone may have become.  libgit2 would compare it with all
 * 86,000 files of a kernel, which takes half a minute.  Here it is offered
 * those that git takes first (the same content; then the only file of that
 * name, when it is similar enough), else the nearest ones by directory, as
 * many as may be read in a second.  In a tree that is smaller these are all.
 */
#include <git2/sys/hashsig.h>
#include <sys/stat.h>
#include "apply-internal.h"

#define NEAREST		4000		/* files for each that is gone */
#define HEADERS_MAX	12000		/* objects whose size is asked, in all */
#define BYTES_MAX	(32 << 20)	/* of all files that are offered */
#define SURE		75		/* % that the only file of a name needs */

struct search {
	struct repo *r;
	git_odb *odb;
	GPtrArray *files;	/* of struct change: what is in ours */
	GHashTable *sizes;	/* path -> gsize *, of those that were asked */
	GHashTable *cut;	/* out */
	gsize bytes;		/* of what was offered */
};

struct near {
	const struct change *file;
	unsigned int far;	/* directories up and down between the two */
};

static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static unsigned int distance(const char *a, const char *b)
{
	unsigned int far = 0;
	gsize i = 0, shared = 0;

	for (; a[i] && a[i] == b[i]; i++)
		if (a[i] == '/')
			shared = i + 1;
	for (const char *p = a + shared; *p; p++)
		far += *p == '/';
	for (const char *p = b + shared; *p; p++)
		far += *p == '/';
	return far;
}

static gint by_distance(gconstpointer a, gconstpointer b)
{
	const struct near *x = a, *y = b;

	if (x->far != y->far)
		return x->far < y->far ? -1 : 1;
	return strcmp(x->file->path, y->file->path);
}

static void offer(struct search *s, const struct change *c)
{
	if (!g_hash_table_contains(s->cut, c->path))
		changes_set(s->cut, c->path, &c->blob, c->mode);
}

/* In bytes; 0: not known, or more was asked than is worth the time. */
static gsize size_of(struct search *s, const struct change *c)
{
	gsize *known = g_hash_table_lookup(s->sizes, c->path);
	git_object_t type;

	if (!known && g_hash_table_size(s->sizes) < HEADERS_MAX) {
		known = g_new0(gsize, 1);
		if (git_odb_read_header(known, &type, s->odb, &c->blob) < 0)
			*known = 0;
		g_hash_table_insert(s->sizes, c->path, known);
	}
	return known ? *known : 0;
}

static git_hashsig *signature(struct search *s, const git_oid *id)
{
	git_hashsig *sig = NULL;
	git_blob *b;

	if (git_blob_lookup(&b, s->r->git, id) < 0)
		return NULL;
	if (git_hashsig_create(&sig, git_blob_rawcontent(b),
			       git_blob_rawsize(b),
			       GIT_HASHSIG_SMART_WHITESPACE) < 0)
		sig = NULL;
	git_blob_free(b);
	return sig;
}

static bool surely_same(struct search *s, const struct change *a,
			const struct change *b)
{
	git_hashsig *x = signature(s, &a->blob), *y = signature(s, &b->blob);
	bool sure = x && y && git_hashsig_compare(x, y) >= SURE;

	git_hashsig_free(x);
	git_hashsig_free(y);
	return sure;
}

/* The same content, or the only file of the name: nothing else is looked at. */
static bool offer_sure(struct search *s, const struct change *gone)
{
	static const char empty[] = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
	const struct change *only = NULL;
	unsigned int named = 0;
	bool exact = false;

	/* All empty files are the same: git sees no rename in it. */
	if (!git_oid_streq(&gone->blob, empty))
		return true;
	for (guint i = 0; i < s->files->len; i++) {
		const struct change *c = s->files->pdata[i];

		if (git_oid_equal(&c->blob, &gone->blob)) {
			offer(s, c);
			exact = true;
		}
		if (!strcmp(name_of(c->path), name_of(gone->path))) {
			only = c;
			named++;
		}
	}
	if (exact || named != 1 || !surely_same(s, gone, only))
		return exact;
	offer(s, only);
	return true;
}

/* A file of less than half or more than twice the size is another one. */
static void offer_plausible(struct search *s, const struct change *gone,
			    const struct change *c, gsize want)
{
	gsize size;

	if (g_hash_table_contains(s->cut, c->path))
		return;
	size = size_of(s, c);
	if (!size || size < want / 2 || size / 2 > want ||
	    s->bytes + size > BYTES_MAX)
		return;
	s->bytes += size;
	offer(s, c);
}

static void offer_nearest(struct search *s, const struct change *gone)
{
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(struct near));
	gsize want = size_of(s, gone);

	if (!want)
		return;
	for (guint i = 0; i < s->files->len; i++) {
		struct near n = { .file = s->files->pdata[i] };

		/* Who moves a file mostly keeps its name. */
		if (strcmp(name_of(n.file->path), name_of(gone->path)))
			n.far = 1 + distance(n.file->path, gone->path);
		g_array_append_val(all, n);
	}
	g_array_sort(all, by_distance);
	for (guint i = 0; i < MIN(all->len, NEAREST); i++)
		offer_plausible(s, gone, g_array_index(all, struct near, i).file,
				want);
}

int rename_offer(struct repo *r, git_tree *ours, GHashTable *gone,
		 GHashTable *cut, GError **error)
{
	GHashTable *files = changes_new();
	struct search s = { .r = r, .cut = cut };
	int ret = changes_of(r, ours, files, error);
	GHashTableIter it;
	gpointer c;

	if (!ret && git_repository_odb(&s.odb, r->git) < 0)
		ret = repo_git_error(r, -1, error, "cannot read '%s'", r->path);
	s.files = g_ptr_array_new();
	s.sizes = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	g_hash_table_iter_init(&it, files);
	while (g_hash_table_iter_next(&it, NULL, &c))
		if (S_ISREG(((struct change *)c)->mode) &&
		    !g_hash_table_contains(cut, ((struct change *)c)->path))
			g_ptr_array_add(s.files, c);
	g_hash_table_iter_init(&it, gone);
	while (!ret && g_hash_table_iter_next(&it, NULL, &c))
		if (!offer_sure(&s, c))
			offer_nearest(&s, c);
	g_ptr_array_unref(s.files);
	g_hash_table_unref(s.sizes);
	g_hash_table_unref(files);
	git_odb_free(s.odb);
	return ret;
}
