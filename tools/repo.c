// SPDX-License-Identifier: GPL-2.0
#include <sys/stat.h>
#include <unistd.h>

#include "repo-internal.h"

/*
 * Extensions of the repository format that libgit2 1.5 would refuse.  The
 * first two change nothing that is read here; the values of the others are
 * checked by check_extensions().
 */
static const char *const extensions[] = {
	"worktreeconfig", "partialclone", "objectformat", "refstorage",
};

static const struct {
	const char *key, *value, *what;
} only_value[] = {
	{ "extensions.objectformat", "sha1", "object ids" },
	{ "extensions.refstorage", "files", "storage of refs" },
};

static void git_start(void)
{
	static gsize once;

	if (!g_once_init_enter(&once))
		return;
	git_libgit2_init();
	git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions,
			 G_N_ELEMENTS(extensions));
	/*
	 * Hashing each object again when it is read costs a third of a
	 * checkout; git does not do it either, zlib has a checksum.
	 */
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
	g_once_init_leave(&once, 1);
}

int repo_git_error(const struct repo *r, int code, GError **error,
		   const char *fmt, ...)
{
	const git_error *e = git_error_last();
	g_autofree char *what = NULL;
	va_list ap;

	va_start(ap, fmt);
	what = g_strdup_vprintf(fmt, ap);
	va_end(ap);
	if (code == GIT_ENOTFOUND && r && r->partial)
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TREE,
			    "%s: '%s' is a partial clone and an object is missing: run 'git "
			    "fetch --refetch --filter=blob:limit=1g' there",
			    what, r->path);
	else
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TREE, "%s: %s",
			    what, e && e->message ? e->message : "unknown error");
	return -1;
}

/*
 * The directory that safe.directory must name: libgit2 1.5 compares the text
 * and knows no "*".  g_free() it.
 */
static char *owned_dir(const char *path)
{
	git_buf buf = GIT_BUF_INIT;
	char *dir;

	if (git_repository_discover(&buf, path, 0, NULL) < 0)
		return g_canonicalize_filename(path, NULL);
	dir = g_strndup(buf.ptr, buf.size);
	git_buf_dispose(&buf);
	if (g_str_has_suffix(dir, "/.git/"))
		dir[strlen(dir) - strlen("/.git/")] = 0;
	return dir;
}

static void owner_error(const char *path, GError **error)
{
	g_autofree char *dir = owned_dir(path);

	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TREE,
		    "tree '%s' belongs to another user: run as its owner, or 'git config "
		    "--global --add safe.directory %s'",
		    dir, dir);
}

/* Each way in which a repository cannot be opened gets its own line. */
static void open_error(const char *path, int code, GError **error)
{
	const git_error *e = git_error_last();
	const char *said = e && e->message ? e->message : "unknown error";
	const char *ext = strstr(said, "extensions.");

	if (!g_file_test(path, G_FILE_TEST_EXISTS))
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TREE,
			    "tree '%s' does not exist", path);
	/* Without any safe.directory libgit2 says "not found" of that. */
	else if (code == GIT_EOWNER || strstr(said, "safe.directory"))
		owner_error(path, error);
	else if (code == GIT_ENOTFOUND)
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TREE,
			    "'%s' is not in a git repository: give a clone of the kernel",
			    path);
	else if (ext)
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TREE,
			    "tree '%s' uses the repository extension '%s', which libgit2 %s "
			    "does not know: use a plain clone",
			    path, ext + strlen("extensions."), LIBGIT2_VERSION);
	else
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TREE,
			    "cannot open tree '%s': %s", path, said);
}

static int check_extensions(struct repo *r, GError **error)
{
	g_autoptr(git_config) all = NULL, cfg = NULL;
	const char *value;
	gsize i;
	int is;

	if (git_repository_config(&all, r->git) < 0 ||
	    git_config_snapshot(&cfg, all) < 0)
		return repo_git_error(r, 0, error, "cannot read the configuration of '%s'",
				      r->path);
	for (i = 0; i < G_N_ELEMENTS(only_value); i++) {
		if (git_config_get_string(&value, cfg, only_value[i].key) < 0 ||
		    !g_ascii_strcasecmp(value, only_value[i].value))
			continue;
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TREE,
			    "tree '%s' has %s of the kind '%s', respin reads only '%s': use "
			    "a plain clone",
			    r->path, only_value[i].what, value,
			    only_value[i].value);
		return -1;
	}
	r->partial = !git_config_get_string(&value, cfg,
					    "extensions.partialclone");
	is = git_repository_head_unborn(r->git);
	if (is == 1)
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TREE,
			    "tree '%s' has no commit yet; name another "
			    "with --tree PATH[@REV]", r->path);
	else if (is < 0)
		repo_git_error(r, is, error, "cannot read HEAD of '%s'", r->path);
	return is ? -1 : 0;
}

struct repo *repo_open(const char *path, GError **error)
{
	struct repo *r = g_new0(struct repo, 1);
	const char *dir;
	int err;

	git_start();
	err = git_repository_open_ext(&r->git, path, 0, NULL);
	if (err < 0) {
		open_error(path, err, error);
		g_free(r);
		return NULL;
	}
	dir = git_repository_workdir(r->git);
	r->path = g_strdup(dir ? dir : git_repository_path(r->git));
	/* libgit2 ends them with '/', which no message wants. */
	if (strlen(r->path) > 1 && g_str_has_suffix(r->path, "/"))
		r->path[strlen(r->path) - 1] = 0;
	if (check_extensions(r, error) < 0) {
		repo_free(r);
		return NULL;
	}
	return r;
}

void repo_free(struct repo *r)
{
	if (!r)
		return;
	git_repository_free(r->git);
	g_free(r->path);
	g_free(r);
}

void repo_be_owner(const struct repo *r)
{
	struct stat st;

	if (getuid() || stat(git_repository_path(r->git), &st) || !st.st_uid)
		return;
	/* The group first: afterwards it is not allowed. */
	if (setegid(st.st_gid) || seteuid(st.st_uid))
		g_warning("cannot write as the owner of '%s'", r->path);
}

void repo_be_self(void)
{
	if (getuid() || (!geteuid() && !getegid()))
		return;
	if (seteuid(0) || setegid(0))
		g_error("cannot become root again");
}

const char *repo_path(const struct repo *r)
{
	return r->path;
}

/* What cannot be read (a sparse index) counts as changed: it is only said. */
bool repo_is_dirty(struct repo *r)
{
	git_status_options o = GIT_STATUS_OPTIONS_INIT;
	git_status_list *list;
	bool dirty;

	if (git_repository_is_bare(r->git))
		return false;
	o.show = GIT_STATUS_SHOW_INDEX_AND_WORKDIR;
	o.flags = GIT_STATUS_OPT_EXCLUDE_SUBMODULES;
	if (git_status_list_new(&list, r->git, &o) < 0)
		return true;
	dirty = git_status_list_entrycount(list) > 0;
	git_status_list_free(list);
	return dirty;
}

char *repo_hex(const git_oid *oid)
{
	char hex[GIT_OID_HEXSZ + 1];

	return g_strdup(git_oid_tostr(hex, sizeof(hex), oid));
}

static int lookup(struct repo *r, const char *hex, git_object_t type,
		  git_object **obj, GError **error)
{
	g_autoptr(git_object) any = NULL;
	git_oid oid;
	int err = git_oid_fromstr(&oid, hex);

	if (!err)
		err = git_object_lookup(&any, r->git, &oid, GIT_OBJECT_ANY);
	if (!err)
		err = git_object_peel(obj, any, type);
	if (err < 0)
		return repo_git_error(r, err, error, "cannot read '%s'", hex);
	return 0;
}

int repo_lookup_tree(struct repo *r, const char *hex, git_tree **tree,
		     GError **error)
{
	return lookup(r, hex, GIT_OBJECT_TREE, (git_object **)tree, error);
}

int repo_lookup_commit(struct repo *r, const char *hex, git_commit **commit,
		       GError **error)
{
	return lookup(r, hex, GIT_OBJECT_COMMIT, (git_object **)commit, error);
}

bool repo_is_kernel(struct repo *r, const char *commit)
{
	static const char *const has[] = {
		"Kbuild", "Kconfig", "MAINTAINERS", "Makefile", "arch",
		"include/linux", "kernel", "scripts",
	};
	g_autoptr(git_tree) tree = NULL;
	gsize i;

	if (repo_lookup_tree(r, commit, &tree, NULL) < 0)
		return false;
	for (i = 0; i < G_N_ELEMENTS(has); i++) {
		g_autoptr(git_tree_entry) e = NULL;

		if (git_tree_entry_bypath(&e, tree, has[i]) < 0)
			return false;
	}
	return true;
}

char *repo_resolve(struct repo *r, const char *rev, GError **error)
{
	g_autoptr(git_object) any = NULL, commit = NULL;
	int err = git_revparse_single(&any, r->git, rev);

	if (err == GIT_ENOTFOUND && !r->partial)
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TREE,
			    "no revision '%s' in '%s'", rev, r->path);
	else if (err == GIT_EAMBIGUOUS)
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TREE,
			    "revision '%s' is ambiguous in '%s': give more digits",
			    rev, r->path);
	else if (err == GIT_EINVALIDSPEC)
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TREE,
			    "'%s' is not the name of a revision", rev);
	else if (err < 0)
		repo_git_error(r, err, error, "cannot read revision '%s'", rev);
	if (err < 0)
		return NULL;
	if (git_object_peel(&commit, any, GIT_OBJECT_COMMIT) < 0) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TREE,
			    "revision '%s' in '%s' is not a commit", rev,
			    r->path);
		return NULL;
	}
	return repo_hex(git_object_id(commit));
}

char *repo_tree_of(struct repo *r, const char *commit, GError **error)
{
	g_autoptr(git_tree) tree = NULL;

	if (repo_lookup_tree(r, commit, &tree, error) < 0)
		return NULL;
	return repo_hex(git_tree_id(tree));
}

bool repo_has(struct repo *r, const char *hex)
{
	gsize len = strlen(hex);
	git_odb *odb;
	git_oid oid;
	int err;

	if (len < GIT_OID_MINPREFIXLEN || len > OID_HEX ||
	    git_oid_fromstrn(&oid, hex, len) < 0 ||
	    git_repository_odb(&odb, r->git) < 0)
		return false;
	err = git_odb_exists_prefix(NULL, odb, &oid, len);
	git_odb_free(odb);
	return err == 0 || err == GIT_EAMBIGUOUS;
}

char *repo_subject(struct repo *r, const char *commit)
{
	g_autoptr(git_commit) c = NULL;

	if (repo_lookup_commit(r, commit, &c, NULL) < 0)
		return NULL;
	return g_strdup(git_commit_summary(c));
}

GBytes *repo_blob(struct repo *r, const char *tree, const char *path)
{
	g_autoptr(git_tree) t = NULL;
	g_autoptr(git_tree_entry) e = NULL;
	g_autoptr(git_blob) b = NULL;

	if (repo_lookup_tree(r, tree, &t, NULL) < 0 ||
	    git_tree_entry_bypath(&e, t, path) < 0 ||
	    git_tree_entry_type(e) != GIT_OBJECT_BLOB ||
	    git_blob_lookup(&b, r->git, git_tree_entry_id(e)) < 0)
		return NULL;
	return g_bytes_new(git_blob_rawcontent(b), git_blob_rawsize(b));
}

/*
 * libgit2 prints the diff and diff_parse() reads it again: one way to make a
 * struct diff instead of two.
 */
struct diff *repo_diff(struct repo *r, const char *old, const char *new,
		       GError **error)
{
	git_diff_options o = GIT_DIFF_OPTIONS_INIT;
	git_diff_find_options find = GIT_DIFF_FIND_OPTIONS_INIT;
	g_autoptr(git_tree) a = NULL, b = NULL;
	g_autoptr(git_diff) gd = NULL;
	g_autoptr(GBytes) bytes = NULL;
	git_buf buf = GIT_BUF_INIT;
	int err;

	if (repo_lookup_tree(r, old, &a, error) < 0 ||
	    repo_lookup_tree(r, new, &b, error) < 0)
		return NULL;
	o.context_lines = 0;
	o.interhunk_lines = 0;
	o.id_abbrev = OID_HEX;
	o.flags = GIT_DIFF_IGNORE_SUBMODULES;
	/* The user's diff.noprefix must not change what is read below. */
	o.old_prefix = "a";
	o.new_prefix = "b";
	find.flags = GIT_DIFF_FIND_RENAMES;
	err = repo_diff_trees(&gd, r, a, b, &o);
	if (!err)
		err = git_diff_find_similar(gd, &find);
	if (!err)
		err = git_diff_to_buf(&buf, gd, GIT_DIFF_FORMAT_PATCH);
	if (err < 0) {
		repo_git_error(r, err, error, "cannot compare %.12s with %.12s",
			       old, new);
		return NULL;
	}
	bytes = g_bytes_new(buf.ptr, buf.size);
	git_buf_dispose(&buf);
	return diff_parse(bytes, error);
}

struct walk {
	repo_walk_fn fn;
	void *data;
	GString *path;
};

static int walk_entry(const char *root, const git_tree_entry *e, void *payload)
{
	struct walk *w = payload;
	char hex[GIT_OID_HEXSZ + 1];

	if (git_tree_entry_type(e) != GIT_OBJECT_BLOB)
		return 0;
	g_string_assign(w->path, root);
	g_string_append(w->path, git_tree_entry_name(e));
	git_oid_tostr(hex, sizeof(hex), git_tree_entry_id(e));
	return w->fn(w->path->str, hex, git_tree_entry_filemode(e), w->data);
}

int repo_walk(struct repo *r, const char *tree, repo_walk_fn fn, void *data,
	      GError **error)
{
	struct walk w = { .fn = fn, .data = data };
	g_autoptr(git_tree) t = NULL;
	int err;

	if (repo_lookup_tree(r, tree, &t, error) < 0)
		return -1;
	w.path = g_string_new(NULL);
	git_error_clear();
	err = git_tree_walk(t, GIT_TREEWALK_PRE, walk_entry, &w);
	g_string_free(w.path, TRUE);
	if (err < 0)
		return repo_git_error(r, err, error, "cannot walk tree '%s'", tree);
	return 0;
}

int repo_set_ref(struct repo *r, const char *name, const char *commit,
		 GError **error)
{
	g_autofree char *full = g_strconcat("refs/respin/", name, NULL);
	g_autoptr(git_reference) ref = NULL;
	git_oid oid;
	int err = git_oid_fromstr(&oid, commit);

	if (!err)
		err = git_reference_create(&ref, r->git, full, &oid, 1,
					   "respin: step");
	if (err < 0)
		return repo_git_error(r, err, error, "cannot write '%s' in '%s'",
				      full, r->path);
	return 0;
}
