// SPDX-License-Identifier: GPL-2.0
#include <stdbool.h>
#include <string.h>

#include "error.h"
#include "kspec.h"

static void fragment_free(gpointer data)
{
	struct kfragment *f = data;

	g_free(f->target);
	g_free(f->text);
	g_free(f);
}

void kspec_free(struct kspec *k)
{
	if (!k)
		return;
	g_free(k->target);
	g_free(k->seed);
	g_free(k->file);
	g_free(k->name);
	g_ptr_array_unref(k->fragments);
	g_free(k);
}

/* It becomes a word of make's command line and part of a file name. */
static bool is_word(const char *text)
{
	for (const char *p = text; *p; p++)
		if (!g_ascii_isalnum(*p) && !strchr("_.-", *p))
			return false;
	return g_ascii_isalnum(*text);
}

static int read_file(const char *path, char **text, GError **error)
{
	g_autoptr(GError) err = NULL;

	if (g_file_get_contents(path, text, NULL, &err))
		return 0;
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_USAGE,
		    "cannot read the configuration: %s", err->message);
	return -1;
}

/* "my.config" of ./a/my.config, and what tells two of that name apart. */
static void add_file_name(GString *name, const char *path, const char *text)
{
	g_autofree char *base = g_path_get_basename(path);
	g_autofree char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA1,
							     text, -1);

	g_strcanon(base, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-.", '_');
	g_string_append_printf(name, "%s-%.8s", *base == '.' ? base + 1 : base,
			       sum);
}

/* Of a directory that the kernel was built in, its .config. */
static int parse_path(struct kspec *k, const char *word, GString *name,
		      GError **error)
{
	g_autofree char *path = g_file_test(word, G_FILE_TEST_IS_DIR) ?
		g_build_filename(word, ".config", NULL) : g_strdup(word);

	if (read_file(path, &k->file, error))
		return -1;
	add_file_name(name, path, k->file);
	return 0;
}

static int parse_base(struct kspec *k, const char *word, GString *name,
		      GError **error)
{
	if (strchr(word, '/'))
		return parse_path(k, word, name, error);
	if (g_str_has_prefix(word, "randconfig:")) {
		const char *seed = word + strlen("randconfig:");

		if (*seed && strspn(seed, "0123456789") == strlen(seed) &&
		    strlen(seed) < 10) {
			k->target = g_strdup("randconfig");
			k->seed = g_strdup(seed);
			g_string_append_printf(name, "randconfig-%s", seed);
			return 0;
		}
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_USAGE,
			    "'%s': the seed is a number", word);
		return -1;
	}
	if (!is_word(word) || !g_str_has_suffix(word, "config") ||
	    !strcmp(word, "randconfig")) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_USAGE,
			    "'%s' is no kconfig target; try 'defconfig', "
			    "'allmodconfig', 'randconfig:1' or the path of a "
			    ".config with a '/' in it", word);
		return -1;
	}
	k->target = g_strdup(word);
	g_string_append(name, word);
	return 0;
}

static int parse_fragment(struct kspec *k, const char *word, GString *name,
			  GError **error)
{
	struct kfragment *f = g_new0(struct kfragment, 1);
	g_autofree char *brief = NULL;

	g_ptr_array_add(k->fragments, f);
	g_string_append_c(name, '+');
	if (strchr(word, '/')) {
		if (read_file(word, &f->text, error))
			return -1;
		add_file_name(name, word, f->text);
		return 0;
	}
	if (!is_word(word)) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_USAGE,
			    "'+%s' is no fragment; name one of the kernel's "
			    "('debug' for debug.config) or a path with a '/' "
			    "in it", word);
		return -1;
	}
	brief = g_str_has_suffix(word, ".config") ?
		g_strndup(word, strlen(word) - strlen(".config")) :
		g_strdup(word);
	f->target = g_strconcat(brief, ".config", NULL);
	g_string_append(name, brief);
	return 0;
}

struct kspec *kspec_parse(const char *text, GError **error)
{
	g_auto(GStrv) words = g_strsplit(text, "+", -1);
	g_autoptr(GString) name = g_string_new("");
	struct kspec *k = g_new0(struct kspec, 1);
	int ret;

	k->fragments = g_ptr_array_new_with_free_func(fragment_free);
	ret = parse_base(k, words[0] ? words[0] : "", name, error);
	for (char **w = words + 1; !ret && *w; w++)
		ret = parse_fragment(k, *w, name, error);
	if (!ret) {
		k->name = g_strdup(name->str);
		return k;
	}
	kspec_free(k);
	return NULL;
}

struct kspec *kspec_of_text(const char *text, const char *name)
{
	struct kfragment *f = g_new0(struct kfragment, 1);
	struct kspec *k = g_new0(struct kspec, 1);

	f->text = g_strdup(text);
	k->fragments = g_ptr_array_new_with_free_func(fragment_free);
	g_ptr_array_add(k->fragments, f);
	k->name = g_strdup(name);
	return k;
}

/* "CONFIG_X=n" and "# CONFIG_X is not set" are one. */
static char *setting_of(const char *line, bool *off)
{
	const char *p = g_str_has_prefix(line, "# CONFIG_") ? line + 2 : line;
	gsize n = strcspn(p, "= \t");

	*off = p != line || !strcmp(p + n, "=n");
	if (!g_str_has_prefix(p, "CONFIG_") ||
	    (p != line && !g_str_has_prefix(p + n, " is not set")) ||
	    (p == line && p[n] != '='))
		return NULL;
	return g_strndup(p, n);
}

static bool has_setting(char **lines, const char *line, const char *symbol,
			bool off)
{
	gsize n = strlen(symbol);

	for (char **l = lines; *l; l++) {
		if (off && !strncmp(*l, symbol, n) && (*l)[n] == '=')
			return false;
		if (!off && !strcmp(*l, line))
			return true;
	}
	return off;
}

char *kspec_refused(const char *fragment, const char *config)
{
	g_auto(GStrv) wanted = g_strsplit(fragment, "\n", -1);
	g_auto(GStrv) lines = g_strsplit(config, "\n", -1);
	g_autoptr(GString) list = g_string_new("");

	for (char **w = wanted; *w; w++) {
		g_autofree char *symbol = NULL;
		bool off;

		g_strstrip(*w);
		symbol = setting_of(*w, &off);
		if (symbol && !has_setting(lines, *w, symbol, off))
			g_string_append_printf(list, "%s%s",
					       list->len ? ", " : "", *w);
	}
	return list->len ? g_strdup(list->str) : NULL;
}

/* "# Linux/x86 6.12.1 Kernel Configuration": make's ARCH, which may also be the
 * name of another word size. */
bool kspec_fits(const struct kspec *k, const char *const *names, bool is_32bit)
{
	static const char head[] = "\n# Linux/";
	const char *p = k->file ? strstr(k->file, head) : NULL;
	g_autofree char *is = NULL;

	if (!p)
		return true;
	p += strlen(head);
	is = g_strndup(p, strcspn(p, " \n"));
	return g_strv_contains(names, is) &&
	       !strstr(k->file, "\nCONFIG_64BIT=y\n") == is_32bit;
}
