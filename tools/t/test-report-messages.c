// SPDX-License-Identifier: GPL-2.0
/* How notes are printed: the line of the report, and all of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "messages.h"

static void note_free(gpointer data)
{
	struct note *n = data;

	g_array_unref(n->patches);
	g_free(n->text);
	g_free(n->todo);
	g_free(n);
}

static struct messages *messages_new(void)
{
	struct messages *m = g_new0(struct messages, 1);

	m->notes = g_ptr_array_new_with_free_func(note_free);
	m->unchecked = g_ptr_array_new_with_free_func(g_free);
	return m;
}

/* @patches: "0123", a digit for each */
static void add(struct messages *m, const char *rule, const char *patches,
		bool hint, const char *text)
{
	struct note *n = g_new0(struct note, 1);

	n->rule = rule;
	n->patches = g_array_new(FALSE, FALSE, sizeof(unsigned int));
	for (; *patches; patches++) {
		unsigned int k = *patches - '0';

		g_array_append_val(n->patches, k);
	}
	n->hint = hint;
	n->text = g_strdup(text);
	n->todo = g_strdup("mend it");
	g_ptr_array_add(m->notes, n);
}

static void expect(const struct messages *m, bool verbose, const char *want)
{
	char *got = NULL;
	size_t size;
	FILE *out = open_memstream(&got, &size);

	messages_summary(m, 7, out, verbose);
	fclose(out);
	assert_string_equal(got, want);
	free(got);
}

static void test_line(void **state)
{
	struct messages *m = messages_new();

	expect(NULL, false, "");
	expect(m, true, "");
	add(m, "message/no-base", "0", true, "none");
	expect(m, false, "MESSAGES  1 hint: no-base (respin show messages)\n");
	messages_free(m);
	m = messages_new();
	add(m, "message/stale-address", "0123", false, "a");
	add(m, "message/no-signoff", "1", false, "b");
	add(m, "message/stale-address", "0", false, "c");
	expect(m, false, "MESSAGES  3 notes: 2 stale-address, no-signoff (respin show "
	       "messages)\n");
	add(m, "message/stale-address", "1", true, "d");
	expect(m, false, "MESSAGES  3 notes: 2 stale-address, no-signoff; 1 hint: "
	       "stale-address (respin\n          show messages)\n");
	messages_free(m);
}

static void test_unchecked(void **state)
{
	struct messages *m = messages_new();

	g_ptr_array_add(m->unchecked, g_strdup("recipients (no To:)"));
	expect(m, false, "MESSAGES  not checked: recipients (no To:)\n");
	add(m, "message/no-base", "0", true, "none");
	expect(m, false, "MESSAGES  1 hint: no-base (respin show messages); not "
	       "checked: recipients (no\n          To:)\n");
	messages_free(m);
}

/* What comes out of mails steers no terminal. */
static void test_list(void **state)
{
	struct messages *m = messages_new();

	add(m, "message/a", "0123", false, "evil \033[31m text");
	add(m, "message/b", "1356", true, "bytes \xff");
	expect(m, true, "MESSAGES  1 note: a; 1 hint: b (respin show messages)\n"
	       "0-3/7 message/a: evil \\x1b[31m text\n      mend it\n"
	       "1,3,5-6/7 message/b (hint): bytes \xef\xbf\xbd\n      mend it\n");
	messages_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_unchecked),
		cmocka_unit_test(test_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
