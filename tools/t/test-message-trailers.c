// SPDX-License-Identifier: GPL-2.0
/* Sign-offs, robots and stable: each with what must be silent. */
#include "message-case.h"

static const struct message_base base = { .maintainers = "", .history = true };

#define ROBOT "Reported-by: kernel test robot <lkp@intel.com>\n"
#define SYZBOT "Reported-by: syzbot+1@syzkaller.appspotmail.com\n"
#define CLOSES "Closes: https://lore.kernel.org/oe-kbuild-all/1@intel.com/\n"
#define FIXES "Fixes: 0123456789ab (\"s\")\n"
#define V2 "[PATCH v2] s"

static char *subject_of(const char *hex, void *data)
{
	return g_strdup("s");
}

static void expect(const char *subject, const char *trailers, const char *want)
{
	struct message_base b = base;

	b.subject = subject_of;
	expect_trailers(subject, trailers, &b, want);
}

/* Bob mails what Ada wrote. */
static void expect_sender(const char *from, const char *trailers,
			  const char *want)
{
	g_autoptr(GString) mbox = g_string_new(NULL);
	g_autofree char *body = g_strconcat("From: " ADA "\n\nText.\n\n",
					    trailers, DIFF("f"), NULL);
	g_autofree char *headers = g_strdup_printf("From: %s\nTo: x@x\n", from);

	mail(mbox, "[PATCH] s", headers, body);
	expect_base(mbox->str, &base, want);
}

static void test_signoffs(void **state)
{
	expect("[PATCH] s", "", "1 message/no-signoff: there is no Signed-off-by: -> "
	       "git commit --amend -s\n");
	expect("[PATCH] s", SOB, "");
	expect("[PATCH] s", "Signed-off-by: Ada Example <ada@home>\n", "");
	expect("[PATCH] s", "Signed-off-by: ada <ADA@example.org>\n", "");
	expect("[PATCH] s", "Signed-off-by: Bob <bob@x>\n",
	       "1 message/author-signoff: none of the Signed-off-by: is of the author,"
	       " '" ADA "' -> the author signs off, or From: names another\n");
	expect_sender("Bob <bob@x>", SOB,
	       "1 message/sender-signoff: 'Bob <bob@x>' sends a patch of 'Ada Example'"
	       " and does not sign it off -> add your own Signed-off-by: as the last "
	       "one\n");
	expect_sender("Bob <bob@x>", SOB "Signed-off-by: Bob <bob@x>\n", "");
	/* passed on by a machine */
	expect_sender("Ada via B4 Relay <devnull+ada.example.org@kernel.org>", SOB,
		      "");
}

static void test_robot_closes(void **state)
{
	expect("[PATCH] s", FIXES ROBOT SOB,
	       "1 message/robot-closes: no Closes: follows Reported-by: "
	       "'lkp@intel.com' -> add the Closes: (or Link:) line of the report\n");
	expect("[PATCH] s", FIXES ROBOT CLOSES SOB, "");
	expect("[PATCH] s", FIXES ROBOT "Link: https://x/\n" SOB, "");
	expect("[PATCH] s", FIXES SYZBOT SOB,
	       "1 message/robot-closes: no Closes: follows Reported-by: "
	       "'syzbot+1@syzkaller.appspotmail.com' -> add the Closes: (or Link:) line"
	       " of the report\n");
	/* the link is of the other report */
	expect("[PATCH] s", FIXES ROBOT SYZBOT CLOSES SOB,
	       "1 message/robot-closes: no Closes: follows Reported-by: "
	       "'lkp@intel.com' -> add the Closes: (or Link:) line of the report\n");
	/* people's reports may be nowhere on the web */
	expect("[PATCH] s", FIXES "Reported-by: Nia <nia@x>\n" SOB, "");
}

#define NEW "1 message/robot-new-version (hint): Reported-by: 'lkp@intel.com' in a " \
	"new version of the patch, without Fixes: -> leave it out when the report " \
	"was of an earlier version: it is for a commit of its own\n"
#define CHANGES "\nv2: builds\n\n"

static void test_robot_version(void **state)
{
	expect(V2, CHANGES ROBOT CLOSES SOB, NEW);
	expect(V2, CHANGES FIXES ROBOT CLOSES SOB, "");
	expect(V2, CHANGES SYZBOT CLOSES SOB, "");
	expect("[PATCH] s", ROBOT CLOSES SOB, "");
}

/* The robot's mail is among those of the version before. */
static void test_robot_answer(void **state)
{
	g_autoptr(GString) mbox = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	struct message_base b = base;
	g_autofree char *path = NULL;

	mail(mbox, "Re: [PATCH] s", "From: kernel test robot <lkp@intel.com>\n"
	     "Message-ID: <1@intel.com>\n", "Hi.\n");
	path = mbox_file(mbox->str);
	b.earlier = letters_read((char *[]){ path, NULL }, &error);
	b.subject = subject_of;
	assert_null(error);
	expect_trailers(V2, CHANGES FIXES ROBOT CLOSES SOB, &b,
	       "1 message/robot-new-version: Reported-by: 'lkp@intel.com' in a new "
	       "version of the patch that was reported -> leave it out when the report"
	       " was of an earlier version: it is for a commit of its own\n");
	expect_trailers(V2, CHANGES FIXES ROBOT "Closes: https://x/2@intel.com\n"
			SOB, &b, "");
	g_ptr_array_unref(b.earlier);
	g_unlink(path);
}

#define FORM(sure, line) "1 message/stable-form" sure ": '" line "' is no form that " \
	"the stable team knows -> write 'Cc: stable@vger.kernel.org', with '# 6.1+' " \
	"behind it where a version is needed\n"

static void test_stable_form(void **state)
{
	expect("[PATCH] s", "Cc: stable@vger.kernel.org\n" SOB, "");
	expect("[PATCH] s", "Cc: <stable@vger.kernel.org> # 6.1+\n" SOB, "");
	expect("[PATCH] s", "Cc: \"stable@vger.kernel.org\" "
	       "<stable@vger.kernel.org> # 6.1 <stable@vger.kernel.org>\n" SOB, "");
	expect("[PATCH] s", "Cc: stable <stable@kernel.org>\n" SOB, "");
	expect("[PATCH] s", "CC: stable+noautosel@kernel.org # a feature\n" SOB, "");
	expect("[PATCH] s", "Cc: Stable Sam <sam@x>\n" SOB, "");
	expect("[PATCH] s", "Cc: Sam <stable@x>\n" SOB,
	       FORM("", "Cc: Sam <stable@x>"));
	expect("[PATCH] s", "Cc: stable\n" SOB, FORM("", "Cc: stable"));
	expect("[PATCH] s", "Cc: stable@vger.kernel.or\n" SOB,
	       FORM("", "Cc: stable@vger.kernel.or"));
	expect("[PATCH] s", "Cc: stable@vger.kernel.org 6.1+\n" SOB,
	       FORM(" (hint)", "Cc: stable@vger.kernel.org 6.1+"));
	expect("[PATCH] s", "Cc: Sam <sam@stable.org>\n" SOB, "");
}

static void expect_stable(const char *subject, const char *text,
			  const char *trailers, const char *want)
{
	g_autoptr(GString) mbox = g_string_new(NULL);
	g_autofree char *body = g_strconcat(text, "\n\n", trailers, SOB,
					    DIFF("f"), NULL);

	mail(mbox, subject, "To: stable@vger.kernel.org\n", body);
	expect_base(mbox->str, &base, want);
}

static void test_stable_trailer(void **state)
{
	expect_stable("[PATCH] s", "Text", "",
		"1 message/stable-trailer: stable@vger.kernel.org is in To or Cc, and "
		"the patch has no 'Cc: stable' -> the stable team picks by the trailer:"
		" add it, or leave the address out\n");
	expect_stable("[PATCH] s", "Text", "Cc: stable@vger.kernel.org\n", "");
	/* for a stable tree itself */
	expect_stable("[PATCH 6.1.y] s", "Text", "", "");
	expect_stable("[PATCH stable] s", "Text", "", "");
	expect_stable("[PATCH] s", "commit 0123 upstream.", "", "");
	expect_stable("[PATCH] s", "[ Upstream commit 0123 ]", "", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_signoffs),
		cmocka_unit_test(test_robot_closes),
		cmocka_unit_test(test_robot_version),
		cmocka_unit_test(test_robot_answer),
		cmocka_unit_test(test_stable_form),
		cmocka_unit_test(test_stable_trailer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
