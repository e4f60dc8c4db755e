// SPDX-License-Identifier: GPL-2.0
/* On lines of real dry runs (x86_64 and arm64), with most flags cut out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <unistd.h>
#include <glib/gstdio.h>
#include "compdb.h"
#include "error.h"
#include "shwords.h"

#define SRC "/src/linux"

static char *data(const char *name)
{
	const char *dir = g_getenv("RESPIN_TEST_DATA");
	g_autofree char *path = g_build_filename(dir ? dir : "tools/t/data",
						 "compdb", name, NULL);
	char *text = NULL;

	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	return text;
}

static struct compdb *parse(const char *text, unsigned int added)
{
	struct compdb *db = compdb_new();

	assert_int_equal(compdb_parse(db, text, strlen(text), SRC), added);
	compdb_finish(db);
	return db;
}

static struct compdb *parse_data(void)
{
	g_autofree char *text = data("dry-run");

	return parse(text, 11);
}

/* One line a TU: object, source, and a letter for the flag class. */
static char *listing(const struct compdb *db)
{
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < db->tus->len; i++) {
		const struct tu *tu = db->tus->pdata[i];

		g_string_append_printf(s, "%s %s %c\n", tu->object, tu->source,
				       'a' + tu->class);
	}
	return g_string_free(s, FALSE);
}

static void objects(void **state)
{
	struct compdb *db = parse_data();
	g_autofree char *got = listing(db);

	assert_string_equal(got,
		"arch/arm64/kernel/pi/lib-fdt.o lib/fdt.c f\n"
		"arch/x86/entry/entry_64.o arch/x86/entry/entry_64.S b\n"
		"arch/x86/kernel/asm-offsets.s arch/x86/kernel/asm-offsets.c a\n"
		"arch/x86/realmode/rm/header.o arch/x86/realmode/rm/header.S c\n"
		"drivers/firmware/efi/libstub/gop.o "
		"drivers/firmware/efi/libstub/gop.c f\n"
		"drivers/net/ethernet/ti/icssg/icss_iep.o "
		"drivers/net/ethernet/ti/icssg/icss_iep.c g\n"
		"drivers/of/empty_root.dtb.o O/drivers/of/empty_root.dtb.S h\n"
		"lib/raid6/int1.o O/lib/raid6/int1.c g\n"
		"mm/madvise.o mm/madvise.c d\n"
		"mm/mprotect.o mm/mprotect.c d\n"
		"net/netfilter/xt_mark.o net/netfilter/xt_mark.c e\n");
	compdb_free(db);
}

static void classes(void **state)
{
	struct compdb *db = parse_data();
	const struct tu *tu = compdb_find_object(db, "lib/raid6/int1.o");
	const struct tu *x = compdb_find_object(db, "mm/mprotect.o");
	const struct tu *y = compdb_find_object(db, "mm/madvise.o");

	assert_string_equal(db->classes->pdata[tu->class],
		"-nostdinc -include %S/include/linux/compiler-version.h "
		"-include %S/include/linux/kconfig.h "
		"-include %S/include/linux/compiler_types.h -D__KERNEL__ "
		"-fmacro-prefix-map=%S/= -std=gnu11 -O2 -g -DMODULE");
	assert_int_equal(x->template, y->template);
	assert_string_equal(db->templates->pdata[x->template],
		"gcc -Wp,-MMD,%d -nostdinc -I%S/include -I./include "
		"-include %S/include/linux/compiler-version.h "
		"-include %S/include/linux/kconfig.h "
		"-include %S/include/linux/compiler_types.h -D__KERNEL__ "
		"-fmacro-prefix-map=%S/= -std=gnu11 -O2 -I%S/%D -I%D "
		"-DKBUILD_MODFILE=%1 -DKBUILD_BASENAME=%2 -DKBUILD_MODNAME=%3 "
		"-D__KBUILD_MODNAME=%4 -c -o %o %s");
	compdb_free(db);
}

static void expect_argv(const struct compdb *db, const char *object,
			const char *source, const char *want)
{
	const struct tu *tu = compdb_find_object(db, object);
	g_auto(GStrv) argv = NULL;
	g_autofree char *got = NULL;

	assert_non_null(tu);
	argv = compdb_argv(db, tu, "/a b/100%20", "/job/x.o", "/job/x.d",
			   source);
	got = g_strjoinv("|", argv);
	assert_string_equal(got, want);
}

static void argv(void **state)
{
	struct compdb *db = parse_data();

	expect_argv(db, "mm/mprotect.o", NULL,
		"gcc|-Wp,-MMD,/job/x.d|-nostdinc|-I/a b/100%20/include|"
		"-I./include|"
		"-include|/a b/100%20/include/linux/compiler-version.h|"
		"-include|/a b/100%20/include/linux/kconfig.h|"
		"-include|/a b/100%20/include/linux/compiler_types.h|"
		"-D__KERNEL__|-fmacro-prefix-map=/a b/100%20/=|-std=gnu11|-O2|"
		"-I/a b/100%20/mm|-Imm|-DKBUILD_MODFILE=\"mm/mprotect\"|"
		"-DKBUILD_BASENAME=\"mprotect\"|-DKBUILD_MODNAME=\"mprotect\"|"
		"-D__KBUILD_MODNAME=kmod_mprotect|-c|-o|/job/x.o|"
		"/a b/100%20/mm/mprotect.c");
	/* a module of several objects, a source in O=, one of our own */
	expect_argv(db, "lib/raid6/int1.o", NULL,
		"aarch64-linux-gnu-gcc|-Wp,-MMD,/job/x.d|-nostdinc|"
		"-I/a b/100%20/include|-I./include|"
		"-include|/a b/100%20/include/linux/compiler-version.h|"
		"-include|/a b/100%20/include/linux/kconfig.h|"
		"-include|/a b/100%20/include/linux/compiler_types.h|"
		"-D__KERNEL__|-fmacro-prefix-map=/a b/100%20/=|-std=gnu11|-O2|"
		"-g|-I/a b/100%20/lib/raid6|-Ilib/raid6|-DMODULE|"
		"-DKBUILD_BASENAME=\"int1\"|-DKBUILD_MODNAME=\"raid6_pq\"|"
		"-D__KBUILD_MODNAME=kmod_raid6_pq|-c|-o|/job/x.o|"
		"lib/raid6/int1.c");
	expect_argv(db, "arch/x86/entry/entry_64.o", "/job/probe.S",
		"gcc|-Wp,-MMD,/job/x.d|-nostdinc|-I/a b/100%20/include|"
		"-I./include|"
		"-include|/a b/100%20/include/linux/compiler-version.h|"
		"-include|/a b/100%20/include/linux/kconfig.h|"
		"-D__KERNEL__|-fmacro-prefix-map=/a b/100%20/=|-D__ASSEMBLY__|"
		"-I/a b/100%20/arch/x86/entry|-Iarch/x86/entry|"
		"-DKBUILD_MODFILE=\"arch/x86/entry/entry_64\"|"
		"-DKBUILD_MODNAME=\"entry_64\"|"
		"-D__KBUILD_MODNAME=kmod_entry_64|-c|-o|/job/x.o|/job/probe.S");
	compdb_free(db);
}

static void lookup(void **state)
{
	struct compdb *db = parse_data();
	const GPtrArray *list = compdb_by_source(db, "mm/madvise.c");

	assert_int_equal(list->len, 1);
	assert_string_equal(((struct tu *)list->pdata[0])->object,
			    "mm/madvise.o");
	assert_null(compdb_by_source(db, "mm/madvise.o"));
	assert_null(compdb_find_object(db, "mm/nothing.o"));
	assert_null(compdb_find_object(db, "scripts/mod/modpost.o"));
	assert_null(compdb_find_object(db, "drivers/of/empty_root.dtb"));
	compdb_free(db);
}

#define LINE(obj, rest) "set -e; scripts/basic/fixdep d " obj " '" rest \
	"' > x.cmd; rm -f d\n"

static void odd_commands(void **state)
{
	static const char text[] =
		/* one source, two objects, by way of ".." */
		LINE("a/x.o", "gcc -nostdinc -c -o a/x.o " SRC "/a/b/../x.c")
		LINE("b/x.o", "gcc -nostdinc -c " SRC "/a/x.c -o b/x.o")
		/* printed twice: once for vmlinux, once for modules */
		LINE("a/x.o", "gcc -nostdinc -c -o a/x.o " SRC "/a/b/../x.c")
		/* the source tree's name inside of other paths and words */
		LINE("c.o", "ccache gcc -D__KERNEL__ -I/usr" SRC "/i -I" SRC
		     "-2/i -DX=\"a b\"\\ %1$(pound)$$ -isystem " SRC "/i -c "
		     "-o c.o " SRC "/c.c && objcopy c.o")
		LINE("d.o", "gcc -c -o d.o " SRC "/d.c")
		LINE("e.i", "gcc -nostdinc -E -o e.i " SRC "/e.c")
		LINE("f.o", "gcc -nostdinc -c -o f.o f.txt")
		"scripts/basic/fixdep\nscripts/basic/fixdep \n"
		"scripts/basic/fixdep a b 'gcc -nostdinc -c -o g.o g.c";
	struct compdb *db = parse(text, 5);
	g_autofree char *got = listing(db);

	assert_string_equal(got, "a/x.o a/x.c a\nb/x.o a/x.c a\nc.o c.c b\n"
			    "g.o O/g.c a\n");
	assert_int_equal(compdb_by_source(db, "a/x.c")->len, 2);
	expect_argv(db, "a/x.o", NULL,
		    "gcc|-nostdinc|-c|-o|/job/x.o|/a b/100%20/a/b/../x.c");
	expect_argv(db, "b/x.o", NULL,
		    "gcc|-nostdinc|-c|/a b/100%20/a/x.c|-o|/job/x.o");
	expect_argv(db, "c.o", NULL,
		    "ccache|gcc|-D__KERNEL__|-I/usr" SRC "/i|-I" SRC "-2/i|"
		    "-DX=a b %1#$|-isystem|/a b/100%20/i|-c|-o|/job/x.o|"
		    "/a b/100%20/c.c");
	assert_string_equal(db->classes->pdata[1],
			    "-D__KERNEL__ -DX=a%20b%20%251#$");
	compdb_free(db);
}

static void cmd_file(void **state)
{
	static const char good[] = "savedcmd_kernel/bounds.s := gcc -nostdinc "
		"-O2 -S -o kernel/bounds.s " SRC "/kernel/bounds.c\n\n"
		"source_kernel/bounds.s := " SRC "/kernel/bounds.c\n";
	static const char host[] = "savedcmd_scripts/x.o := gcc -O2 -c -o "
		"scripts/x.o " SRC "/scripts/x.c\n";
	struct compdb *db = compdb_new();
	g_autofree char *got = NULL;

	assert_true(compdb_parse_cmd(db, good, strlen(good), SRC));
	assert_false(compdb_parse_cmd(db, host, strlen(host), SRC));
	assert_false(compdb_parse_cmd(db, "", 0, SRC));
	assert_false(compdb_parse_cmd(db, "x := y", 6, SRC));
	compdb_finish(db);
	got = listing(db);
	assert_string_equal(got, "kernel/bounds.s kernel/bounds.c a\n");
	compdb_free(db);
}

static char *temp_path(void)
{
	char *path = NULL;
	int fd = g_file_open_tmp("respin-compdb-XXXXXX", &path, NULL);

	assert_true(fd >= 0);
	close(fd);
	return path;
}

static void save_load(void **state)
{
	struct compdb *db = parse_data(), *again;
	g_autofree char *path = temp_path(), *path2 = temp_path();
	g_autofree char *a = NULL, *b = NULL, *want = listing(db), *got = NULL;
	GError *err = NULL;

	assert_int_equal(compdb_save(db, path, &err), 0);
	again = compdb_load(path, &err);
	assert_non_null(again);
	got = listing(again);
	assert_string_equal(got, want);
	assert_int_equal(compdb_save(again, path2, &err), 0);
	assert_true(g_file_get_contents(path, &a, NULL, NULL));
	assert_true(g_file_get_contents(path2, &b, NULL, NULL));
	assert_string_equal(a, b);
	assert_int_equal(compdb_by_source(again, "mm/madvise.c")->len, 1);
	compdb_free(db);
	compdb_free(again);
	g_unlink(path);
	g_unlink(path2);
}

static void expect_broken(const char *path, const char *text, gsize len)
{
	g_autofree char *want = g_strdup_printf("'%s' is no whole compile "
						"database; remove it", path);
	GError *err = NULL;

	assert_true(g_file_set_contents(path, text, len, NULL));
	assert_null(compdb_load(path, &err));
	assert_true(g_error_matches(err, RESPIN_ERROR, RESPIN_ERROR_IO));
	assert_string_equal(err->message, want);
	g_clear_error(&err);
}

/* Cut at any place, or with indices that point nowhere: an error, no crash. */
static void load_broken(void **state)
{
	struct compdb *db = parse_data();
	g_autofree char *path = temp_path(), *text = NULL;
	GError *err = NULL;
	gsize len;

	assert_int_equal(compdb_save(db, path, NULL), 0);
	compdb_free(db);
	assert_true(g_file_get_contents(path, &text, &len, NULL));
	for (gsize n = 0; n < len; n += 37)
		expect_broken(path, text, n);
	expect_broken(path, text, len - 1);
#define HEAD "respin-compdb 2 1 1 1\n%s %1\n-c\n"
	expect_broken(path, HEAD "o\ts\t1\t0\tv\tw\n", -1);
	expect_broken(path, HEAD "o\ts\t0\t1\tv\tw\n", -1);
	expect_broken(path, HEAD "o\ts\t0\t0\tv\n", -1);
	expect_broken(path, HEAD "o\t=\t0\t0\tv\tw\n", -1);
	expect_broken(path, HEAD "o\ts\t0\t0\tv\tw\nx\n", -1);
	assert_true(g_file_set_contents(path, HEAD "o\ts\t0\t0\tv%1%\t%\n", -1,
					NULL));
	db = compdb_load(path, &err);
	assert_non_null(db);
	g_strfreev(compdb_argv(db, db->tus->pdata[0], "/s", "o", "d", NULL));
	compdb_free(db);
	g_unlink(path);
	assert_null(compdb_load(path, &err));
	assert_true(g_error_matches(err, RESPIN_ERROR, RESPIN_ERROR_IO));
	g_clear_error(&err);
}

#define SAVED(target, cmd) "set -e; printf '%s\\n' 'savedcmd_" target " := " \
	cmd "' > x.cmd\n"

/* What kbuild prints above and beside the compile lines. */
static const char lists[] =
	SAVED("./built-in.a", "rm -f ./built-in.a;  printf \"./%s \" "
	      "mm/built-in.a lib/lib.a | xargs ar cDPrST ./built-in.a")
	SAVED("mm/built-in.a", "rm -f mm/built-in.a;  printf \"mm/%s \" "
	      "mprotect.o madvise.o | xargs ar cDPrST mm/built-in.a")
	SAVED("lib/lib.a", "rm -f lib/lib.a; ar cDPrsT lib/lib.a "
	      "lib/raid6/int1.o arch/x86/entry/../entry/entry_64.o")
	SAVED("modules.order", "{ cat net/netfilter/modules.order; "
	      "echo lib/raid6/pq.o; :; } > modules.order")
	SAVED("lib/raid6/pq.o", "ld -r -o lib/raid6/pq.o @lib/raid6/pq.mod")
	SAVED("lib/raid6/pq.mod", "printf '\\''%s\\n'\\'' int1.o | awk "
	      "'\\''!x[$$0]++ { print(\"lib/raid6/\"$$0) }'\\'' > "
	      "lib/raid6/pq.mod")
	SAVED("net/netfilter/modules.order", "{ echo net/netfilter/xt_mark.o;"
	      " :; } > net/netfilter/modules.order")
	SAVED("arch/x86/tools/relocs", "gcc -o arch/x86/tools/relocs "
	      "arch/x86/tools/relocs_64.o")
	"set -e; scripts/basic/fixdep d drivers/genmap.o 'gcc -O2 -c -o "
	"drivers/genmap.o " SRC "/drivers/genmap.c' > x.cmd\n"
	SAVED("drivers/genmap", "gcc -o drivers/genmap drivers/genmap.o");

static void expect_missing(const struct compdb *db, const char *text,
			   const char *want)
{
	g_autoptr(GPtrArray) list = compdb_missing(db, text, strlen(text));
	g_autofree char *got = NULL;

	g_ptr_array_add(list, NULL);
	got = g_strjoinv(" ", (char **)list->pdata);
	assert_string_equal(got, want);
}

static void complete(void **state)
{
	g_autofree char *run = data("dry-run");
	g_autofree char *text = g_strconcat(run, lists, NULL);
	struct compdb *db = parse(text, 11);

	expect_missing(db, text, "");
	expect_missing(db, "", "built-in.a modules.order");
	compdb_free(db);
}

/* Each line that plain -j may lose is missed, a compile or a list. */
static void incomplete(void **state)
{
	static const char *const lost[][2] = {
		{ "fixdep mm/.madvise.o.d", "mm/madvise.o" },
		{ "fixdep lib/raid6/.int1.o.d", "lib/raid6/int1.o" },
		{ "fixdep net/netfilter/.xt_mark.o.d",
		  "net/netfilter/xt_mark.o" },
		{ "fixdep drivers/firmware/efi/libstub/.gop.o.d",
		  "drivers/firmware/efi/libstub/gop.o" },
		{ "fixdep d drivers/genmap.o", "drivers/genmap.o" },
		{ "savedcmd_mm/built-in.a", "mm/built-in.a" },
		{ "savedcmd_lib/lib.a", "lib/lib.a" },
		{ "savedcmd_./built-in.a", "built-in.a" },
		{ "savedcmd_modules.order", "modules.order" },
		{ "savedcmd_net/netfilter/modules.order",
		  "net/netfilter/modules.order" },
		{ "savedcmd_lib/raid6/pq.o", "lib/raid6/pq.o" },
		{ "savedcmd_lib/raid6/pq.mod", "lib/raid6/pq.mod" },
	};
	g_autofree char *run = data("dry-run");
	g_autofree char *text = g_strconcat(run, lists, NULL);

	for (guint i = 0; i < G_N_ELEMENTS(lost); i++) {
		char *p = strstr(text, lost[i][0]);
		bool compile = g_str_has_prefix(lost[i][0], "fixdep ") &&
			       !strstr(lost[i][0], "genmap");
		struct compdb *db;

		assert_non_null(p);
		*p = 'X';
		db = parse(text, compile ? 10 : 11);
		expect_missing(db, text, lost[i][1]);
		compdb_free(db);
		*p = *lost[i][0];
	}
}

/* A dry run of mm/ and usr/ that printed @printed and the lists @text. */
static void expect_missing_in(const struct compdb *db, const char *printed,
			      const char *text, const char *want)
{
	g_autoptr(GHashTable) objects = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GHashTable) dirs = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) list = NULL;
	g_autofree char *got = NULL;

	g_hash_table_add(dirs, (char *)"mm");
	g_hash_table_add(dirs, (char *)"usr");
	g_hash_table_add(objects, (char *)printed);
	list = compdb_missing_in(db, objects, dirs, text, strlen(text));
	g_ptr_array_add(list, NULL);
	got = g_strjoinv(" ", (char **)list->pdata);
	assert_string_equal(got, want);
}

static void directories(void **state)
{
	static const char mm[] = SAVED("mm/built-in.a", "rm -f mm/built-in.a; "
		"printf \"mm/%s \" mprotect.o madvise.o | xargs ar c mm/built-in.a");
	static const char more[] = SAVED("mm/built-in.a", "rm -f mm/built-in.a; "
		"printf \"mm/%s \" mprotect.o new.o | xargs ar c mm/built-in.a");
	g_autofree char *text = data("dry-run");
	struct compdb *db = parse(text, 11);

	expect_missing_in(db, "mm/mprotect.o", mm, "");
	expect_missing_in(db, "mm/mprotect.o", more, "mm/new.o");
	/* a list that is lost */
	expect_missing_in(db, "mm/mprotect.o", "", "mm/built-in.a");
	expect_missing_in(db, "usr/gen.o", mm, "usr/built-in.a");
	/* that of a directory nobody asked for is not looked for */
	expect_missing_in(db, "lib/x.o", mm, "");
	compdb_free(db);
}

static void words(void **state)
{
	static const char text[] = " a 'b c'\\''d' \"e \\\"f\\\" \\x\";g>h\n\\ i 'j";
	const char *p = text, *end = text + strlen(text);
	g_autoptr(GString) word = g_string_new(NULL);
	g_autoptr(GString) got = g_string_new(NULL);
	enum shword w;

	while ((w = shword_next(&p, end, word)) != SHWORD_END)
		g_string_append_printf(got, "%s|", w == SHWORD_OP ? "op" :
				       word->str);
	assert_string_equal(got->str,
			    "a|b c'd|e \"f\" \\x|op|g|op|h|op| i|j|");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words),
		cmocka_unit_test(objects),
		cmocka_unit_test(classes),
		cmocka_unit_test(argv),
		cmocka_unit_test(lookup),
		cmocka_unit_test(odd_commands),
		cmocka_unit_test(cmd_file),
		cmocka_unit_test(save_load),
		cmocka_unit_test(load_broken),
		cmocka_unit_test(complete),
		cmocka_unit_test(incomplete),
		cmocka_unit_test(directories),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
