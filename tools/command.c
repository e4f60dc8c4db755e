// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <unistd.h>
#include "command.h"

/* NULL-terminated once command_overrides() was called. */
static GPtrArray *overrides;

const struct command *command_find(const struct command *table,
				   const char *name)
{
	for (; table->name; table++)
		if (!strcmp(table->name, name))
			return table;
	return NULL;
}

/*
 * Edits (insert, delete, replace, swap of two neighbours) from @a to @b:
 * "chekc" is one edit from "check", as a typist sees it.
 */
static unsigned int edit_distance(const char *a, const char *b)
{
	size_t la = strlen(a), lb = strlen(b), w = lb + 1;
	g_autofree unsigned int *d = g_new0(unsigned int, (la + 1) * w);

	for (size_t i = 0; i <= la; i++)
		d[i * w] = i;
	for (size_t j = 0; j <= lb; j++)
		d[j] = j;
	for (size_t i = 1; i <= la; i++) {
		for (size_t j = 1; j <= lb; j++) {
			unsigned int *cell = &d[i * w + j];

			*cell = cell[-w - 1] + (a[i - 1] != b[j - 1]);
			*cell = MIN(*cell, cell[-1] + 1);
			*cell = MIN(*cell, cell[-w] + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				*cell = MIN(*cell, cell[-2 * w - 2] + 1);
		}
	}
	return d[la * w + lb];
}

const struct command *command_nearest(const struct command *table,
				      const char *name)
{
	const struct command *best = NULL;
	unsigned int best_distance = 0;

	if (strlen(name) > 32)
		return NULL;
	for (; table->name; table++) {
		unsigned int d = edit_distance(name, table->name);

		/* More than half of it typed wrongly is another word. */
		if (!table->help || d * 2 > strlen(table->name))
			continue;
		if (!best || d < best_distance) {
			best = table;
			best_distance = d;
		}
	}
	return best;
}

int command_fail(const char *name, const GError *error, int status)
{
	fprintf(stderr, "respin %s: %s\n", name, error->message);
	return status;
}

int command_usage(const char *name, const char *format, ...)
{
	g_autofree char *message = NULL;
	va_list ap;

	va_start(ap, format);
	message = g_strdup_vprintf(format, ap);
	va_end(ap);
	fprintf(stderr, "respin %s: %s; see 'respin %s -h'\n", name, message,
		name);
	return EXIT_NOT_VERIFIED;
}

/* GLib's message in the form of ours: "unknown option '--x'". */
static char *option_message(const GError *error)
{
	static const char unknown[] = "Unknown option ";
	g_autoptr(GString) s = g_string_new(error->message);

	if (g_str_has_prefix(s->str, unknown))
		return g_strdup_printf("unknown option '%s'",
				       s->str + strlen(unknown));
	g_string_replace(s, "“", "'", 0);
	g_string_replace(s, "”", "'", 0);
	s->str[0] = g_ascii_tolower(s->str[0]);
	return g_strdup(s->str);
}

/* GLib leaves a "--" in place when an argument after it starts with '-'. */
static void drop_dashes(int *argc, char **argv)
{
	for (int i = 1; i < *argc; i++) {
		if (strcmp(argv[i], "--"))
			continue;
		memmove(argv + i, argv + i + 1, (*argc - i) * sizeof(*argv));
		(*argc)--;
		return;
	}
}

bool command_parse(const GOptionEntry *entries, const char *args,
		   const char *summary, int *argc, char ***argv, int *status)
{
	g_autoptr(GOptionContext) context = g_option_context_new(args);
	g_autofree char *prgname = g_strconcat("respin ", (*argv)[0], NULL);
	const char *name = prgname + strlen("respin ");
	g_autoptr(GError) error = NULL;
	gboolean help = FALSE;
	const GOptionEntry own[] = {
		{ "help", 'h', 0, G_OPTION_ARG_NONE, &help,
		  "Show this help and exit", NULL },
		{ NULL }
	};

	g_set_prgname(prgname);
	/* GLib's own help exits on the spot and knows no -h without -?. */
	g_option_context_set_help_enabled(context, FALSE);
	g_option_context_set_summary(context, summary);
	if (entries)
		g_option_context_add_main_entries(context, entries, NULL);
	g_option_context_add_main_entries(context, own, NULL);
	if (!g_option_context_parse(context, argc, argv, &error)) {
		g_autofree char *message = option_message(error);

		*status = command_usage(name, "%s", message);
		return false;
	}
	if (help) {
		g_autofree char *text =
			g_option_context_get_help(context, TRUE, NULL);

		fputs(text, stdout);
		*status = 0;
		return false;
	}
	drop_dashes(argc, *argv);
	return true;
}

const char *const *command_overrides(void)
{
	if (!overrides)
		overrides = g_ptr_array_new_with_free_func(g_free);
	if (!overrides->len || overrides->pdata[overrides->len - 1])
		g_ptr_array_add(overrides, NULL);
	return (const char *const *)overrides->pdata;
}

static void add_override(const char *assignment)
{
	command_overrides();
	g_ptr_array_insert(overrides, overrides->len - 1,
			   g_strdup(assignment));
}

void command_print_help(const struct command *table, FILE *out)
{
	fputs("usage: respin [-C DIR] [-c NAME=VALUE]... COMMAND [ARGUMENTS]\n"
	      "\n"
	      "Checks a Linux kernel patch series, patch by patch.\n"
	      "\n", out);
	for (; table->name; table++)
		if (table->help)
			fprintf(out, "   %-10s %s\n", table->name, table->help);
	fputs("\n"
	      "   -C DIR           run as if started in DIR\n"
	      "   -c NAME=VALUE    set a configuration variable for this run\n"
	      "   --version        print the version\n"
	      "\n"
	      "'respin help COMMAND' or 'respin COMMAND -h' says more;"
	      " see also respin(1)\n", out);
}

static int fail(const char *format, const char *what)
{
	g_autofree char *message = g_strdup_printf(format, what);

	fprintf(stderr, "respin: %s\n", message);
	return EXIT_NOT_VERIFIED;
}

int command_global_options(const struct command *table, int *argc,
			   char ***argv)
{
	while (*argc && (*argv)[0][0] == '-') {
		const char *arg = (*argv)[0];
		const char *value = *argc > 1 ? (*argv)[1] : NULL;

		if (!strcmp(arg, "-h") || !strcmp(arg, "--help")) {
			command_print_help(table, stdout);
			return 0;
		}
		if (!strcmp(arg, "--version")) {
			puts("respin " RESPIN_VERSION);
			return 0;
		}
		if (strcmp(arg, "-C") && strcmp(arg, "-c"))
			return fail("unknown option '%s'; see 'respin -h'", arg);
		if (!value)
			return fail("'%s' needs a value; see 'respin -h'", arg);
		if (arg[1] == 'c')
			add_override(value);
		else if (*value && chdir(value)) {
			fprintf(stderr, "respin: cannot change to '%s': %s\n",
				value, g_strerror(errno));
			return EXIT_NOT_VERIFIED;
		}
		*argc -= 2;
		*argv += 2;
	}
	return -1;
}
