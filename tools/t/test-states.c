// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <unistd.h>
#include "check.h"
#include "states-int.h"

static gint by_text(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names, sorted; "name." is one that is a member only. */
static char *names_of(struct pp *pp, GHashTable *names)
{
	g_autoptr(GList) keys = g_hash_table_get_keys(names);
	g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(g_free);

	for (GList *l = keys; l; l = l->next) {
		guint how = GPOINTER_TO_UINT(g_hash_table_lookup(names, l->data));

		g_ptr_array_add(list, g_strconcat(pp_text(pp,
			GPOINTER_TO_UINT(l->data)), how == 1 ? "." : "", NULL));
	}
	g_ptr_array_sort(list, by_text);
	g_ptr_array_add(list, NULL);
	return g_strjoinv(" ", (char **)list->pdata);
}

/* Names of the lines @from to @to of a text; closed over macros of @more. */
static void expect_names(guint32 from, guint32 to, const char *more,
			 const char *want)
{
	static const char text[] =
		"static inline int f(struct page *p)\n"
		"{\n"
		"\treturn g(p->flags) + h.x; /* no */ // no\n"
		"}\n"
		"#define mac(a) body(a)\n"
		"#define two \\\n"
		"\tlines\n"
		"#if defined(A) && B > 1\n"
		"#include <no.h>\n"
		"#endif\n"
		"const char *s = \"no\";\n";
	struct pp *pp = pp_new();
	g_autofree char *have = NULL;
	struct state_header h = {
		.lines = g_array_new(FALSE, FALSE, sizeof(guint32)),
		.names = g_hash_table_new(NULL, NULL),
	};

	for (; from <= to; from++)
		g_array_append_val(h.lines, from);
	state_names(pp, &h, text, strlen(text));
	if (more) {
		g_autofree char *file = NULL;
		int fd = g_file_open_tmp("respin-XXXXXX.h", &file, NULL);

		assert_true(fd >= 0);
		close(fd);
		assert_true(g_file_set_contents(file, more, -1, NULL));
		assert_non_null(pp_file(pp, file));
		assert_true(state_names_close(pp, h.names));
		assert_false(state_names_close(pp, h.names));
		remove(file);
	}
	have = names_of(pp, h.names);
	assert_string_equal(have, want);
	g_array_unref(h.lines);
	g_hash_table_unref(h.names);
	pp_free(pp);
}

static void names(void **state)
{
	expect_names(3, 3, NULL, "flags. g h p x.");
	expect_names(1, 1, NULL, "f inline p page");
	/* the body of a macro is read where it is used */
	expect_names(5, 7, NULL, "mac two");
	expect_names(8, 10, NULL, "A B");
	expect_names(11, 11, NULL, "s");
	/* removed at the end of the file */
	expect_names(12, 12, NULL, "");
}

static void names_of_macros(void **state)
{
	expect_names(3, 3, "#define g(v) deep(v, q->m)\n#define deep(a, b) far\n"
		     "#define other unseen\n",
		     "deep far flags. g h m. p q x.");
}

/* A run with one variant and TUs t0, t1, ... */
struct fixture {
	struct run *run;
	struct variant v;
	struct tu tus[40];
	struct states *s;
	struct plan p;
};

static int setup(void **state)
{
	struct fixture *f = g_new0(struct fixture, 1);

	f->run = run_new();
	f->run->cur = g_strdup("/nowhere");
	f->v.name = (char *)"v";
	for (guint i = 0; i < G_N_ELEMENTS(f->tus); i++) {
		f->tus[i].object = g_strdup_printf("t%u.o", i);
		f->tus[i].source = g_strdup_printf("t%u.c", i);
	}
	f->p.run = f->run;
	f->p.n = 1;
	f->p.jobs = g_ptr_array_new_with_free_func((GDestroyNotify)job_free);
	f->p.seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	g_ptr_array_unref(f->p.jobs);
	g_hash_table_unref(f->p.seen);
	run_free(f->run);
	for (guint i = 0; i < G_N_ELEMENTS(f->tus); i++) {
		g_free(f->tus[i].object);
		g_free(f->tus[i].source);
	}
	g_free(f);
	return 0;
}

/* "t1.o state, t4.o class" */
static char *planned(const GPtrArray *jobs)
{
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < jobs->len; i++) {
		const struct job *job = jobs->pdata[i];

		g_string_append_printf(s, "%s%s %s", s->len ? ", " : "",
			job->tu->object, job->why == WHY_STATE ? "state" :
			job->why == WHY_CLASS ? "class" :
			job->why == WHY_REACH ? "reach" : "?");
	}
	return g_string_free(s, FALSE);
}

static void add_state(struct state_visit *sv, const struct tu *tu, guint count,
		      guint64 a, guint64 b)
{
	struct tu_state *st = g_new0(struct tu_state, 1);

	st->tu = tu;
	st->count = count;
	st->active = g_hash_table_new(NULL, NULL);
	/* every other state compiles a line of its own */
	if (sv->order->len % 2)
		g_hash_table_add(st->active, GUINT_TO_POINTER(sv->order->len));
	st->parts = g_array_new(FALSE, FALSE, sizeof(guint64));
	g_array_append_val(st->parts, a);
	g_array_append_val(st->parts, b);
	g_ptr_array_add(sv->order, st);
}

static void pick(struct fixture *f, guint states, const char *want, bool capped,
		 guint readers)
{
	struct state_header h = { .path = (char *)"include/x.h" };
	struct state_reach reach = { .tus = g_ptr_array_new(),
				     .readers = g_ptr_array_new() };
	struct state_visit sv = { .header = &h, .variant = &f->v,
				  .reach = &reach };
	gint64 class = 7, entry = 9;
	g_autofree char *have = NULL;

	h.names = g_hash_table_new(NULL, NULL);
	sv.cands = g_array_new(FALSE, FALSE, sizeof(struct candidate));
	sv.order = g_ptr_array_new();
	sv.classes = g_hash_table_new(g_int64_hash, g_int64_equal);
	sv.entries = g_hash_table_new(g_int64_hash, g_int64_equal);
	g_hash_table_insert(sv.classes, &class, &f->tus[0]);
	g_hash_table_insert(sv.entries, &entry, &f->tus[39]);
	for (guint i = 0; i < states; i++)
		add_state(&sv, &f->tus[i], 1, i % 3, i < 3 ? 100 : i);
	((struct tu_state *)sv.order->pdata[0])->planned = true;
	states_pick(&f->p, &sv);
	have = planned(f->p.jobs);
	assert_string_equal(have, want);
	assert_int_equal(reach.capped, capped);
	assert_int_equal(reach.readers->len, readers);
	assert_ptr_equal(reach.readers->pdata[0], &f->tus[capped ? 3 : 1]);
	for (guint i = 0; i < sv.order->len; i++) {
		struct tu_state *st = sv.order->pdata[i];

		g_array_unref(st->parts);
		g_hash_table_unref(st->active);
		g_free(st);
	}
	g_ptr_array_unref(sv.order);
	g_ptr_array_unref(reach.tus);
	g_ptr_array_unref(reach.readers);
	g_array_unref(sv.cands);
	g_hash_table_unref(h.names);
	g_hash_table_unref(sv.classes);
	g_hash_table_unref(sv.entries);
}

static void few_states(void **state)
{
	struct fixture *f = *state;

	/* t0 is planned; of the others the one with most that is new first */
	pick(f, 5, "t0.o class, t4.o state, t2.o state, t3.o state, t1.o state, "
	     "t39.o state", false, 2);
	assert_int_equal(f->run->gaps->len, 0);
}

static void many_states(void **state)
{
	struct fixture *f = *state;
	const struct gap *gap;
	GString *want = g_string_new("t0.o class, t4.o state, t5.o state");

	g_string_append(want, ", t3.o state");
	for (guint i = 6; i <= 26; i++)
		g_string_append_printf(want, ", t%u.o state", i);
	g_string_append(want, ", t39.o state");
	pick(f, 30, want->str, true, 12);
	g_string_free(want, TRUE);
	assert_int_equal(f->run->gaps->len, 1);
	gap = f->run->gaps->pdata[0];
	assert_string_equal(gap->what, "include/x.h");
	assert_string_equal(gap->reason, "the names that its changed lines use "
		"stand in 30 ways in the TUs that include it; 5 of these were "
		"not compiled");
}

static struct job *alone(struct fixture *f, enum outcome outcome, bool fails)
{
	struct job *job = job_new(check_find("gcc"), &f->v, &f->tus[0],
				  "include/x.h", 1, WHY_ALONE);

	job_set_outcome(job, outcome, NULL);
	if (fails) {
		struct diag *d = diag_new();

		d->kind = DIAG_ERROR;
		g_ptr_array_add(job->diags, d);
	}
	g_ptr_array_add(f->p.jobs, job);
	return job;
}

static void add_reach(struct fixture *f, guint count, bool capped)
{
	struct state_reach *sr = g_new0(struct state_reach, 1);

	states_init(f->run, 1);
	sr->variant = &f->v;
	sr->path = g_strdup("include/x.h");
	sr->tus = g_ptr_array_new();
	sr->readers = g_ptr_array_new();
	sr->capped = capped;
	for (guint i = 0; i < count; i++)
		g_ptr_array_add(sr->tus, &f->tus[i]);
	g_hash_table_insert(f->run->states->reaches,
			    state_reach_key(&f->v, "include/x.h"), sr);
}

/* What is compiled when the header fails alone, and its parent @fails too. */
static void expect_more(struct fixture *f, bool fails, const char *want)
{
	g_autoptr(GPtrArray) parents = states_ask_parents(f->p.jobs, 0), more = NULL;
	g_autofree char *have = NULL;
	struct job *parent;

	assert_int_equal(parents->len, 1);
	parent = parents->pdata[0];
	assert_int_equal(parent->step, 0);
	assert_string_equal(parent->header, "include/x.h");
	job_set_outcome(parent, fails ? OUTCOME_FINDINGS : OUTCOME_PASS, NULL);
	if (fails) {
		struct diag *d = diag_new();

		d->kind = DIAG_ERROR;
		g_ptr_array_add(parent->diags, d);
	}
	more = states_not_alone(f->run, 1, parents, f->p.jobs);
	have = planned(more);
	assert_string_equal(have, want);
	g_ptr_array_set_free_func(more, (GDestroyNotify)job_free);
}

static void not_alone(void **state)
{
	struct fixture *f = *state;

	alone(f, OUTCOME_FINDINGS, true);
	add_reach(f, 4, false);
	g_ptr_array_add(f->p.jobs, job_new(check_find("gcc"), &f->v, &f->tus[1],
					   NULL, 1, WHY_CLASS));
	expect_more(f, true, "t0.o reach, t2.o reach, t3.o reach");
	expect_more(f, false, "");
	assert_int_equal(f->run->gaps->len, 0);
}

static void not_alone_many(void **state)
{
	struct fixture *f = *state;
	const struct gap *gap;

	f->run->reach_max = 3;
	alone(f, OUTCOME_FINDINGS, true);
	add_reach(f, 4, false);
	/* the states stand for them */
	expect_more(f, true, "");
	assert_int_equal(f->run->gaps->len, 0);
	g_hash_table_remove_all(f->run->states->reaches);
	add_reach(f, 4, true);
	expect_more(f, true, "");
	assert_int_equal(f->run->gaps->len, 1);
	gap = f->run->gaps->pdata[0];
	assert_string_equal(gap->reason, "it does not compile alone, without "
		"the series either, and 4 TUs include it, more than are "
		"compiled (3)");
}

static void stands_alone(void **state)
{
	struct fixture *f = *state;
	g_autoptr(GPtrArray) parents = NULL;

	alone(f, OUTCOME_PASS, false);
	alone(f, OUTCOME_FINDINGS, false);
	alone(f, OUTCOME_ERROR, false);
	parents = states_ask_parents(f->p.jobs, 0);
	assert_int_equal(parents->len, 0);
}

static guint add_visit(struct fixture *f)
{
	const struct change c = { .path = (char *)"include/x.h" };
	g_autoptr(GArray) cands = g_array_new(FALSE, FALSE,
					      sizeof(struct candidate));

	states_add(&f->p, &f->v, &c, cands);
	return f->run->states->visits->len;
}

/* What an earlier stage asked at the same step is not asked for its variants
 * once more. */
static void stages(void **state)
{
	struct fixture *f = *state;
	g_autoptr(GBytes) none = g_bytes_new_static("", 0);
	struct diff *d = diff_parse(none, NULL);

	assert_non_null(d);
	g_hash_table_insert(f->run->changes, g_strdup("0 1"), d);
	f->run->stage = 1;
	assert_int_equal(add_visit(f), 1);
	assert_int_equal(add_visit(f), 2);
	f->run->stage = 2;
	assert_int_equal(add_visit(f), 1);
	f->run->stage = 3;
	states_plan(&f->p);
	assert_int_equal(f->p.jobs->len, 0);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names), cmocka_unit_test(names_of_macros),
		TEST(few_states), TEST(many_states), TEST(not_alone),
		TEST(not_alone_many), TEST(stands_alone), TEST(stages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
