// SPDX-License-Identifier: GPL-2.0
/*
 * Whether a dry run is complete.  The compile lines are one source; the other
 * are the lines that use their objects: archives (built-in.a, lib.a), module
 * lists (.mod, modules.order) and links, which kbuild repeats as
 * 'savedcmd_TARGET := COMMAND' (if_changed in scripts/Kbuild.include).  They
 * form a tree from the top built-in.a and modules.order down, so that a
 * lost list is missed by the list above it.
 */
#include "compdb.h"
#include "kdir.h"
#include "shwords.h"

#define SAVEDCMD "'savedcmd_"
#define FIXDEP "scripts/basic/fixdep "

struct check {
	GHashTable *made;	/* char *: targets of any command */
	GHashTable *used;	/* char *: what the commands need */
	GHashTable *listed;	/* char *: targets that kbuild lists */
};

static bool is_product(const char *word)
{
	static const char *const ends[] = { ".o", ".a", ".mod" };

	for (guint i = 0; i < G_N_ELEMENTS(ends); i++)
		if (g_str_has_suffix(word, ends[i]))
			return true;
	return !strcmp(word, "modules.order") ||
	       g_str_has_suffix(word, "/modules.order");
}

/* "./built-in.a" and "built-in.a" are one */
static char *product_name(const char *dir, gsize len, const char *word)
{
	g_autofree char *name = g_strdup_printf("/%.*s%s", (int)len, dir, word);
	g_autofree char *path = g_canonicalize_filename(name, "/");

	return g_strdup(path + 1);
}

/*
 * Two commands print words without their directory: `printf "mm/%s " a.o`
 * for archives, `printf '%s\n' a.o | awk '... print("mm/"$0)'` for .mod files;
 * the target's own directory may be a deeper one.
 */
static const char *printf_dir(const char *format, const char *command,
			      gsize *len)
{
	const char *mark = strstr(format, "%s"), *p;

	if (mark > format) {
		*len = mark - format;
		return format;
	}
	p = strstr(command, "print(\"");
	if (!p)
		return "";
	p += strlen("print(\"");
	*len = strchrnul(p, '"') - p;
	return p;
}

/* The products that @command names, whatever it does with them. */
static void note_used(struct check *ck, const char *command, const char *end)
{
	g_autoptr(GString) word = g_string_sized_new(256);
	g_autofree char *format = NULL;
	const char *dir = "", *p = command;
	bool first = true, is_printf = false;
	gsize len = 0;
	enum shword w;

	while ((w = shword_next(&p, end, word)) != SHWORD_END) {
		const char *s = word->str;

		if (w == SHWORD_OP) {
			first = true;
			len = 0;
			continue;
		}
		if (first) {
			is_printf = !strcmp(s, "printf");
			first = false;
		} else if (is_printf && !len && strstr(s, "%s")) {
			g_free(format);
			format = g_strdup(s);
			dir = printf_dir(format, command, &len);
		} else {
			s += *s == '@';		/* ld's response file */
			if (is_product(s))
				g_hash_table_add(ck->used,
						 product_name(dir, len, s));
		}
	}
}

/* savedcmd_TARGET := COMMAND, still in its quotes */
static void note_savedcmd(struct check *ck, const char *p, const char *end)
{
	g_autoptr(GString) text = g_string_sized_new(1024);
	const char *command;
	g_autofree char *target = NULL;

	if (shword_next(&p, end, text) != SHWORD_WORD)
		return;
	command = strstr(text->str, " := ");
	if (!command)
		return;
	target = g_strndup(text->str, command - text->str);
	memmove(target, target + strlen("savedcmd_"),
		strlen(target) - strlen("savedcmd_") + 1);
	g_hash_table_add(ck->made, product_name("", 0, target));
	g_hash_table_add(ck->listed, product_name("", 0, target));
	note_used(ck, command + 4, text->str + text->len);
}

/*
 * An object for the kernel counts as the database has it, and in no other
 * way; one for a program of the host is made by the line that is here.
 */
static void note_fixdep(struct check *ck, const char *p, const char *end)
{
	g_autoptr(GString) word = g_string_new(NULL);
	const char *line = p;

	p += strlen(FIXDEP);
	for (int i = 0; i < 2; i++)
		if (shword_next(&p, end, word) != SHWORD_WORD)
			return;
	if (!g_str_has_suffix(word->str, ".o") ||
	    !compdb_is_kernel_command(line, end - line))
		g_hash_table_add(ck->made, product_name("", 0, word->str));
}

static void each_line(struct check *ck, const char *text, gsize len,
		      const char *mark,
		      void (*note)(struct check *ck, const char *p,
				   const char *end))
{
	const char *p = text, *end = text + len, *eol;

	while ((p = memmem(p, end - p, mark, strlen(mark)))) {
		eol = memchr(p, '\n', end - p);
		if (!eol)
			eol = end;
		note(ck, p, eol);
		p = eol;
	}
}

/*
 * Programs of the host that `prepare` made, so that the dry run has only their
 * links: tools/ has a build system of its own (objtool, resolve_btfids),
 * scripts/ and arch/x86/tools/ hold hostprogs.
 */
static bool is_explained(const char *name)
{
	return g_str_has_prefix(name, "tools/") ||
	       g_str_has_prefix(name, "scripts/") ||
	       g_pattern_match_simple("arch/*/tools/*", name);
}

static gint cmp_str(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static GHashTable *new_set(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

static void check_init(struct check *ck, const struct compdb *db,
		       const char *text, gsize len)
{
	*ck = (struct check){ new_set(), new_set(), new_set() };
	for (guint i = 0; i < db->tus->len; i++) {
		const struct tu *tu = db->tus->pdata[i];

		g_hash_table_add(ck->made, product_name("", 0, tu->object));
	}
	each_line(ck, text, len, SAVEDCMD, note_savedcmd);
	each_line(ck, text, len, FIXDEP, note_fixdep);
}

static GPtrArray *check_finish(struct check *ck)
{
	GPtrArray *missing = g_ptr_array_new_with_free_func(g_free);
	GHashTableIter it;
	void *name;

	g_hash_table_iter_init(&it, ck->used);
	while (g_hash_table_iter_next(&it, &name, NULL))
		if (!g_hash_table_contains(ck->made, name) &&
		    !is_explained(name))
			g_ptr_array_add(missing, g_strdup(name));
	g_ptr_array_sort(missing, cmp_str);
	g_hash_table_unref(ck->made);
	g_hash_table_unref(ck->used);
	g_hash_table_unref(ck->listed);
	return missing;
}

GPtrArray *compdb_missing(const struct compdb *db, const char *text, gsize len)
{
	struct check ck;

	check_init(&ck, db, text, len);
	g_hash_table_add(ck.used, g_strdup("built-in.a"));
	g_hash_table_add(ck.used, g_strdup("modules.order"));
	return check_finish(&ck);
}

static bool has_below(GHashTable *set, const char *dir)
{
	GHashTableIter it;
	void *name;

	g_hash_table_iter_init(&it, set);
	while (g_hash_table_iter_next(&it, &name, NULL))
		if (path_is_below(name, dir))
			return true;
	return false;
}

/* The list above that of a directory is not here to miss it. */
static void need_lists(struct check *ck, GHashTable *printed, GHashTable *dirs)
{
	GHashTableIter it;
	void *dir;

	g_hash_table_iter_init(&it, dirs);
	while (g_hash_table_iter_next(&it, &dir, NULL))
		if (has_below(printed, dir) && !has_below(ck->listed, dir))
			g_hash_table_add(ck->used, g_build_filename(dir,
							"built-in.a", NULL));
}

GPtrArray *compdb_missing_in(const struct compdb *db, GHashTable *printed,
			     GHashTable *dirs, const char *text, gsize len)
{
	struct check ck;

	check_init(&ck, db, text, len);
	need_lists(&ck, printed, dirs);
	return check_finish(&ck);
}
