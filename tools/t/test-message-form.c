// SPDX-License-Identifier: GPL-2.0
/* base-commit: and the changelog. */
#include "message-case.h"

static const struct message_base base = { .maintainers = "", .history = true };

/* Two patches of @tag ("PATCH v2") with a cover letter, or one without. */
static void expect(const char *tag, const char *cover, const char *below,
		   const char *want)
{
	g_autoptr(GString) mbox = g_string_new(NULL);
	g_autofree char *body = g_strconcat("T\n\n" SOB "---\n", below,
					    DIFF("f") + 4, NULL);
	unsigned int total = cover ? 2 : 1;

	for (unsigned int n = cover ? 0 : 1; n <= total; n++) {
		g_autofree char *subject = g_strdup_printf("[%s %u/%u] s%u", tag,
							   n, total, n);

		mail(mbox, subject, "To: x@x\n", n ? body : cover);
	}
	expect_base(mbox->str, &base, want);
}

#define BASE "\nbase-commit: 0123456789abcdef0123456789abcdef01234567\n"
#define NOTHING(v, n) n " message/no-changelog: nothing says what is new in v" v \
	" -> list it in the cover letter or below the \"---\" of each patch (\"v" v \
	": ...\")\n"

static void test_base(void **state)
{
	expect("PATCH", "Hello.\n", "", "0 message/no-base (hint): no base-commit: "
	       "says what the series goes on -> git format-patch --base=auto\n");
	expect("PATCH", "Hello.\n" BASE, "", "");
	/* a single patch goes on anything */
	expect("PATCH", NULL, "", "");
}

static void test_changelog(void **state)
{
	expect("PATCH v2", "Hello.\n" BASE, "", NOTHING("2", "0"));
	expect("PATCH v3", NULL, "", NOTHING("3", "1"));
	expect("PATCH v2", "v2: builds\n" BASE, "", "");
	expect("PATCH v2", "Changes since v1:\n- x\n" BASE, "", "");
	expect("PATCH v2", "Changes since the first version\n- x\n" BASE, "", "");
	expect("PATCH v2", "RFC -> this:\n- x\n" BASE, "", "");
	expect("PATCH v2", "Link to v1: https://x/\n" BASE, "", "");
	expect("PATCH v2", NULL, "v2:\n - x\n", "");
	expect("PATCH v2", NULL, "Changelog:\n - x\n", "");
	expect("PATCH v2", "Hello.\n" BASE, "since v1: x\n", "");
	/* of other things than the series */
	expect("PATCH v2", "IPv6 changes a lot.\n" BASE, "", NOTHING("2", "0"));
	/* there is none before */
	expect("PATCH", NULL, "", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_base),
		cmocka_unit_test(test_changelog),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
