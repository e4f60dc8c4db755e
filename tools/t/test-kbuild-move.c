// SPDX-License-Identifier: GPL-2.0
/*
 * The state of a variant on its way to another base: what is asked of kbuild,
 * and that the database is that of a start from nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fts.h>
#include <unistd.h>
#include <glib/gstdio.h>
#include "error.h"
#include "kbuild-int.h"

static struct sandbox off = { .off = true };
static char *data;

struct fixture {
	char *top, *srcdir;
	struct kbuild kb;
	struct variant *v;
	GString *phases;
	GPtrArray *changes;	/* of struct kbuild_change */
	bool unknown;		/* the old tree is gone */
	char *how;		/* v->how of the last move */
};

static void on_phase(const struct variant *v, const char *phase, void *p)
{
	struct fixture *f = p;

	if (strcmp(phase, "done"))
		g_string_append_printf(f->phases, "%s|", phase);
}

static const GPtrArray *changed(const char *old, void *p)
{
	struct fixture *f = p;

	assert_string_equal(old, "tree1");
	return f->unknown ? NULL : f->changes;
}

static void change_free(void *p)
{
	struct kbuild_change *c = p;

	g_free(c->path);
	g_free(c);
}

static void copy(const char *from, const char *to)
{
	char *argv[] = { "cp", "-r", (char *)from, (char *)to, NULL };

	assert_true(g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL,
				 NULL, NULL, NULL, NULL, NULL));
}

static void prepare(struct fixture *f, const char *cache, const char *want)
{
	GError *err = NULL;

	g_free(f->kb.cachedir);
	f->kb.cachedir = g_build_filename(f->top, cache, NULL);
	g_string_truncate(f->phases, 0);
	kbuild_prepare(&f->kb, f->v, &err);
	assert_string_equal(err ? err->message : "", "");
	assert_string_equal(f->phases->str, want);
}

#define COLD "configure|prepare|dry run|"

/* A base that is prepared; the next one is another tree. */
static void start(struct fixture *f)
{
	static const char *const makefiles[] = {
		"Makefile", "arch/x86/Makefile", "init/Makefile", "mm/Makefile",
		"lib/Makefile", "lib/sub/Makefile", "lib/inner/Makefile",
		"arch/arm64/Makefile", "scripts/mod/Makefile",
	};

	*f = (struct fixture){
		.top = g_dir_make_tmp("respin-move-XXXXXX", NULL),
		.phases = g_string_new(NULL),
		.changes = g_ptr_array_new_with_free_func(change_free),
		.v = variant_new("x86_64", "defconfig", NULL, NULL),
	};
	f->srcdir = g_build_filename(f->top, "src", NULL);
	copy(data, f->srcdir);
	f->kb = (struct kbuild){
		.sandbox = &off, .srcdir = f->srcdir,
		.tree = "tree1", .progress = on_phase, .progress_data = f,
		.changed = changed, .changed_data = f,
		.makefiles = g_ptr_array_new(),
	};
	for (guint i = 0; i < G_N_ELEMENTS(makefiles); i++)
		g_ptr_array_add(f->kb.makefiles, (char *)makefiles[i]);
	prepare(f, "cache", COLD);
	f->kb.tree = "tree2";
}

static void stop(struct fixture *f)
{
	assert_int_equal(remove_tree(f->top, NULL), 0);
	g_string_free(f->phases, TRUE);
	g_ptr_array_unref(f->changes);
	g_ptr_array_unref(f->kb.makefiles);
	g_free(f->how);
	g_free(f->kb.cachedir);
	g_free(f->srcdir);
	g_free(f->top);
	variant_free(f->v);
}

static void note(struct fixture *f, const char *path, bool both)
{
	struct kbuild_change *c = g_new0(struct kbuild_change, 1);

	c->path = g_strdup(path);
	c->both = both;
	g_ptr_array_add(f->changes, c);
}

/* @text NULL: the file goes. */
static void edit(struct fixture *f, const char *path, const char *text)
{
	g_autofree char *full = g_build_filename(f->srcdir, path, NULL);
	g_autofree char *dir = g_path_get_dirname(full);
	bool both = text && g_file_test(full, G_FILE_TEST_EXISTS);

	g_mkdir_with_parents(dir, 0777);
	if (text)
		assert_true(g_file_set_contents(full, text, -1, NULL));
	else
		assert_int_equal(unlink(full), 0);
	note(f, path, both);
}

static char *read_at(const struct fixture *f, const char *path)
{
	g_autofree char *full = g_build_filename(f->top, path, NULL);
	char *text = NULL;

	g_file_get_contents(full, &text, NULL, NULL);
	return text ? text : g_strdup("");
}

static void expect_same(const struct fixture *f, const char *name)
{
	g_autofree char *a = g_strconcat("cache/x86_64-defconfig/", name, NULL);
	g_autofree char *b = g_strconcat("cold/x86_64-defconfig/", name, NULL);
	g_autofree char *moved = read_at(f, a), *cold = read_at(f, b);

	assert_string_not_equal(cold, "");
	assert_string_equal(moved, cold);
}

static gint by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* What there is in O=, directories with a slash, files with what is in them. */
static char *list_odir(const struct fixture *f, const char *cache)
{
	g_autofree char *top = g_build_filename(f->top, cache,
						"x86_64-defconfig", "build",
						NULL);
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
	char *paths[] = { top, NULL };
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *e;

	while ((e = fts_read(fts))) {
		const char *name = e->fts_path + strlen(top);
		g_autofree char *text = NULL;

		if (e->fts_info == FTS_DP)
			continue;
		if (e->fts_info != FTS_D)
			assert_true(g_file_get_contents(e->fts_path, &text,
							NULL, NULL));
		g_ptr_array_add(lines, g_strconcat(name, text ? ": " : "/",
						   text, NULL));
	}
	fts_close(fts);
	g_ptr_array_sort(lines, by_name);
	g_ptr_array_add(lines, NULL);
	return g_strjoinv("\n", (char **)lines->pdata);
}

static void expect_same_odir(const struct fixture *f)
{
	g_autofree char *moved = list_odir(f, "cache");
	g_autofree char *cold = list_odir(f, "cold");

	assert_non_null(strstr(cold, "\n/lib/\n"));
	assert_string_equal(moved, cold);
}

/*
 * Moves to the new base: the phases, the goals of the dry runs (the last, "",
 * when there is none), and that all is as in another cache from nothing.
 */
static void expect_move(struct fixture *f, const char *phases,
			const char *goals)
{
	g_autofree char *path = g_build_filename(f->top, "cache", "goals", NULL);
	g_autofree char *calls = NULL;
	g_autoptr(GString) got = g_string_new(NULL);
	g_auto(GStrv) lines = NULL;

	unlink(path);
	prepare(f, "cache", phases);
	g_free(f->how);
	f->how = g_strdup(f->v->how);
	calls = read_at(f, "cache/goals");
	lines = g_strsplit(calls, "\n", -1);
	for (char **l = lines; *l; l++)
		if (strchr(*l, '/') || g_str_has_prefix(*l, "vmlinux"))
			g_string_append_printf(got, "%s|", *l);
	assert_string_equal(got->str, goals);
	prepare(f, "cache", "cached|");
	prepare(f, "cold", COLD);
	expect_same(f, "compdb");
	expect_same(f, "unprinted");
	expect_same(f, "stamp");
	expect_same(f, "dirs");
	expect_same_odir(f);
}

static void put_built(const struct fixture *f, const char *name)
{
	g_autofree char *cmd = g_strdup_printf("%s/.%s.o.cmd", f->v->odir, name);
	g_autofree char *object = g_strdup_printf("%s/%s.o", f->v->odir, name);
	g_autofree char *text = g_strdup_printf("savedcmd_%s.o := gcc "
		"-nostdinc -c -o %s.o %s/mm/a.c\n", name, name, f->srcdir);

	assert_true(g_file_set_contents(cmd, text, -1, NULL));
	assert_true(g_file_set_contents(object, "", 0, NULL));
}

static void expect_there(const struct fixture *f, const char *name, bool there)
{
	g_autofree char *path = g_build_filename(f->top, "cache",
				"x86_64-defconfig", "build", name, NULL);

	assert_int_equal(g_file_test(path, G_FILE_TEST_EXISTS), there);
}

static unsigned int objects(const struct fixture *f)
{
	return f->v->db->tus->len;
}

static void nothing(void **state)
{
	static const char *const paths[] = {
		"arch/arm64/Makefile", "arch/arm64/Kconfig", "tools/x/Makefile",
		"Documentation/x.rst", "mm/a.c", "MAINTAINERS",
		"scripts/coccinelle/x.cocci", "tools/x/y.c", "include/linux/x.h",
		"arch/arm64/configs/defconfig", "drivers/x/Kconfig",
		"arch/arm64/mm/new.c",
	};
	struct fixture f;

	start(&f);
	assert_int_equal(objects(&f), 6);
	for (guint i = 0; i < G_N_ELEMENTS(paths); i++)
		note(&f, paths[i], i < G_N_ELEMENTS(paths) - 1);
	expect_move(&f, "prepare|", "");
	stop(&f);
}

/* sources alone, and a header that may hide another */
static void sources(void **state)
{
	struct fixture f;

	start(&f);
	note(&f, "mm/a.c", true);
	expect_move(&f, "prepare|", "");
	stop(&f);

	start(&f);
	edit(&f, "mm/new.c", "int x;");
	expect_move(&f, "prepare|dry run|", "init/ mm/|");
	stop(&f);

	/* all in O= is made again then */
	for (int both = 0; both < 2; both++) {
		start(&f);
		put_built(&f, "stale");
		note(&f, "include/linux/new.h", both);
		prepare(&f, "cache", "prepare|");
		expect_there(&f, "stale.o", both);
		stop(&f);
	}
}

static void makefile(void **state)
{
	struct fixture f;

	start(&f);
	edit(&f, "mm/Makefile", "obj-y += a.o new.o\nccflags-y += -DMM\n");
	edit(&f, "mm/new.c", "int x;");
	expect_move(&f, "prepare|dry run|", "init/ mm/|");
	assert_int_equal(objects(&f), 6);
	assert_null(compdb_find_object(f.v->db, "mm/b.o"));
	assert_non_null(compdb_find_object(f.v->db, "mm/new.o"));
	stop(&f);

	/* a boot image has a goal of its own */
	start(&f);
	edit(&f, "arch/x86/boot/Makefile", "# nothing\n");
	expect_move(&f, "prepare|dry run|", "init/|");
	stop(&f);

	/* of one that has only what `prepare` builds there is no list */
	start(&f);
	edit(&f, "kernel/Makefile", "# nothing\n");
	expect_move(&f, "prepare|dry run|", "init/ kernel/|");
	assert_non_null(compdb_find_object(f.v->db, "kernel/bounds.s"));
	stop(&f);
}

static void kconfig(void **state)
{
	struct fixture f;

	/* its text changed, .config did not */
	start(&f);
	edit(&f, "Kconfig", "# another comment\n");
	expect_move(&f, "configure|prepare|", "");
	stop(&f);

	start(&f);
	edit(&f, "Kconfig", "CONFIG_C=y\n");
	expect_move(&f, "configure|prepare|dry run|", "init/ mm/|");
	assert_non_null(compdb_find_object(f.v->db, "mm/c.o"));
	stop(&f);

	/* a symbol that no Makefile mentions */
	start(&f);
	edit(&f, "Kconfig", "CONFIG_NOBODY=y\n");
	expect_move(&f, "configure|prepare|dry run|", "init/|");
	stop(&f);

	/* the file that was read is the one that says so */
	start(&f);
	edit(&f, "arch/x86/configs/x86_64_defconfig", "CONFIG_C=y\n");
	expect_move(&f, "configure|prepare|dry run|", "init/ mm/|");
	stop(&f);
}

/* "obj-$(CONFIG_SUB) += sub/" is about lib/sub/ and not all of lib/ */
static void subdir(void **state)
{
	struct fixture f;

	start(&f);
	edit(&f, "Kconfig", "CONFIG_SUB=y\n");
	expect_move(&f, "configure|prepare|dry run|", "init/ lib/sub/|");
	assert_non_null(compdb_find_object(f.v->db, "lib/sub/s.o"));
	stop(&f);
}

/* The old base is what there is now. */
static void restart(struct fixture *f)
{
	g_autofree char *dir = g_build_filename(f->top, "cache", NULL);

	assert_int_equal(remove_tree(dir, NULL), 0);
	f->kb.tree = "tree1";
	prepare(f, "cache", COLD);
	f->kb.tree = "tree2";
	g_ptr_array_set_size(f->changes, 0);
}

/* A program of the host that comes with a symbol. */
static void host_symbol(void **state)
{
	struct fixture f;

	start(&f);
	edit(&f, "scripts/mod/Makefile", "hostprogs-$(CONFIG_P) += p\n");
	restart(&f);
	edit(&f, "Kconfig", "CONFIG_P=y\n");
	expect_move(&f, "configure|" COLD, "vmlinux modules|");
	assert_string_equal(f.how, "made from nothing: 'scripts/mod/Makefile' "
			    "names a symbol that changed");
	stop(&f);
}

static void subdir_off(void **state)
{
	struct fixture f;

	start(&f);
	edit(&f, "Kconfig", "CONFIG_SUB=y\n");
	restart(&f);
	assert_int_equal(objects(&f), 7);
	edit(&f, "Kconfig", "# off\n");
	expect_move(&f, "configure|prepare|dry run|", "init/ lib/sub/|");
	assert_int_equal(objects(&f), 6);
	stop(&f);
}

static void removed(void **state)
{
	GError *err = NULL;
	struct fixture f;

	/* with its line */
	start(&f);
	edit(&f, "mm/b.c", NULL);
	edit(&f, "mm/Makefile", "obj-y += a.o\n");
	expect_move(&f, "prepare|dry run|", "init/ mm/|");
	assert_int_equal(objects(&f), 5);
	stop(&f);

	/* without: what make cannot make is said, by the start from nothing */
	start(&f);
	edit(&f, "mm/b.c", NULL);
	g_string_truncate(f.phases, 0);
	assert_int_equal(kbuild_prepare(&f.kb, f.v, &err), -1);
	assert_string_equal(f.phases->str, "prepare|dry run|" COLD "failed|");
	assert_true(g_str_has_prefix(err->message, "x86_64-defconfig: the dry "
		"run is incomplete: 5 objects have a command and 1 have none, "
		"'mm/b.o' is the first"));
	g_clear_error(&err);
	stop(&f);
}

static void whole(void **state)
{
	static const char *const texts[][3] = {
		{ "arch/x86/Makefile", "KBUILD_CFLAGS := -O3\n",
		  "'arch/x86/Makefile' is for all of the kernel" },
		{ "scripts/Makefile.lib", "# flags\n",
		  "'scripts/Makefile.lib' is for programs of the build" },
		{ "scripts/Kbuild.include", "# flags\n",
		  "'scripts/Kbuild.include' is for programs of the build" },
		{ "scripts/mod/Makefile", "# flags\n",
		  "'scripts/mod/Makefile' is for programs of the build" },
		{ "scripts/mod/new.c", "",
		  "'scripts/mod/new.c' is for programs of the build" },
		{ "tools/lib/subcmd/Build", "",
		  "'tools/lib/subcmd/Build' is for programs of the build" },
		{ "arch/x86/tools/Makefile", "",
		  "'arch/x86/tools/Makefile' is for programs of the build" },
		{ "localversion", "-x\n",
		  "'localversion' makes the name of the release" },
		{ "lib/Makefile.strange", "# included from where?\n",
		  "what includes 'lib/Makefile.strange' is not known" },
	};
	struct fixture f;

	for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autofree char *how = g_strconcat("made from nothing: ",
						   texts[i][2], NULL);

		start(&f);
		edit(&f, texts[i][0], texts[i][1]);
		expect_move(&f, COLD, "vmlinux modules|");
		assert_string_equal(f.how, how);
		stop(&f);
	}
	/* more than one half of the objects */
	start(&f);
	note(&f, "mm/Makefile", true);
	note(&f, "lib/Makefile", true);
	expect_move(&f, "prepare|dry run|", "vmlinux modules|");
	stop(&f);
}

/* The version is no reason to ask for all, but those that mention it. */
static void version(void **state)
{
	struct fixture f;
	g_autofree char *text = NULL, *path = NULL;

	for (int other = 0; other < 2; other++) {
		start(&f);
		path = g_build_filename(f.srcdir, "Makefile", NULL);
		assert_true(g_file_get_contents(path, &text, NULL, NULL));
		text[strlen("VERSION = ")] = '2';
		if (other)
			memcpy(strstr(text, "NAME = Moved"), "NOME", 4);
		edit(&f, "Makefile", text);
		edit(&f, "Kconfig", "CONFIG_SUB=y\n");
		expect_move(&f, COLD, other ? "vmlinux modules|" :
			    "init/ lib/sub/|");
		stop(&f);
		g_clear_pointer(&text, g_free);
		g_clear_pointer(&path, g_free);
	}
}

/* An included Makefile of a directory whose objects are built from above. */
static void included(void **state)
{
	struct fixture f;

	start(&f);
	edit(&f, "lib/inner/Makefile", "ccflags-y += -DOTHER\n");
	expect_move(&f, "prepare|dry run|", "init/ lib/|");
	stop(&f);

	/* by a name that only make knows: the directory is asked in vain */
	start(&f);
	edit(&f, "lib/Makefile", "obj-y += l.o inner/in.o\nI := inner\n"
	     "include $(src)/$(I)/Makefile\n");
	note(&f, "mm/a.c", true);
	expect_move(&f, "prepare|dry run|", "init/ lib/|");
	g_ptr_array_set_size(f.changes, 0);
	stop(&f);
}

static void built_above(void **state)
{
	struct fixture f;

	start(&f);
	edit(&f, "lib/Makefile", "obj-y += l.o inner/in.o\nI := inner\n"
	     "include $(src)/$(I)/Makefile\n");
	restart(&f);
	edit(&f, "lib/inner/Makefile", "ccflags-y += -DOTHER\n");
	expect_move(&f, "prepare|dry run|", "init/ lib/inner/|init/ lib/|");
	stop(&f);
}

/* What changes all commands and stands in no file that is known for it. */
static void probe(void **state)
{
	struct fixture f;

	start(&f);
	edit(&f, "arch/x86/Makefile", "KBUILD_CFLAGS := -O1\n");
	g_ptr_array_set_size(f.changes, 0);
	note(&f, "mm/Makefile", true);
	expect_move(&f, "prepare|dry run|dry run|",
		    "init/ mm/|vmlinux modules|");
	stop(&f);

	/* a flag from a generated file: asked even when only sources changed */
	start(&f);
	edit(&f, "mm/off.h", "-DOFF=2\n");
	expect_move(&f, "prepare|dry run|dry run|", "init/|vmlinux modules|");
	assert_string_equal(f.how, "moved from the base before; kbuild was "
		"asked for all: commands changed in 'init', where no rule did");
	stop(&f);
}

/* What the old base had made for it is not there on the new one. */
static void leftovers(void **state)
{
	g_autofree char *built = NULL;
	struct fixture f;

	start(&f);
	put_built(&f, "stale");
	edit(&f, "mm/Makefile", "obj-y += a.o\n");
	expect_move(&f, "prepare|dry run|", "init/ mm/|");
	assert_null(compdb_find_object(f.v->db, "stale.o"));
	expect_there(&f, "stale.o", false);
	/* programs of the host stay: they were built once */
	built = read_at(&f, "cache/built");
	assert_string_equal(built, "scripts\n");
	stop(&f);

	/* not even when only sources changed: a generated header was of them */
	start(&f);
	put_built(&f, "stale");
	{
		g_autofree char *made = g_build_filename(f.top, "cache",
				"x86_64-defconfig", "made", NULL);

		assert_true(g_file_set_contents(made, "\ntree1\ta.o\t0\n", -1,
						NULL));
		note(&f, "mm/a.c", true);
		expect_move(&f, "prepare|", "");
		assert_false(g_file_test(made, G_FILE_TEST_EXISTS));
	}
	expect_there(&f, "stale.o", false);
	stop(&f);
}

static void set_break(const struct fixture *f, const char *what)
{
	g_autofree char *path = g_build_filename(f->top, "cache", "break", NULL);

	assert_true(g_file_set_contents(path, what, -1, NULL));
}

static void failures(void **state)
{
	GError *err = NULL;
	struct fixture f;

	/* the old tree is not known any more */
	start(&f);
	f.unknown = true;
	expect_move(&f, COLD, "vmlinux modules|");
	stop(&f);

	/* no list of what the dry run did not print */
	start(&f);
	{
		g_autofree char *path = g_build_filename(f.top, "cache",
				"x86_64-defconfig", "unprinted", NULL);

		assert_int_equal(unlink(path), 0);
	}
	note(&f, "mm/Makefile", true);
	expect_move(&f, "prepare|dry run|", "vmlinux modules|");
	stop(&f);

	/* half a move is none */
	start(&f);
	note(&f, "mm/Makefile", true);
	set_break(&f, "prepare");
	g_string_truncate(f.phases, 0);
	assert_int_equal(kbuild_prepare(&f.kb, f.v, &err), -1);
	assert_string_equal(f.phases->str, "prepare|configure|prepare|failed|");
	g_clear_error(&err);
	set_break(&f, "");
	expect_move(&f, COLD, "vmlinux modules|");
	stop(&f);
}

static int setup(void **state)
{
	const char *dir = g_getenv("RESPIN_TEST_DATA");

	data = g_build_filename(dir ? dir : "tools/t/data", "kbuild", "moved",
				NULL);
	return 0;
}

static int teardown(void **state)
{
	g_free(data);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing),
		cmocka_unit_test(sources),
		cmocka_unit_test(makefile),
		cmocka_unit_test(kconfig),
		cmocka_unit_test(subdir),
		cmocka_unit_test(host_symbol),
		cmocka_unit_test(subdir_off),
		cmocka_unit_test(removed),
		cmocka_unit_test(whole),
		cmocka_unit_test(version),
		cmocka_unit_test(included),
		cmocka_unit_test(built_above),
		cmocka_unit_test(probe),
		cmocka_unit_test(leftovers),
		cmocka_unit_test(failures),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
