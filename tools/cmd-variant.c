// SPDX-License-Identifier: GPL-2.0
/*
 * respin variant [--no-sandbox] SRCDIR CACHEDIR ARCH KCONFIG [ARCH KCONFIG]...
 * Hidden: prepares variants, two at once, and prints what each phase took.
 */
#include <stdio.h>
#include "error.h"
#include "kbuild.h"
#include "proc.h"

int cmd_variant(int argc, char **argv);

struct timing {
	GHashTable *begun;	/* variant -> struct phase_start */
};

struct phase_start {
	const char *name;
	gint64 at;
};

static void show(const struct variant *v, const struct phase_start *s)
{
	if (s)
		printf("%s: %s %.1f s\n", v->name, s->name,
		       (g_get_monotonic_time() - s->at) / 1e6);
	fflush(stdout);
}

static void on_phase(const struct variant *v, const char *name, void *data)
{
	struct timing *t = data;
	struct phase_start *s = g_hash_table_lookup(t->begun, v);

	show(v, s);
	if (!s) {
		s = g_new0(struct phase_start, 1);
		g_hash_table_insert(t->begun, (void *)v, s);
	}
	s->name = name;
	s->at = g_get_monotonic_time();
}

static int usage(void)
{
	fputs("usage: respin variant [--no-sandbox] SRCDIR CACHEDIR ARCH "
	      "KCONFIG [ARCH KCONFIG]...\n", stderr);
	return 2;
}

static GPtrArray *variants_from(char **argv)
{
	GPtrArray *list;

	list = g_ptr_array_new_with_free_func((GDestroyNotify)variant_free);
	for (; argv[0] && argv[1]; argv += 2) {
		g_autoptr(GError) err = NULL;
		struct variant *v = variant_new(argv[0], argv[1], NULL, &err);

		if (v)
			g_ptr_array_add(list, v);
		else
			fprintf(stderr, "respin: %s\n", err->message);
	}
	return list;
}

static void report(const struct variant *v, GError *err)
{
	const struct compdb *db = v->db;

	if (err) {
		fprintf(stderr, "respin: %s\n", err->message);
		g_error_free(err);
		return;
	}
	printf("%s: %u objects, %u templates, %u flag classes, .config %s, %s\n",
	       v->name, db->tus->len, db->templates->len, db->classes->len,
	       v->config_hash, v->toolchain);
}

int cmd_variant(int argc, char **argv)
{
	struct sandbox sb = { .off = argc > 1 &&
				     !strcmp(argv[1], "--no-sandbox") };
	struct timing t = { g_hash_table_new_full(NULL, NULL, NULL, g_free) };
	g_autoptr(GPtrArray) list = NULL;
	g_autoptr(GError) err = NULL;
	g_autofree GError **errors = NULL;
	struct kbuild kb = { .sandbox = &sb, .progress = on_phase,
			     .progress_data = &t };
	unsigned int failed;

	argc -= 1 + sb.off;
	argv += 1 + sb.off;
	if (argc < 4 || argc % 2)
		return usage();
	proc_catch_signals();
	if (sandbox_check(&sb, &err)) {
		fprintf(stderr, "respin: %s\n", err->message);
		return 2;
	}
	list = variants_from(argv + 2);
	kb.srcdir = argv[0];
	kb.cachedir = argv[1];
	kb.key = kb.tree = (char *)"none";
	errors = g_new0(GError *, list->len + 1);
	failed = kbuild_prepare_all(&kb, list, 2, errors);
	for (guint i = 0; i < list->len; i++)
		report(list->pdata[i], errors[i]);
	g_hash_table_unref(t.begun);
	return failed || !list->len ? 2 : 0;
}
