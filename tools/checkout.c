// SPDX-License-Identifier: GPL-2.0
/*
 * repo_checkout(): a directory that holds exactly one tree.  "@dir.tree" says
 * which: "<tree>\n", or while files are being written "dirty <tree>...\n" with
 * every tree whose files may be there ("none" for the empty one).  What can
 * be wrong after a killed run is then only what differs between those and the
 * tree that is asked for.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include "repo-internal.h"

#define NONE "none"

struct file {
	char *path;
	git_oid blob;
	unsigned int mode;	/* 0: is to be removed */
};

struct checkout {
	struct repo *r;
	git_odb *odb;
	const char *dir;
	char *temp;		/* beside @dir: no file of a killed run stays in it */
	char *state;
	GHashTable *files;	/* path -> struct file: what differs */
	GHashTable *made;	/* directories known to be there */
	bool fresh;		/* nothing can be in the way */
	/* of the writing threads */
	GMutex lock;
	gboolean failed;
	GError *error;		/* the first one */
};

/* Reading and writing both wait for the disk: more than one at a time. */
#define THREADS 3
#define THREADS_FROM 1000	/* files */

static void file_free(gpointer p)
{
	struct file *f = p;

	g_free(f->path);
	g_free(f);
}

static int io_error(GError **error, const char *what, const char *path)
{
	int err = errno;

	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO, "cannot %s '%s': %s%s",
		    what, path, g_strerror(err),
		    err == ENOSPC ? ": free some space and run again" : "");
	return -1;
}

static int write_all(int fd, const char *data, gsize len)
{
	while (len) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		data += n;
		len -= n;
	}
	return 0;
}

/*
 * Writes to @temp and renames it: a hard link keeps its text.  Without @temp
 * it writes at once, for files that cannot be there yet.
 */
static int put(const char *path, const char *data, gsize len,
	       unsigned int mode, const char *temp, GError **error)
{
	const char *to = temp ? temp : path;
	int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);

	if (fd < 0 && errno == EEXIST && !unlink(to))
		fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (fd < 0)
		return io_error(error, "create", path);
	/* The sandbox reads with another uid, whatever the umask is here. */
	if (fchmod(fd, mode) < 0 || write_all(fd, data, len) < 0) {
		io_error(error, "write", path);
		close(fd);
		unlink(to);
		return -1;
	}
	if (close(fd) < 0 || (temp && rename(to, path) < 0)) {
		io_error(error, "write", path);
		unlink(to);
		return -1;
	}
	return 0;
}

static int write_state(struct checkout *c, const char *text, GError **error)
{
	return put(c->state, text, strlen(text), 0644, c->temp, error);
}

/* The trees named in the state file; an empty array when there is none. */
static GStrv read_state(struct checkout *c, bool *dirty, GError **error)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) word = NULL;
	int i;

	*dirty = false;
	if (!g_file_get_contents(c->state, &text, NULL, NULL))
		return g_new0(char *, 1);
	word = g_strsplit(g_strchomp(text), " ", -1);
	*dirty = word[0] && !strcmp(word[0], "dirty");
	for (i = *dirty; word[i]; i++)
		if (strcmp(word[i], NONE) &&
		    (strlen(word[i]) != OID_HEX ||
		     strspn(word[i], "0123456789abcdef") != OID_HEX))
			break;
	if (word[i] || i == *dirty || (!*dirty && i != 1)) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO,
			    "'%s' is damaged: remove it and '%s'", c->state,
			    c->dir);
		return NULL;
	}
	return g_strdupv(word + *dirty);
}

static void want(struct checkout *c, const git_diff_file *f, bool there)
{
	struct file *new = g_new0(struct file, 1);

	new->path = g_strdup(f->path);
	if (there) {
		new->blob = f->id;
		new->mode = f->mode;
	}
	g_hash_table_replace(c->files, new->path, new);
}

/* Adds to c->files what differs from tree @from (NONE: empty) to @to. */
static int want_changes(struct checkout *c, const char *from, git_tree *to,
			GError **error)
{
	git_diff_options o = GIT_DIFF_OPTIONS_INIT;
	g_autoptr(git_tree) old = NULL;
	g_autoptr(git_diff) d = NULL;
	gsize i;

	if (strcmp(from, NONE) && repo_lookup_tree(c->r, from, &old, error) < 0)
		return -1;
	o.flags = GIT_DIFF_SKIP_BINARY_CHECK | GIT_DIFF_IGNORE_SUBMODULES;
	if (repo_diff_trees(&d, c->r, old, to, &o) < 0)
		return repo_git_error(c->r, -1, error, "cannot compare with tree '%s'",
				      from);
	for (i = 0; i < git_diff_num_deltas(d); i++) {
		const git_diff_delta *delta = git_diff_get_delta(d, i);
		bool there = delta->status != GIT_DELTA_DELETED;

		if (there && delta->new_file.mode == GIT_FILEMODE_COMMIT)
			continue;
		want(c, there ? &delta->new_file : &delta->old_file, there);
	}
	return 0;
}

/* Removes what stands in the way of directory @path, and makes it. */
static int make_dirs(struct checkout *c, const char *path, GError **error)
{
	g_autofree char *parent = NULL;
	struct stat st = { 0 };

	if (g_hash_table_contains(c->made, path))
		return 0;
	if (strcmp(path, c->dir)) {
		parent = g_path_get_dirname(path);
		if (make_dirs(c, parent, error) < 0)
			return -1;
	}
	if (mkdir(path, 0755) < 0 && errno != EEXIST)
		return io_error(error, "create directory", path);
	/* A symlink here would lead out of the directory. */
	if ((lstat(path, &st) < 0 || !S_ISDIR(st.st_mode)) &&
	    (unlink(path) < 0 || mkdir(path, 0755) < 0))
		return io_error(error, "create directory", path);
	if ((st.st_mode & 07777) != 0755 && chmod(path, 0755) < 0)
		return io_error(error, "set the mode of", path);
	g_hash_table_add(c->made, g_strdup(path));
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int flag,
		      struct FTW *ftw)
{
	return remove(path);
}

/* The directories are there; @temp is this thread's temporary file. */
static int write_file(struct checkout *c, const struct file *f,
		      const char *temp, GError **error)
{
	g_autofree char *full = g_build_filename(c->dir, f->path, NULL);
	git_odb_object *obj;
	struct stat st;
	const char *data;
	int ret, err;

	if (!c->fresh && !lstat(full, &st) && S_ISDIR(st.st_mode))
		nftw(full, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	err = git_odb_read(&obj, c->odb, &f->blob);
	if (err < 0)
		return repo_git_error(c->r, err, error, "cannot read '%s'", f->path);
	data = git_odb_object_data(obj);
	if (f->mode == GIT_FILEMODE_LINK) {
		g_autofree char *target =
			g_strndup(data, git_odb_object_size(obj));

		unlink(temp);
		ret = symlink(target, temp) < 0 || rename(temp, full) < 0 ?
			io_error(error, "create symlink", full) : 0;
	} else {
		ret = put(full, data, git_odb_object_size(obj),
			  f->mode == GIT_FILEMODE_BLOB_EXECUTABLE ? 0755 : 0644,
			  c->fresh ? NULL : temp, error);
	}
	git_odb_object_free(obj);
	return ret;
}

/* Removes a file and the directories that it leaves empty. */
static int remove_file(struct checkout *c, const struct file *f, GError **error)
{
	g_autofree char *full = g_build_filename(c->dir, f->path, NULL);

	if (unlink(full) < 0 && errno != ENOENT && errno != ENOTDIR &&
	    errno != EISDIR)
		return io_error(error, "remove", full);
	for (;;) {
		char *slash = strrchr(full, '/');

		*slash = 0;
		if (strlen(full) <= strlen(c->dir) || rmdir(full) < 0)
			return 0;
	}
}

static int by_path(gconstpointer a, gconstpointer b)
{
	const struct file *const *x = a, *const *y = b;

	return strcmp((*x)->path, (*y)->path);
}

/* One thread's share: a run of neighbours, so that a pack is read in order. */
struct share {
	struct checkout *c;
	struct file **files;
	guint n;
	char *temp;
};

static gpointer write_share(gpointer data)
{
	struct share *s = data;
	guint i;

	for (i = 0; i < s->n && !g_atomic_int_get(&s->c->failed); i++) {
		GError *error = NULL;

		if (!write_file(s->c, s->files[i], s->temp, &error))
			continue;
		g_mutex_lock(&s->c->lock);
		if (!s->c->error)
			s->c->error = g_steal_pointer(&error);
		g_mutex_unlock(&s->c->lock);
		g_clear_error(&error);
		g_atomic_int_set(&s->c->failed, TRUE);
	}
	return NULL;
}

static int write_shares(struct checkout *c, GPtrArray *files, GError **error)
{
	guint threads = files->len < THREADS_FROM ? 1 : THREADS, i, at = 0;
	struct share share[THREADS];
	GThread *thread[THREADS];

	for (i = 0; i < threads; i++) {
		share[i].c = c;
		share[i].files = (struct file **)files->pdata + at;
		share[i].n = (files->len - at) / (threads - i);
		share[i].temp = g_strdup_printf("%s%u", c->temp, i);
		at += share[i].n;
		thread[i] = i ? g_thread_new("checkout", write_share, &share[i]) :
			    NULL;
	}
	write_share(&share[0]);
	for (i = 0; i < threads; i++) {
		if (thread[i])
			g_thread_join(thread[i]);
		g_free(share[i].temp);
	}
	if (c->error)
		g_propagate_error(error, g_steal_pointer(&c->error));
	return c->failed ? -1 : 0;
}

/*
 * Removals first: a file may become a directory and the other way round.
 * Then directories, in this thread alone, then files.
 */
static int write_files(struct checkout *c, GError **error)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	GHashTableIter it;
	gpointer file;
	guint i;

	g_hash_table_iter_init(&it, c->files);
	while (g_hash_table_iter_next(&it, NULL, &file)) {
		struct file *f = file;

		if (f->mode)
			g_ptr_array_add(all, f);
		else if (remove_file(c, f, error) < 0)
			return -1;
	}
	g_ptr_array_sort(all, by_path);
	for (i = 0; i < all->len; i++) {
		struct file *f = all->pdata[i];
		g_autofree char *full = g_build_filename(c->dir, f->path, NULL);
		g_autofree char *parent = g_path_get_dirname(full);

		if (make_dirs(c, parent, error) < 0)
			return -1;
	}
	return write_shares(c, all, error);
}

struct linking {
	struct checkout *c;
	const char *twin;
	GError **error;
};

static int link_file(const char *path, const char *blob, unsigned int mode,
		     void *data)
{
	struct linking *l = data;
	g_autofree char *from = g_build_filename(l->twin, path, NULL);
	g_autofree char *to = g_build_filename(l->c->dir, path, NULL);
	g_autofree char *parent = g_path_get_dirname(to);

	if (make_dirs(l->c, parent, l->error) < 0)
		return -1;
	if (linkat(AT_FDCWD, from, AT_FDCWD, to, 0) < 0)
		return io_error(l->error, "link", to);
	return 0;
}

static int dirty_state(struct checkout *c, char *const *old, const char *tree,
		       GError **error)
{
	g_autofree char *list = g_strjoinv(" ", (char **)old);
	g_autofree char *text = g_strdup_printf("dirty %s%s%s\n", list,
						*old ? " " : "", tree);

	return write_state(c, text, error);
}

/*
 * A new directory starts as hard links to @twin's files.  Returns the trees
 * whose files may be there afterwards, as in the state file.
 */
static GStrv link_twin(struct checkout *c, const char *twin)
{
	struct checkout t = { .r = c->r, .dir = twin };
	struct linking l = { .c = c, .twin = twin };
	g_autoptr(GError) ignored = NULL;
	g_auto(GStrv) trees = NULL;
	const char *out[] = { NONE, NULL, NULL };
	bool dirty;

	t.state = g_strconcat(twin, ".tree", NULL);
	trees = read_state(&t, &dirty, NULL);
	g_free(t.state);
	if (!trees || !trees[0] || dirty || !strcmp(trees[0], NONE))
		return g_strdupv((char **)out);
	l.error = &ignored;
	if (!dirty_state(c, (char **)out, trees[0], &ignored) &&
	    !repo_walk(c->r, trees[0], link_file, &l, NULL))
		out[0] = trees[0];
	else
		out[1] = trees[0];	/* another disk, a file gone: some are there */
	return g_strdupv((char **)out);
}

/* From no state: the directory must be missing or empty. */
static int start_fresh(struct checkout *c, GError **error)
{
	g_autoptr(GDir) d = g_dir_open(c->dir, 0, NULL);
	g_autofree char *parent = g_path_get_dirname(c->dir);

	if (d && g_dir_read_name(d)) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO,
			    "'%s' holds files that respin did not write: remove it",
			    c->dir);
		return -1;
	}
	if (g_mkdir_with_parents(parent, 0777) < 0)
		return io_error(error, "create directory", parent);
	c->fresh = true;
	return 0;
}

static int checkout(struct checkout *c, const char *tree, const char *twin,
		    GError **error)
{
	g_autoptr(git_tree) to = NULL;
	g_autofree char *final = NULL, *hex = NULL;
	g_auto(GStrv) old = NULL;
	bool dirty;
	int i;

	if (repo_lookup_tree(c->r, tree, &to, error) < 0)
		return -1;
	hex = repo_hex(git_tree_id(to));
	old = read_state(c, &dirty, error);
	if (!old)
		return -1;
	if (!old[0] || !g_file_test(c->dir, G_FILE_TEST_IS_DIR)) {
		if (start_fresh(c, error) < 0)
			return -1;
		g_strfreev(old);
		old = twin ? link_twin(c, twin) : g_strsplit(NONE, " ", 1);
		dirty = old[1] != NULL;
		c->fresh = !dirty && !strcmp(old[0], NONE);
	}
	for (i = 0; old[i]; i++)
		if (want_changes(c, old[i], to, error) < 0)
			return -1;
	if (!dirty && !strcmp(old[0], hex))
		goto done;
	if (dirty_state(c, old, hex, error) < 0 ||
	    make_dirs(c, c->dir, error) < 0 || write_files(c, error) < 0)
		return -1;
done:
	final = g_strconcat(hex, "\n", NULL);
	return write_state(c, final, error);
}

int repo_checkout(struct repo *r, const char *tree, const char *dir,
		  const char *twin, GError **error)
{
	struct checkout c = { .r = r };
	g_autofree char *clean = g_canonicalize_filename(dir, NULL);
	int ret;

	if (git_repository_odb(&c.odb, r->git) < 0)
		return repo_git_error(r, -1, error, "cannot read '%s'", r->path);
	c.dir = clean;
	c.temp = g_strconcat(clean, ".new", NULL);
	c.state = g_strconcat(clean, ".tree", NULL);
	c.files = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, file_free);
	c.made = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	ret = checkout(&c, tree, twin, error);
	g_hash_table_destroy(c.files);
	g_hash_table_destroy(c.made);
	git_odb_free(c.odb);
	g_free(c.temp);
	g_free(c.state);
	return ret;
}
