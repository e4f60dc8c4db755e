// SPDX-License-Identifier: GPL-2.0
/* One diff onto one tree, file by file; as git-apply(1) --index. */
#include <sys/stat.h>
#include "apply-internal.h"
#include "binary.h"
#include "hunk.h"

struct work {
	struct attempt *a;
	git_tree *base;
	GHashTable *changes;	/* what the files before have become */
	GHashTable *leaving;	/* old paths that this diff deletes or renames */
	const char *path;	/* the file being worked on */
};

/* One side of a file. */
struct image {
	GBytes *bytes;
	git_oid blob;
	unsigned int mode;	/* 0: there is none */
};

static void image_clear(struct image *i)
{
	g_clear_pointer(&i->bytes, g_bytes_unref);
}

G_GNUC_PRINTF(3, 4)
static int fail(struct work *w, GError **error, const char *fmt, ...)
{
	g_autofree char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = g_strdup_vprintf(fmt, ap);
	va_end(ap);
	g_free(w->a->path);
	w->a->path = g_strdup(w->path);
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_APPLY, "%s: %s", w->path,
		    text);
	return -1;
}

/*
 * The entry at @path now, or in the base (@from_base: what a rename or copy
 * starts from, whatever the order of the files).  mode 0: none.
 */
static void find(struct work *w, const char *path, bool from_base,
		 git_oid *blob, unsigned int *mode)
{
	const struct change *c = g_hash_table_lookup(w->changes, path);
	g_autoptr(git_tree_entry) e = NULL;

	*mode = 0;
	if (c && !from_base) {
		*blob = c->blob;
		*mode = c->mode;
	} else if (!git_tree_entry_bypath(&e, w->base, path)) {
		*blob = *git_tree_entry_id(e);
		*mode = git_tree_entry_filemode(e);
	}
}

static int load(struct work *w, const char *path, bool from_base,
		struct image *out, GError **error)
{
	g_autoptr(git_blob) b = NULL;
	int err;

	find(w, path, from_base, &out->blob, &out->mode);
	if (!out->mode || S_ISDIR(out->mode))
		return fail(w, error, out->mode ? "is a directory" :
			    "is not in the tree");
	if (out->mode == GIT_FILEMODE_COMMIT)
		return fail(w, error, "is a submodule, which respin does not patch");
	err = git_blob_lookup(&b, w->a->r->git, &out->blob);
	if (err < 0)
		return repo_git_error(w->a->r, err, error, "cannot read '%s'",
				      path);
	out->bytes = g_bytes_new(git_blob_rawcontent(b), git_blob_rawsize(b));
	return 0;
}

/* Through a symlink a patch would write to another place than it says. */
static int check_parents(struct work *w, const char *path, GError **error)
{
	const char *slash;

	for (slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		g_autofree char *dir = g_strndup(path, slash - path);
		unsigned int mode;
		git_oid blob;

		find(w, dir, false, &blob, &mode);
		if (S_ISLNK(mode))
			return fail(w, error, "goes through the symlink '%s'",
				    dir);
	}
	return 0;
}

/* May @path be created? */
static int check_absent(struct work *w, const char *path, GError **error)
{
	unsigned int mode;
	git_oid blob;

	find(w, path, false, &blob, &mode);
	if (!mode || S_ISDIR(mode) || g_hash_table_contains(w->leaving, path))
		return 0;
	return fail(w, error, "already is in the tree");
}

/* Every line of @bytes ends in CR LF, and there is one. */
static bool is_crlf(GBytes *bytes)
{
	gsize size, i;
	const char *p = g_bytes_get_data(bytes, &size);

	for (i = 0; i < size; i++)
		if (p[i] == '\n' && (!i || p[i - 1] != '\r'))
			return false;
	return size && memchr(p, '\n', size);
}

/* The hunks of @fd with CR LF line ends; NULL: some line has a CR already. */
static struct file_diff *with_crlf(const struct file_diff *fd, GStringChunk *mem)
{
	struct file_diff *out = file_diff_new();
	guint i, k;

	for (i = 0; i < fd->hunks->len; i++) {
		const struct hunk *from = fd->hunks->pdata[i];
		struct hunk *h = hunk_new();

		g_array_append_vals(h->lines, from->lines->data,
				    from->lines->len);
		h->old_start = from->old_start;
		h->old_count = from->old_count;
		h->new_start = from->new_start;
		h->new_count = from->new_count;
		g_ptr_array_add(out->hunks, h);
		for (k = 0; k < h->lines->len; k++) {
			struct diff_line *l =
				&g_array_index(h->lines, struct diff_line, k);
			g_autofree char *text = NULL;

			if (memchr(l->text, '\r', l->len)) {
				file_diff_free(out);
				return NULL;
			}
			if (l->no_eol)
				continue;
			text = g_malloc(l->len + 1);
			memcpy(text, l->text, l->len - 1);
			text[l->len - 1] = '\r';
			text[l->len] = '\n';
			l->text = g_string_chunk_insert_len(mem, text, ++l->len);
		}
	}
	return out;
}

/* A mail's way takes the CRs of a CRLF file away (git am without --keep-cr). */
static GBytes *hunks_crlf(struct work *w, const struct file_diff *fd,
			  GBytes *old, int *moved)
{
	GStringChunk *mem;
	struct file_diff *crlf;
	struct hunk_miss miss = { 0 };
	GBytes *out = NULL;

	if (w->a->keep_cr || !is_crlf(old))
		return NULL;
	mem = g_string_chunk_new(4096);
	crlf = with_crlf(fd, mem);
	if (crlf) {
		out = hunk_apply(crlf, old, w->a->fuzz, moved, &miss);
		hunk_miss_clear(&miss);
		file_diff_free(crlf);
	}
	g_string_chunk_free(mem);
	if (out)
		g_ptr_array_add(w->a->notes,
				g_strdup_printf("%s: CRLF line ends restored, which the mail "
						"had lost (git am needs --keep-cr)",
						w->path));
	return out;
}

static GBytes *hunks(struct work *w, const struct file_diff *fd, GBytes *old,
		     GError **error)
{
	struct hunk_miss miss;
	int moved = 0;
	GBytes *out = hunk_apply(fd, old, w->a->fuzz, &moved, &miss);

	if (!out && miss.hunk) {
		out = hunks_crlf(w, fd, old, &moved);
		if (!out)
			fail(w, error, "hunk %u at line %u: the patch has %s, the tree has %s",
			     miss.hunk, miss.line, miss.want, miss.have);
	}
	hunk_miss_clear(&miss);
	if (ABS(moved) > ABS(w->a->moved))
		w->a->moved = moved;
	return out;
}

static bool is_blob_id(const char *hex, const git_oid *blob)
{
	git_oid oid;

	return hex && strlen(hex) == OID_HEX && !git_oid_fromstr(&oid, hex) &&
	       git_oid_equal(&oid, blob);
}

/* The post-image from the object database, for a patch without data. */
static GBytes *known_blob(struct work *w, const char *hex)
{
	g_autoptr(git_blob) b = NULL;
	git_oid oid;

	if (!hex || strlen(hex) != OID_HEX || git_oid_fromstr(&oid, hex) < 0 ||
	    git_blob_lookup(&b, w->a->r->git, &oid) < 0)
		return NULL;
	return g_bytes_new(git_blob_rawcontent(b), git_blob_rawsize(b));
}

/* A binary patch fits only the very content that it was made from. */
static GBytes *binary(struct work *w, const struct file_diff *fd,
		      const struct image *old, GError **error)
{
	GBytes *out;
	git_oid id;

	if (!fd->old_blob || strlen(fd->old_blob) != OID_HEX ||
	    !fd->new_blob || strlen(fd->new_blob) != OID_HEX) {
		fail(w, error, "binary patch without full index line: make it with --binary");
		return NULL;
	}
	if (fd->old_path && !is_blob_id(fd->old_blob, &old->blob)) {
		fail(w, error, "binary patch of another content: it is of %.12s",
		     fd->old_blob);
		return NULL;
	}
	if (!fd->new_path)
		return g_bytes_new(NULL, 0);
	out = known_blob(w, fd->new_blob);
	if (out)
		return out;
	if (!fd->forward.present) {
		fail(w, error, "binary patch without data: make it with --binary");
		return NULL;
	}
	out = binary_apply(&fd->forward, old->bytes);
	if (out && !git_odb_hash(&id, g_bytes_get_data(out, NULL),
				 g_bytes_get_size(out), GIT_OBJECT_BLOB) &&
	    is_blob_id(fd->new_blob, &id))
		return out;
	fail(w, error, "the binary patch is damaged");
	g_clear_pointer(&out, g_bytes_unref);
	return NULL;
}

static int check_mode(struct work *w, const struct file_diff *fd,
		      const struct image *old, GError **error)
{
	unsigned int said = fd->old_mode ? fd->old_mode : old->mode;
	unsigned int next = fd->new_mode ? fd->new_mode : said;

	if ((said & S_IFMT) == (old->mode & S_IFMT) &&
	    (next & S_IFMT) == (old->mode & S_IFMT))
		return 0;
	return fail(w, error, "is of another type (mode %o, the patch says %o)",
		    old->mode, said);
}

/* The blob of @bytes at fd->new_path. */
static int store(struct work *w, const struct file_diff *fd, GBytes *bytes,
		 unsigned int mode, GError **error)
{
	gsize size;
	const void *data = g_bytes_get_data(bytes, &size);
	git_oid blob;
	int err = git_blob_create_from_buffer(&blob, w->a->r->git,
					      data ? data : "", size);

	if (err < 0)
		return repo_git_error(w->a->r, err, error, "cannot write to '%s'",
				      w->a->r->path);
	/* git knows only these modes of a file. */
	if (S_ISREG(mode))
		mode = mode & 0100 ? GIT_FILEMODE_BLOB_EXECUTABLE :
				     GIT_FILEMODE_BLOB;
	changes_set(w->changes, fd->new_path, &blob, mode);
	return 0;
}

static void drop_old(struct work *w, const struct file_diff *fd)
{
	struct change *c = g_hash_table_lookup(w->changes, fd->old_path);

	/* In a swap (a to b, b to a) the old name is another's new one. */
	if (fd->is_rename && c && c->mode)
		return;
	changes_set(w->changes, fd->old_path, NULL, 0);
}

static int finish_file(struct work *w, const struct file_diff *fd,
		       const struct image *old, GBytes *new, GError **error)
{
	unsigned int mode = fd->new_mode ? fd->new_mode :
			    old->mode ? old->mode : GIT_FILEMODE_BLOB;

	if (!fd->new_path && g_bytes_get_size(new))
		return fail(w, error, "the patch deletes it, but the tree's has more in it");
	if (fd->old_path && (!fd->new_path || fd->is_rename))
		drop_old(w, fd);
	return fd->new_path ? store(w, fd, new, mode, error) : 0;
}

/* A plain diff of "@@ -0,0" does not say whether it creates the file. */
static bool creates(struct work *w, const struct file_diff *fd)
{
	const struct hunk *h = fd->hunks->len == 1 ? fd->hunks->pdata[0] : NULL;
	unsigned int mode;
	git_oid blob;

	if (!fd->old_path)
		return true;
	if (!h || h->old_start || h->old_count || fd->old_mode ||
	    fd->is_rename || fd->is_copy)
		return false;
	find(w, fd->old_path, false, &blob, &mode);
	return mode == 0;
}

static int apply_file(struct work *w, const struct file_diff *fd, GError **error)
{
	bool other = fd->is_rename || fd->is_copy, new_file = creates(w, fd);
	struct image old = { 0 };
	g_autoptr(GBytes) new = NULL;
	int ret = -1;

	w->path = file_diff_path(fd);
	if (check_parents(w, w->path, error) < 0)
		return -1;
	if ((new_file || (other && strcmp(fd->old_path, fd->new_path))) &&
	    check_absent(w, fd->new_path, error) < 0)
		return -1;
	if (new_file) {
		old.bytes = g_bytes_new(NULL, 0);
	} else {
		w->path = fd->old_path;
		if (check_parents(w, w->path, error) < 0 ||
		    load(w, fd->old_path, other, &old, error) < 0 ||
		    check_mode(w, fd, &old, error) < 0)
			goto out;
	}
	new = fd->is_binary ? binary(w, fd, &old, error) :
			      hunks(w, fd, old.bytes, error);
	if (new)
		ret = finish_file(w, fd, &old, new, error);
out:
	image_clear(&old);
	return ret;
}

int apply_files(struct attempt *a, git_tree *base, git_oid *out, GError **error)
{
	struct work w = { .a = a, .base = base, .changes = changes_new() };
	int ret = 0;
	guint i;

	w.leaving = g_hash_table_new(g_str_hash, g_str_equal);
	a->moved = 0;
	for (i = 0; i < a->d->files->len; i++) {
		const struct file_diff *fd = a->d->files->pdata[i];

		if (fd->old_path && (!fd->new_path || fd->is_rename))
			g_hash_table_add(w.leaving, fd->old_path);
	}
	for (i = 0; i < a->d->files->len && !ret; i++)
		ret = apply_file(&w, a->d->files->pdata[i], error);
	if (!ret)
		ret = tree_update(a->r, base, w.changes, out, error);
	g_hash_table_destroy(w.leaving);
	g_hash_table_destroy(w.changes);
	return ret;
}
