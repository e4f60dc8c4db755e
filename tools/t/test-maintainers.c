// SPDX-License-Identifier: GPL-2.0
/* Sections of MAINTAINERS for a path, and .mailmap. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "mailmap.h"
#include "maintainers.h"

static const char text[] =
	"List of maintainers\n===================\n\n"
	"\tM: *Mail* patches to: FullName <address@domain>\n\n"
	"FOO CORE\nM:\tFay One <fay@x>\nR:\tRob <rob@x>\nL:\tfoo@lists (moderated)\n"
	"L:\tinsiders@lists (subscribers-only)\nF:\tdrivers/foo/\n"
	"X:\tdrivers/foo/old/\n\n"
	"FOO PCI\nM:\tPia <pia@x>\nF:\tdrivers/foo/pci*.c\nF:\tinclude/foo\n\n"
	"FOO DEAD\nS:\tOrphan\nF:\tdrivers/foo/pci-dead.c\n\n"
	"BAR SOC\nM:\tBo <bo@x>\nN:\t[^a-z]bar\n\n"
	"STAR\nM:\tSt <st@x>\nF:\t*/star.c\n\n"
	"THE REST\nM:\tLinus <torvalds@x>\nL:\tlkml@lists\nF:\t*\nF:\t*/\n";

static void add(GString *s, const GPtrArray *list)
{
	for (guint i = 0; i < list->len; i++)
		g_string_append_printf(s, "%s;", ((const struct section *)
				       list->pdata[i])->name);
}

static void expect(const char *path, const char *want)
{
	struct maintainers *m = maintainers_parse(text);
	g_autoptr(GPtrArray) wide = NULL;
	g_autoptr(GPtrArray) found = maintainers_of(m, path, &wide);
	g_autoptr(GString) got = g_string_new("");

	add(got, found);
	g_string_append_c(got, '|');
	add(got, wide);
	assert_string_equal(got->str, want);
	maintainers_free(m);
}

static void test_of(void **state)
{
	expect("drivers/foo/a.c", "FOO CORE;|");
	expect("drivers/foo/sub/a.c", "FOO CORE;|");
	/* excluded; all of the tree names nobody */
	expect("drivers/foo/old/a.c", "|");
	expect("README", "|");
	expect("mm/a.c", "|");
	/* the deepest, when it names somebody */
	expect("drivers/foo/pci-a.c", "FOO PCI;|");
	expect("drivers/foo/pci-dead.c", "FOO PCI;|");
	/* a star does not cross into a directory at the end of a pattern */
	expect("drivers/foo/pci/a.c", "FOO CORE;|");
	/* a directory without its slash, and a name that begins so */
	expect("include/foo/a.h", "FOO PCI;|");
	expect("include/foobar/a.h", "|");
	/* by a name anywhere, by a star in front */
	expect("drivers/foo/my-bar.c", "FOO CORE;|BAR SOC;");
	expect("drivers/foo/mybar.c", "FOO CORE;|");
	expect("lib/star.c", "|STAR;");
	expect("lib/sub/star.c", "|");
}

static void test_parse(void **state)
{
	struct maintainers *m = maintainers_parse(text);
	g_autoptr(GPtrArray) found = maintainers_of(m, "drivers/foo/a.c", NULL);
	const struct section *s = found->pdata[0];

	assert_int_equal(s->people->len, 1);
	assert_string_equal(((struct address *)s->people->pdata[0])->email, "fay@x");
	assert_int_equal(s->lists->len, 1);
	assert_string_equal(s->lists->pdata[0], "foo@lists");
	assert_true(maintainers_has(m, "Rob@X"));
	assert_false(maintainers_has(m, "address@domain"));
	maintainers_free(m);
	m = maintainers_parse("");
	assert_false(maintainers_has(m, "rob@x"));
	maintainers_free(m);
}

static void mapped(const char *map_text, const char *name, const char *email,
		   const char *want)
{
	struct mailmap *map = mailmap_new(map_text);
	g_autofree char *got = mailmap_email(map, name, email);

	assert_string_equal(got, want);
	mailmap_free(map);
}

static void test_mailmap(void **state)
{
	static const char map[] = "# Old <x@x> <y@x>\n"
		"Ann <Ann@New> <ann@old>\nBen <ben@new> Ben B <team@x>\n"
		"Cy <cy@new>\n<dee@new> <dee@old> # 2019\n"
		"Eve <eve@new> <eve@old> <eve@older>\n";

	mapped(map, "Ann", "ann@old", "Ann@New");
	mapped(map, "whoever", "ANN@Old", "Ann@New");
	mapped(map, "Ann", "ann@new", "ann@new");
	/* by name too */
	mapped(map, "ben b", "team@x", "ben@new");
	mapped(map, "Cara", "team@x", "team@x");
	/* a name only */
	mapped(map, "C", "Cy@New", "Cy@New");
	mapped(map, "", "dee@old", "dee@new");
	mapped(map, "Old", "y@x", "y@x");
	/* git reads two addresses of a line */
	mapped(map, "Eve", "eve@old", "eve@new");
	mapped(map, "Eve", "eve@older", "eve@older");
	mapped(NULL, "Ann", "ann@old", "ann@old");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_of),
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_mailmap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
