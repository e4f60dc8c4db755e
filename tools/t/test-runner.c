// SPDX-License-Identifier: GPL-2.0
/* What the runner takes from the store, and what it runs again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "budget.h"
#include "check.h"

static unsigned int judged;
static const char *says;	/* the message of the one diagnostic; NULL: none */
static bool fatal;

static bool makes_object;

static char **argv_of(const struct job *job, const char *srcdir,
		      const char *jobdir)
{
	g_autofree char *compile = g_strdup_printf("gcc -c -o %s/o.o %s/a.c",
						   jobdir, srcdir);

	/* the key may not hang on it: the second job is to be reused */
	return g_strsplit(makes_object && *jobdir == '/' ? compile : "true", " ",
			  -1);
}

static void judge(struct job *job, const struct proc_job *p, const char *srcdir)
{
	judged++;
	assert_int_equal(p->end, PROC_EXITED);
	job->diags = g_ptr_array_new_with_free_func((GDestroyNotify)diag_free);
	if (says) {
		struct diag *d = diag_new();

		d->kind = DIAG_ERROR;
		d->fatal = fatal;
		g_free(d->message);
		d->message = g_strdup(says);
		g_ptr_array_add(job->diags, d);
	}
	job_set_outcome(job, says ? OUTCOME_FINDINGS : OUTCOME_PASS, NULL);
}

static const struct check check = { .name = "t", .version = "1",
				    .argv = argv_of, .judge = judge };

/* How often a tool ran when the same job is asked for twice. */
static unsigned int run_twice(const char *message, bool is_fatal)
{
	g_autofree char *dir = g_dir_make_tmp("respin-runner-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "store", NULL);
	g_autofree char *jobs = g_build_filename(dir, "jobs", NULL);
	struct tu tu = { .object = (char *)"a.o", .source = (char *)"a.c" };
	struct variant v = { .name = (char *)"v", .config_hash = (char *)"c",
			     .toolchain = (char *)"t", .odir = dir,
			     .tooldir = dir };
	struct sandbox sb = { .off = true };
	struct runner r = { .sandbox = &sb, .reuse = true, .width = 1,
			    .seconds = 30, .base_tree = "base", .tmpdir = jobs };

	g_autofree char *source = g_build_filename(dir, "a.c", NULL);

	assert_true(g_file_set_contents(source, "void g(void);\n"
		"void f(void) { g(); }\n", -1, NULL));
	judged = 0;
	says = message;
	fatal = is_fatal;
	r.store = store_open(path, NULL);
	assert_non_null(r.store);
	for (int i = 0; i < 2; i++) {
		g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(
						(GDestroyNotify)job_free);
		struct job *job = job_new(&check, &v, &tu, NULL, 1, WHY_SOURCE);

		g_ptr_array_add(list, job);
		assert_int_equal(runner_run(&r, list, dir, "tree"), 0);
		assert_true(job_usable(job));
		assert_int_equal(job->diags->len, message != NULL);
		assert_int_equal(job->symbols != NULL, makes_object);
		if (makes_object) {
			g_autofree char *text = elf_symbols_to_text(job->symbols);

			assert_string_equal(text, "O\nU g f\nD f\n");
		}
	}
	store_close(r.store);
	g_unlink(path);
	g_unlink(source);
	g_rmdir(jobs);
	g_rmdir(dir);
	return judged;
}

static void test_reuse(void **state)
{
	assert_int_equal(run_twice(NULL, false), 1);
	assert_int_equal(run_twice("broken", false), 1);
	assert_int_equal(run_twice("#error", true), 1);
}

/* make may have generated the file in between: the key does not say. */
static void test_missing_file(void **state)
{
	assert_int_equal(run_twice("x.h: No such file or directory", true), 2);
}

/* Past the deadline nothing is started; what is stored costs nothing. */
static void test_deadline(void **state)
{
	g_autofree char *dir = g_dir_make_tmp("respin-runner-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "store", NULL);
	g_autofree char *jobs = g_build_filename(dir, "jobs", NULL);
	struct tu a = { .object = (char *)"a.o", .source = (char *)"a.c" };
	struct tu b = { .object = (char *)"b.o", .source = (char *)"b.c" };
	struct variant v = { .name = (char *)"v", .config_hash = (char *)"c",
			     .toolchain = (char *)"t", .odir = dir,
			     .tooldir = dir };
	struct sandbox sb = { .off = true };
	struct runner r = { .sandbox = &sb, .reuse = true, .width = 1,
			    .seconds = 30, .base_tree = "base", .tmpdir = jobs };

	judged = 0;
	says = NULL;
	r.store = store_open(path, NULL);
	for (int i = 0; i < 2; i++) {
		g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(
						(GDestroyNotify)job_free);
		struct job *first = job_new(&check, &v, &a, "a.h", 1, WHY_ALONE);
		struct job *second = job_new(&check, &v, &b, "b.h", 1, WHY_CLASS);

		r.deadline = i ? g_get_monotonic_time() :
			     g_get_monotonic_time() + 30 * G_USEC_PER_SEC;
		g_ptr_array_add(list, first);
		if (i)
			g_ptr_array_add(list, second);
		else
			job_free(second);
		assert_int_equal(runner_run(&r, list, dir, "tree"), 0);
		assert_int_equal(first->outcome, OUTCOME_PASS);
		assert_int_equal(first->reused, i);
		if (!i)
			continue;
		assert_true(second->done);
		assert_int_equal(second->outcome, OUTCOME_SKIPPED);
		assert_string_equal(second->reason, BUDGET_SPENT);
	}
	assert_int_equal(judged, 1);
	store_close(r.store);
	g_unlink(path);
	g_rmdir(jobs);
	g_rmdir(dir);
}

static bool lacks(enum diag_kind kind, bool stops, const char *message)
{
	struct job *job = job_new(NULL, NULL, NULL, NULL, 1, WHY_SOURCE);
	struct diag *d = diag_new();
	bool ret;

	d->kind = kind;
	d->fatal = stops;
	g_free(d->message);
	d->message = g_strdup(message);
	job->diags = diag_array_new();
	g_ptr_array_add(job->diags, d);
	ret = job_lacks_file(job);
	job_free(job);
	return ret;
}

static void test_lacks_file(void **state)
{
	assert_true(lacks(DIAG_ERROR, true, "x.h: No such file or directory"));
	assert_true(lacks(DIAG_ERROR, false, "file not found: certs/key.x509"));
	assert_false(lacks(DIAG_ERROR, true, "too many errors"));
	assert_false(lacks(DIAG_WARNING, false, "file not found: x"));
	assert_false(lacks(DIAG_ERROR, false, "x.h: No such file or directory"));
}

/* The symbols of the object are read, and are there when it is not made. */
static void test_symbols(void **state)
{
	makes_object = true;
	assert_int_equal(run_twice(NULL, false), 1);
	makes_object = false;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lacks_file),
		cmocka_unit_test(test_reuse),
		cmocka_unit_test(test_missing_file),
		cmocka_unit_test(test_deadline),
		cmocka_unit_test(test_symbols),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
