// SPDX-License-Identifier: GPL-2.0
/* What the version before brought: who answered, and their tags. */
#include "message-case.h"

#define BASE "base-commit: 0123456789abcdef0123456789abcdef01234567\n"
#define NIA "From: Nia New <nia@x>\n"
#define RB "Reviewed-by: Nia New <nia@x>\n"

static void add_v2(GString *mbox, const char *to, const char *cover,
		   const char *tags1, const char *tags2)
{
	g_autofree char *a = g_strconcat("T\n\n", tags1, SOB, DIFF("a"), NULL);
	g_autofree char *b = g_strconcat("T\n\n", tags2, SOB, DIFF("b"), NULL);
	g_autofree char *head = g_strdup_printf("Message-ID: <v2@x>\nTo: %s\n", to);
	g_autofree char *text = g_strconcat(cover, "\n", BASE, NULL);

	mail(mbox, "[PATCH v2 0/2] s", head, text);
	mail(mbox, "[PATCH v2 1/2] one", head, a);
	mail(mbox, "[PATCH v2 2/2] two", head, b);
}

/* What @earlier, mails, make of a v2; NULL: they are in the same mbox. */
static void expect(const char *earlier, bool same, const char *to,
		   const char *cover, const char *tags1, const char *tags2,
		   const char *want)
{
	struct message_base b = { .maintainers = "", .history = true };
	g_autoptr(GString) mbox = g_string_new(NULL);
	g_autofree char *path = mbox_file(earlier);
	g_autoptr(GError) error = NULL;

	if (!same)
		b.earlier = letters_read((char *[]){ path, NULL }, &error);
	assert_null(error);
	add_v2(mbox, to, cover, tags1, tags2);
	if (same)
		g_string_append(mbox, earlier);
	expect_base(mbox->str, &b, want);
	g_clear_pointer(&b.earlier, g_ptr_array_unref);
	g_unlink(path);
}

static char *answer(const char *subject, const char *headers, const char *text)
{
	GString *s = g_string_new(NULL);

	mail(s, subject, headers, text);
	return g_string_free(s, FALSE);
}

#define MISSING "0 message/missing-reviewer: 'Nia New <nia@x>' answered the version " \
	"before and is not in To or Cc -> add them to Cc of the whole series\n"
#define CHANGES "v2: builds\n"

static void test_reviewer(void **state)
{
	g_autofree char *nia = answer("Re: [PATCH 0/2] s", NIA, "Hm.\n");
	g_autofree char *ada = answer("Re: [PATCH 0/2] s", "From: " ADA "\n", "Hm\n");
	g_autofree char *robot = answer("Re: [PATCH 0/2] s",
		"From: kernel test robot <lkp@intel.com>\n", "Hm.\n");
	g_autofree char *now = answer("Re: [PATCH v2 0/2] s", NIA, "Hm.\n");
	g_autofree char *untagged = answer("Re: s", NIA "References: <v2@x>\n",
					   "Hm\n");

	expect(nia, true, "x@x", CHANGES, "", "", MISSING);
	expect(nia, false, "x@x", CHANGES, "", "", MISSING);
	expect(nia, false, "nia@x", CHANGES, "", "", "");
	expect(ada, false, "x@x", CHANGES, "", "", "");
	expect(robot, false, "x@x", CHANGES, "", "", "");
	/* answers to this version come with the next */
	expect(now, true, "x@x", CHANGES, "", "", "");
	expect(untagged, true, "x@x", CHANGES, "", "", "");
	expect(now, false, "x@x", CHANGES, "", "", "? the version before (no mail of "
	       "v1 in what was given)\n");
	/* whose tag is there took part */
	expect("", true, "x@x", CHANGES, RB, "",
	       "1 message/missing-reviewer (hint): 'Nia New <nia@x>' gave a tag and is "
	       "not in To or Cc -> add them to Cc of the whole series\n");
	expect("", true, "x@x", CHANGES "\n" RB, "", "",
	       "0 message/missing-reviewer (hint): 'Nia New <nia@x>' gave a tag and is "
	       "not in To or Cc -> add them to Cc of the whole series\n");
	expect("", true, "nia@x", CHANGES "\n" RB, "", "", "");
	expect("", true, "Nia New <nia@home>", CHANGES, RB, "", "");
}

#define LOST(n, sure) n " message/lost-tag" sure ": Reviewed-by: 'Nia New <nia@x>', " \
	"given to v1, is not there -> add it, or say in the changelog that it was " \
	"dropped and why\n"

static void test_lost(void **state)
{
	g_autofree char *one = answer("Re: [PATCH 1/2] one", NIA, "> x\n\n" RB);
	g_autofree char *all = answer("Re: [PATCH 0/2] s", NIA, RB);
	g_autofree char *quoted = answer("Re: [PATCH 1/2] one", NIA, "> " RB);
	g_autofree char *other = answer("Re: [PATCH 1/3] zero", NIA, RB);
	g_autofree char *old = answer("[PATCH 1/2] one", "", "T\n\n" RB SOB DIFF("a"));
	g_autofree char *old2 = answer("[PATCH 1/2] one", "", "T\n\n" RB SOB DIFF("c"));

	expect(one, true, "nia@x", CHANGES, "", "", LOST("1", " (hint)"));
	expect(one, true, "nia@x", CHANGES, RB, "", "");
	expect(one, true, "Nia New <nia@x>", CHANGES, "Reviewed-by: Nia New <nia@home>\n", "", "");
	expect(one, true, "nia@x", CHANGES, "Acked-by: Nia New <nia@x>\n", "",
	       LOST("1", " (hint)"));
	/* to the cover letter: for all */
	expect(all, true, "nia@x", CHANGES, RB, "", LOST("2", " (hint)"));
	expect(all, true, "nia@x", CHANGES, RB, RB, "");
	expect(all, true, "nia@x", CHANGES "\n" RB, "", "", "");
	expect(all, true, "nia@x", CHANGES, "", "", LOST("1,2", " (hint)"));
	/* the patch is the same as then, or another */
	expect(old, false, "nia@x", CHANGES, "", "", LOST("1", ""));
	expect(old, false, "nia@x", CHANGES, RB, "", "");
	expect(old2, false, "nia@x", CHANGES, "", "", LOST("1", " (hint)"));
	/* quoted, of a patch that is no more, or said to be dropped */
	expect(quoted, true, "nia@x", CHANGES, "", "", "");
	expect(other, true, "nia@x", CHANGES, "", "", "");
	expect(one, true, "nia@x", "v2: dropped Nia's R-b of 1/2\n", "", "", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reviewer),
		cmocka_unit_test(test_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
