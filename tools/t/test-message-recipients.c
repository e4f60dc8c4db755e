// SPDX-License-Identifier: GPL-2.0
/* Old addresses, and whom MAINTAINERS names: each with what must be silent. */
#include "message-case.h"

#define MAINTAINERS "FOO CORE\nM:\tFay One <fay@x>\nM:\tGil Two <gil@x>\n" \
	"R:\tRob <rob@old>\nL:\tfoo@lists\nF:\tfoo/\n\n" \
	"FOO PCI\nM:\tPia <pia@x>\nL:\tfoo@lists\nF:\tfoo/pci*\n\n" \
	"LIST ONLY\nL:\tlist@lists\nF:\tlist/\n\n" \
	"MOVED\nM:\tMo <mo@old>\nF:\tmoved/\n\n" \
	"BAR SOC\nM:\tBo <bo@x>\nN:\tbar\n\n" \
	"THE REST\nM:\tLinus <torvalds@x>\nL:\tlkml@lists\nF:\t*\nF:\t*/\n"
#define MAILMAP "Nia <nia@new> <nia@old>\nMo <mo@new> <mo@old>\nRob <rob@new> <rob@old>\n" \
	"Gil Two <gil@x> <gil@old>\nAda Example <ada@new> <ada@home>\n"

/* Mo is listed with an address that .mailmap replaces. */
static const struct message_base base = {
	.maintainers = MAINTAINERS, .mailmap = MAILMAP, .history = true,
};

/* One patch to @file, mailed with @headers. */
static void expect(const char *headers, const char *file, const char *trailers,
		   const char *want)
{
	g_autoptr(GString) mbox = g_string_new(NULL);
	g_autoptr(GString) body = g_string_new(NULL);

	g_string_printf(body, "Text.\n\n%s" SOB "---\n f\n\n"
		"diff --git a/%s b/%s\nindex 1..2 100644\n--- a/%s\n+++ b/%s\n"
		"@@ -1,2 +1,2 @@\n x\n-y\n+z\n-- \n2.39.5\n\n",
		trailers, file, file, file, file);
	mail(mbox, "[PATCH] s", headers, body->str);
	expect_base(mbox->str, &base, want);
}

static void test_stale(void **state)
{
	expect("To: nia@old\n", "a", "", "1 message/stale-address: To: 'nia@old' is "
	       "an old address -> use 'nia@new', as .mailmap of the base says\n");
	expect("To: nia@new\n", "a", "", "");
	expect("To: x@x\nCc: =?utf-8?q?N=C3=ADa?= <NIA@old>,\n x@x\n", "a", "",
	       "1 message/stale-address: Cc: 'N\xc3\xad" "a <NIA@old>' is an old address"
	       " -> use 'nia@new', as .mailmap of the base says\n");
	/* each of several headers */
	expect("Cc: x@x\nTo: x@x\nCC: nia@old\n", "a", "", "1 message/stale-address: "
	       "Cc: 'nia@old' is an old address -> use 'nia@new', as .mailmap of the "
	       "base says\n");
	/* MAINTAINERS lists it */
	expect("To: rob@old\n", "a", "", "");
	/* in a trailer: a hint; in both: once */
	expect("To: x@x\n", "a", "Suggested-by: Nia <nia@old>\n",
	       "1 message/stale-address (hint): Suggested-by: 'Nia <nia@old>' is an "
	       "old address -> use 'nia@new', as .mailmap of the base says\n");
	expect("To: x@x\n", "a", "Suggested-by: Nia <nia@new>\n", "");
	expect("To: x@x\nCc: nia@old\n", "a", "Cc: Nia <nia@old>\n"
	       "Acked-by: Nia <nia@old>\n",
	       "1 message/stale-address: Cc, Acked-by: 'nia@old' is an old address"
	       " -> use 'nia@new', as .mailmap of the base says\n");
	expect("To: x@x\nFrom: Ada Example <ada@home>\n", "a", "",
	       "1 message/stale-address (hint): From: 'Ada Example <ada@home>' is an "
	       "old address -> use 'ada@new', as .mailmap of the base says\n");
}

static void test_missing(void **state)
{
	expect("To: x@x\n", "foo/a.c", "",
	       "1 message/missing-maintainer: not in To or Cc: 'Fay One <fay@x>', "
	       "'Gil Two <gil@x>', 'foo@lists' -> add them: MAINTAINERS has them in "
	       "FOO CORE\n");
	expect("To: Fay One <fay@x>, gil@x\nCc: foo@lists\n", "foo/a.c", "", "");
	expect("To: fay@x\nCc: gil@x\n", "foo/a.c", "",
	       "1 message/missing-list: not in To or Cc: 'foo@lists' -> add them: "
	       "MAINTAINERS has them in FOO CORE\n");
	/* by name, by .mailmap, by case, by a trailer, by being the sender */
	expect("To: Fay One <me@home>, GIL@x\nCc: Foo@Lists\n", "foo/a.c", "", "");
	expect("To: fay@x, gil@old\nCc: foo@lists\n", "foo/a.c", "",
	       "1 message/stale-address: To: 'gil@old' is an old address -> use "
	       "'gil@x', as .mailmap of the base says\n");
	expect("To: foo@lists\n", "foo/a.c", "Cc: fay@x\nAcked-by: Gil <gil@x>\n",
	       "1 message/missing-reviewer (hint): 'Gil <gil@x>' gave a tag and is not"
	       " in To or Cc -> add them to Cc of the whole series\n");
	expect("From: Fay One <fay@x>\nTo: gil@x, foo@lists\n", "foo/a.c",
	       "Signed-off-by: Fay One <fay@x>\n", "");
	/* the deepest section; THE REST is nobody's; N: is a hint */
	expect("To: x@x\n", "foo/pci.c", "",
	       "1 message/missing-maintainer: not in To or Cc: 'Pia <pia@x>', "
	       "'foo@lists' -> add them: MAINTAINERS has them in FOO PCI\n");
	expect("To: x@x\n", "README", "", "");
	expect("To: x@x\n", "lib/bar.c", "",
	       "1 message/missing-maintainer (hint): not in To or Cc: 'Bo <bo@x>' -> "
	       "add them: MAINTAINERS has them in BAR SOC\n");
	expect("To: x@x\n", "moved/a.c", "",
	       "1 message/missing-maintainer: not in To or Cc: 'Mo <mo@new>' -> add "
	       "them: MAINTAINERS has them in MOVED\n");
	expect("To: mo@old\n", "moved/a.c", "", "");
	expect("To: mo@new\n", "moved/a.c", "", "");
	expect("To: x@x\n", "list/a.c", "",
	       "1 message/missing-list: not in To or Cc: 'list@lists' -> add them: "
	       "MAINTAINERS has them in LIST ONLY\n");
}

/* Who got the cover letter or another patch knows of it. */
static void test_elsewhere(void **state)
{
	g_autoptr(GString) mbox = g_string_new(NULL);

	mail(mbox, "[PATCH 0/2] s", "To: fay@x, gil@x, foo@lists\n",
	     "base-commit: 0123456789\n");
	mail(mbox, "[PATCH 1/2] a", "To: foo@lists\nCc: gil@x\n",
	     "T\n\n" SOB DIFF("foo/a"));
	mail(mbox, "[PATCH 2/2] b", "To: foo@lists\n", "T\n\n" SOB DIFF("foo/b"));
	expect_base(mbox->str, &base,
		"1 message/missing-maintainer (hint): not in To or Cc of this patch: "
		"'Fay One <fay@x>' -> add them: MAINTAINERS has them in FOO CORE\n"
		"2 message/missing-maintainer (hint): not in To or Cc of this patch: "
		"'Fay One <fay@x>', 'Gil Two <gil@x>' -> add them: MAINTAINERS has "
		"them in FOO CORE\n");
}

static void test_treewide(void **state)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GString) body = g_string_new("T\n\n" SOB "---\n");
	g_autoptr(GString) mbox = g_string_new(NULL);
	struct message_base b = { .history = true };

	for (int i = 0; i < 9; i++) {
		g_string_append_printf(text, "S%d\nM:\tM%d <m%d@x>\nF:\td%d/\n\n",
				       i, i, i, i);
		g_string_append_printf(body, "diff --git a/d%d/f b/d%d/f\n"
			"--- a/d%d/f\n+++ b/d%d/f\n@@ -1 +1 @@\n-y\n+z\n",
			i, i, i, i);
	}
	b.maintainers = text->str;
	mail(mbox, "[PATCH] s", "To: m0@x\n", body->str);
	expect_base(mbox->str, &b,
		"1 message/missing-maintainer (hint): of the 9 sections of MAINTAINERS "
		"that are touched 8 have no maintainer in To or Cc -> see "
		"scripts/get_maintainer.pl; the first is S1\n");
}

static void test_not_judged(void **state)
{
	struct message_base b = { .history = true, .mailmap = MAILMAP };
	g_autoptr(GString) mbox = g_string_new(NULL);

	/* before it is sent there is nothing to say */
	expect("", "foo/a.c", "", "? recipients (the mails have no To: and Cc: "
	       "yet)\n");
	mail(mbox, "[PATCH] s", "To: nia@old\n", "T\n\n" SOB DIFF("foo/a"));
	expect_base(mbox->str, &b, "! MAINTAINERS of the base cannot be read\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stale),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_elsewhere),
		cmocka_unit_test(test_treewide),
		cmocka_unit_test(test_not_judged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
