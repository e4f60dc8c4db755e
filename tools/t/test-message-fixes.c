// SPDX-License-Identifier: GPL-2.0
/* Fixes: its form, and the commit it names. */
#include "message-case.h"

/* A repository of one commit, "mm: one", as git would look it up. */
static char *subject_of(const char *hex, void *data)
{
	return g_str_has_prefix("0123456789abcdef0123456789abcdef01234567", hex) ?
	       g_strdup("mm: one") : NULL;
}

static const struct message_base whole = {
	.maintainers = "", .history = true, .subject = subject_of,
};
static const struct message_base part = {
	.maintainers = "", .subject = subject_of,
};

static void expect(const char *fixes, const char *want)
{
	g_autofree char *trailers = g_strconcat(fixes, "\n", SOB, NULL);

	expect_trailers("[PATCH] s", trailers, &whole, want);
}

#define FORM(line, why) "1 message/fixes-form: 'Fixes: " line "' " why " -> git log " \
	"-1 --abbrev=12 --format='Fixes: %h (\"%s\")' COMMIT, on one line\n"

static void test_form(void **state)
{
	expect("Fixes: 0123456789ab (\"mm: one\")", "");
	expect("fixes: 0123456789abcdef0123456789abcdef01234567 (\"mm: one\")", "");
	expect("Fixes: 01234567 (\"mm: one\")",
	       FORM("01234567 (\"mm: one\")", "has less than 12 digits"));
	expect("Fixes: 0123456789abcdef0123456789abcdef012345670 (\"mm: one\")",
	       FORM("0123456789abcdef0123456789abcdef012345670 (\"mm: one\")",
		    "has more than 40 digits"));
	expect("Fixes: 0123456789ab", FORM("0123456789ab",
	       "has not the form HEX (\"subject\")"));
	expect("Fixes: 0123456789ab mm: one", FORM("0123456789ab mm: one",
	       "has not the form HEX (\"subject\")"));
	expect("Fixes: 0123456789ab ('mm: one')", FORM("0123456789ab ('mm: one')",
	       "has not the form HEX (\"subject\")"));
	expect("Fixes: commit 0123456789ab (\"mm: one\")",
	       FORM("commit 0123456789ab (\"mm: one\")",
	       "has not the form HEX (\"subject\")"));
	expect("Fixes: 0123456789ab (\"mm: one\").", FORM(
	       "0123456789ab (\"mm: one\").", "has not the form HEX (\"subject\")"));
	expect("Fixes: 0123456789ab (\"mm:\n one\")", FORM("0123456789ab (\"mm:",
	       "goes on in the next line"));
	/* no commit is named */
	expect("Fixes: https://bugs.example.org/1", "");
	expect("Fixes: a crash", "");
	expect("Fixes: #12345", "");
	expect("Fixes: deadlock in foo", "");
	expect("Fixes: decade of bugs", "");
	expect("Fixes: 12345 (\"x\")", "");
	expect("Fixes: dec4de", FORM("dec4de", "has less than 12 digits")
	       "1 message/fixes-unknown: Fixes: dec4de is no commit of this repository"
	       " -> an id from before a rebase, or of a tree that was not fetched? "
	       "name upstream's\n");
}

static void test_commit(void **state)
{
	expect("Fixes: fedcba987654 (\"mm: one\")",
	       "1 message/fixes-unknown: Fixes: fedcba987654 is no commit of this "
	       "repository -> an id from before a rebase, or of a tree that was not "
	       "fetched? name upstream's\n");
	expect("Fixes: 0123456789ab (\"mm: two\")",
	       "1 message/fixes-subject: Fixes: 0123456789ab is \"mm: one\", the line "
	       "says \"mm: two\" -> the id or the subject is of another commit\n");
	expect("Fixes: 0123456789ab (\"mm:  one\")", "");
}

#define UNCHECKED "? whether the commits of Fixes: exist (the repository has not all " \
	"of upstream's history)\n"

/* What is not there may be anywhere; what is there can be compared. */
static void test_no_history(void **state)
{
	expect_trailers("[PATCH] s", "Fixes: fedcba987654 (\"mm: one\")\n" SOB, &part,
			UNCHECKED);
	expect_trailers("[PATCH] s", "Fixes: 0123456789ab (\"mm: two\")\n" SOB, &part,
		"1 message/fixes-subject: Fixes: 0123456789ab is \"mm: one\", the line "
		"says \"mm: two\" -> the id or the subject is of another commit\n");
	expect_trailers("[PATCH] s", SOB, &part, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_form),
		cmocka_unit_test(test_commit),
		cmocka_unit_test(test_no_history),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
