// SPDX-License-Identifier: GPL-2.0
/* Types from the XML of abidw, and what of them changed for user space. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "abi.h"
#include "diag.h"
#include "error.h"

/* As abidw 2.2 prints them, less what is not read. */
#define CORPUS(body) \
	"<abi-corpus version='2.1' architecture='elf-amd-x86_64'>" \
	"<abi-instr address-size='64' path='&lt;stdin&gt;'>" \
	"<type-decl name='int' size-in-bits='32' id='int'/>" \
	"<type-decl name='long int' size-in-bits='64' id='long'/>" \
	"<type-decl name='char' size-in-bits='8' id='char'/>" \
	"<typedef-decl name='__u32' type-id='int' filepath='./linux/t.h' id='u32'/>" \
	"<array-type-def dimensions='1' type-id='char' size-in-bits='64' id='c8'>" \
	"<subrange length='8' type-id='long' id='r8'/></array-type-def>" \
	"<array-type-def dimensions='1' type-id='char' size-in-bits='32' id='c4'>" \
	"<subrange length='4' type-id='long' id='r4'/></array-type-def>" \
	"<array-type-def dimensions='1' type-id='char' id='flex'>" \
	"<subrange length='infinite' type-id='long' id='rx'/></array-type-def>" \
	body "</abi-instr></abi-corpus>"
#define AT(file, line) " filepath='./linux/" file "' line='" #line "'"
#define STRUCT(id, name, size, line, members) \
	"<class-decl name='" name "' size-in-bits='" #size "' is-struct='yes'" \
	AT("a.h", line) " id='" id "'>" members "</class-decl>"
#define NONAME(id, size, members) \
	"<class-decl name='__anonymous_struct__' is-anonymous='yes' size-in-bits='" \
	#size "' is-struct='yes'" AT("a.h", 1) " id='" id "'>" members \
	"</class-decl>"
#define UNION(id, size, members) \
	"<union-decl name='__anonymous_union__' is-anonymous='yes' size-in-bits='" \
	#size "'" AT("a.h", 1) " id='" id "'>" members "</union-decl>"
#define M(name, type, offset) \
	"<data-member access='public' layout-offset-in-bits='" #offset "'>" \
	"<var-decl name='" name "' type-id='" type "' visibility='default'" \
	AT("a.h", 1) "/></data-member>"
#define ENUM(id, attrs, line, values) \
	"<enum-decl " attrs AT("a.h", line) " id='" id "'>" \
	"<underlying-type type-id='int'/>" values "</enum-decl>"
#define ANON "name='__anonymous_enum__' is-anonymous='yes'"
#define E(name, value) "<enumerator name='" name "' value='" #value "'/>"

static char *said(const GPtrArray *diags)
{
	GString *s = g_string_new("");

	for (guint i = 0; i < diags->len; i++) {
		const struct diag *d = diags->pdata[i];

		assert_string_equal(d->check, "uapi");
		assert_int_equal(d->kind, DIAG_WARNING);
		g_string_append_printf(s, "%s:%u: %s [%s]\n", d->file, d->line,
				       d->message, d->rule);
		for (guint k = 0; k < d->follow_ons->len; k++) {
			const struct diag *f = d->follow_ons->pdata[k];

			g_string_append_printf(s, "\t%s\n", f->message);
		}
		for (guint k = 0; k < d->notes->len; k++)
			g_string_append_printf(s, "\tnote %s\n",
					       (char *)d->notes->pdata[k]);
	}
	return g_string_free(s, FALSE);
}

/* From @was to @is, as the job of linux/a.h says it. */
static void expect(const char *was, const char *is, const char *want)
{
	g_autoptr(GError) error = NULL;
	struct abi *a = abi_parse(was, strlen(was), &error);
	struct abi *b = a ? abi_parse(is, strlen(is), &error) : NULL;
	g_autoptr(GPtrArray) diags = NULL, same = NULL;
	g_autofree char *got = NULL;

	assert_null(error);
	diags = abi_diags(a, b, "linux/a.h");
	got = said(diags);
	assert_string_equal(got, want);
	same = abi_diags(b, b, "linux/a.h");
	assert_int_equal(same->len, 0);
	abi_free(a);
	abi_free(b);
}

#define PLAIN STRUCT("s", "s", 64, 3, M("a", "int", 0) M("b", "int", 32))

static void test_struct(void **state)
{
	expect(CORPUS(PLAIN), CORPUS(PLAIN), "");
	/* through a typedef it is the same type; it may move in the file */
	expect(CORPUS(PLAIN), CORPUS(STRUCT("s", "s", 64, 5, M("a", "u32", 0)
					    M("b", "int", 32))), "");
}

static void test_changes(void **state)
{
	/* in front, at the end, in place of another */
	expect(CORPUS(PLAIN), CORPUS(STRUCT("s", "s", 96, 5, M("n", "int", 0)
			M("a", "int", 32) M("b", "int", 64))),
	       "linux/a.h:5: 'struct s' is not laid out as it was before the series "
	       "[layout]\n\tits size changed from 8 to 12 bytes\n"
	       "\tmember 'a' moved from byte 0 to byte 4\n"
	       "\tmember 'b' moved from byte 4 to byte 8\n"
	       "\tnote linux/a.h:5: new member 'n' at byte 0\n");
	expect(CORPUS(PLAIN), CORPUS(STRUCT("s", "s", 96, 3, M("a", "int", 0)
			M("b", "int", 32) M("n", "int", 64))),
	       "linux/a.h:3: 'struct s' is not laid out as it was before the series "
	       "[layout]\n\tits size changed from 8 to 12 bytes\n"
	       "\tnote linux/a.h:3: new member 'n' at byte 8\n");
	expect(CORPUS(PLAIN), CORPUS(STRUCT("s", "s", 64, 3, M("a", "int", 0)
			M("c", "int", 32))),
	       "linux/a.h:3: 'struct s' is not laid out as it was before the series "
	       "[layout]\n\tmember 'b' is gone\n"
	       "\tnote linux/a.h:3: new member 'c' at byte 4\n");
	expect(CORPUS(PLAIN), CORPUS(STRUCT("s", "s", 64, 3, M("a", "int", 0)
			M("b", "c4", 32))),
	       "linux/a.h:3: 'struct s' is not laid out as it was before the series "
	       "[layout]\n\tmember 'b' is of type 'char[4]', it was of type 'int'\n");
	expect(CORPUS(STRUCT("s", "s", 32, 3, M("a", "int", 0) M("b", "flex", 32))),
	       CORPUS(STRUCT("s", "s", 64, 3, M("a", "int", 0) M("n", "int", 32)
			     M("b", "flex", 64))),
	       "linux/a.h:3: 'struct s' is not laid out as it was before the series "
	       "[layout]\n\tits size changed from 4 to 8 bytes\n"
	       "\tmember 'b' moved from byte 4 to byte 8\n"
	       "\tnote linux/a.h:3: new member 'n' at byte 4\n");
	expect(CORPUS(STRUCT("s", "s", 32, 3, M("a", "int", 0) M("b", "int", 3))),
	       CORPUS(STRUCT("s", "s", 32, 3, M("a", "int", 0) M("b", "int", 4))),
	       "linux/a.h:3: 'struct s' is not laid out as it was before the series "
	       "[layout]\n\tmember 'b' moved from bit 3 to bit 4\n");
}

static void test_padding(void **state)
{
	/* what was padding may be used; another member may not */
	expect(CORPUS(STRUCT("s", "s", 96, 3, M("a", "int", 0) M("pad", "c8", 32))),
	       CORPUS(STRUCT("s", "s", 96, 3, M("a", "int", 0) M("n", "int", 32)
			     M("pad", "c4", 64))), "");
	expect(CORPUS(STRUCT("s", "s", 96, 3, M("a", "int", 0)
			     M("__reserved2", "c8", 32))),
	       CORPUS(STRUCT("s", "s", 96, 3, M("a", "int", 0)
			     M("n", "c8", 32))), "");
	expect(CORPUS(STRUCT("s", "s", 96, 3, M("a", "int", 0) M("tpad", "c8", 32))),
	       CORPUS(STRUCT("s", "s", 96, 3, M("a", "int", 0) M("n", "c8", 32))),
	       "linux/a.h:3: 'struct s' is not laid out as it was before the series "
	       "[layout]\n\tmember 'tpad' is gone\n"
	       "\tnote linux/a.h:3: new member 'n' at byte 4\n");
	expect(CORPUS(STRUCT("s", "s", 96, 3, M("a", "int", 0) M("pad", "c8", 32))),
	       CORPUS(STRUCT("s", "s", 64, 3, M("a", "int", 0) M("pad", "c4", 32))),
	       "linux/a.h:3: 'struct s' is not laid out as it was before the series "
	       "[layout]\n\tits size changed from 12 to 8 bytes\n"
	       "\tmember 'pad' is of type 'char[4]', it was of type 'char[8]'\n");
}

static void test_nested(void **state)
{
#define INNER(size, more) \
	STRUCT("i", "i", size, 2, M("q", "int", 0) more)
	/* it moves only since it holds the other */
	expect(CORPUS(INNER(32, "") STRUCT("o", "o", 64, 7, M("i", "i", 0)
					   M("z", "int", 32))),
	       CORPUS(INNER(64, M("r", "int", 32)) STRUCT("o", "o", 96, 7,
			M("i", "i", 0) M("z", "int", 64))),
	       "linux/a.h:2: 'struct i' is not laid out as it was before the series "
	       "[layout]\n\tits size changed from 4 to 8 bytes\n"
	       "\tnote linux/a.h:2: new member 'r' at byte 4\n");
	/* ... and one of its own goes */
	expect(CORPUS(INNER(32, "") STRUCT("o", "o", 64, 7, M("i", "i", 0)
					   M("z", "int", 32))),
	       CORPUS(INNER(64, M("r", "int", 32)) STRUCT("o", "o", 64, 7,
			M("i", "i", 0))),
	       "linux/a.h:2: 'struct i' is not laid out as it was before the series "
	       "[layout]\n\tits size changed from 4 to 8 bytes\n"
	       "\tnote linux/a.h:2: new member 'r' at byte 4\n"
	       "linux/a.h:7: 'struct o' is not laid out as it was before the series "
	       "[layout]\n\tmember 'z' is gone\n");
	/* parts without a name: of a union, of an array */
	expect(CORPUS(NONAME("n", 32, M("x", "int", 0)) UNION("u", 32, M("", "n", 0)
			M("w", "int", 0)) STRUCT("o", "o", 64, 7,
			M("h", "int", 0) M("", "u", 32))),
	       CORPUS(NONAME("n", 32, M("y", "int", 0)) UNION("u", 32, M("", "n", 0)
			M("w", "int", 0)) STRUCT("o", "o", 64, 7,
			M("h", "int", 0) M("", "u", 32))),
	       "linux/a.h:7: 'struct o' is not laid out as it was before the series "
	       "[layout]\n\tmember 'x' is gone\n"
	       "\tnote linux/a.h:7: new member 'y' at byte 4\n");
	expect(CORPUS(NONAME("n", 32, M("x", "int", 0))
		      STRUCT("o", "o", 32, 7, M("in", "n", 0))),
	       CORPUS(NONAME("n", 64, M("w", "int", 0) M("x", "int", 32))
		      STRUCT("o", "o", 64, 7, M("in", "n", 0))),
	       "linux/a.h:7: 'struct o' is not laid out as it was before the series "
	       "[layout]\n\tits size changed from 4 to 8 bytes\n"
	       "\tmember 'in.x' moved from byte 0 to byte 4\n"
	       "\tnote linux/a.h:7: new member 'in.w' at byte 0\n");
	/* a union that has one more takes no more place */
	expect(CORPUS(UNION("u", 32, M("a", "int", 0))
		      STRUCT("o", "o", 32, 7, M("u", "u", 0))),
	       CORPUS(UNION("u", 32, M("a", "int", 0) M("b", "c4", 0))
		      STRUCT("o", "o", 32, 7, M("u", "u", 0))), "");
}

static void test_gone(void **state)
{
	expect(CORPUS(PLAIN), CORPUS(""),
	       "linux/a.h:0: 'struct s' is gone [removed]\n");
	expect(CORPUS(""), CORPUS(PLAIN), "");
	/* of another header: it is included no more, or has a job of its own */
	expect(CORPUS("<class-decl name='s' size-in-bits='0' is-struct='yes'"
		      AT("b.h", 3) " id='s'></class-decl>"), CORPUS(""), "");
	/* of the C library, or only declared */
	expect(CORPUS("<class-decl name='s' size-in-bits='0' is-struct='yes' "
		      "filepath='/usr/include/s.h' line='3' id='s'></class-decl>"),
	       CORPUS(""), "");
	expect(CORPUS("<class-decl name='s' is-struct='yes' "
		      "is-declaration-only='yes'" AT("a.h", 3) " id='s'/>"),
	       CORPUS(""), "");
}

static void test_enum(void **state)
{
	/* one more before the end, and one in between */
	expect(CORPUS(ENUM("e", "name='e'", 4, E("A", 0) E("E_MAX", 1))),
	       CORPUS(ENUM("e", "name='e'", 4, E("A", 0) E("B", 1) E("E_MAX", 2))),
	       "");
	expect(CORPUS(ENUM("e", "name='e'", 4, E("A", 0) E("C", 1))),
	       CORPUS(ENUM("e", "name='e'", 4, E("A", 0) E("B", 1) E("C", 2))),
	       "linux/a.h:4: 'enum e' does not have the values it had before the "
	       "series [enumerators]\n\t'C' is 2, it was 1\n");
	expect(CORPUS(ENUM("e", "name='e'", 4, E("A", 0) E("E_MAX", 1))),
	       CORPUS(ENUM("e", "name='e'", 9, E("A", 0))),
	       "linux/a.h:9: 'enum e' does not have the values it had before the "
	       "series [enumerators]\n\t'E_MAX' is gone\n");
	/* without a name: they are known by what they hold, not by their order */
	expect(CORPUS(ENUM("e", ANON, 4, E("A", 0)) ENUM("f", ANON, 5, E("B", 7))),
	       CORPUS(ENUM("d", ANON, 4, E("N", 3)) ENUM("e", ANON, 5, E("A", 0))
		      ENUM("f", ANON, 6, E("B", 7))), "");
	expect(CORPUS(ENUM("e", ANON, 4, E("A", 0) E("B", 1))),
	       CORPUS(ENUM("d", ANON, 4, E("N", 3)) ENUM("e", ANON, 5, E("A", 0)
		      E("B", 2))),
	       "linux/a.h:5: the enum with 'A' does not have the values it had before "
	       "the series [enumerators]\n\t'B' is 2, it was 1\n");
	expect(CORPUS(ENUM("e", "name='e'", 4, E("A", 0))), CORPUS(""),
	       "linux/a.h:0: 'enum e' is gone [removed]\n\t'A' is gone\n");
}

static void test_bad(void **state)
{
	static const char *const texts[] = { "", "<abi-corpus", "<x></x>",
					     "<abi-corpus></x>" };

	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(GError) error = NULL;

		assert_null(abi_parse(texts[i], strlen(texts[i]), &error));
		assert_true(g_error_matches(error, RESPIN_ERROR,
					    RESPIN_ERROR_TOOL));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_struct),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_padding),
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_gone),
		cmocka_unit_test(test_enum),
		cmocka_unit_test(test_bad),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
