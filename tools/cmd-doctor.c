// SPDX-License-Identifier: GPL-2.0
#include "command.h"
#include "config.h"
#include "doctor.h"
#include "error.h"
#include "kbuild.h"

/* With the configuration of the repository here, if there is one. */
static struct config *open_config(GError **error)
{
	g_autoptr(GError) reason = NULL;
	struct config *c = config_open(".", command_overrides(), &reason);

	if (!c && !g_error_matches(reason, RESPIN_ERROR, RESPIN_ERROR_TREE))
		g_propagate_error(error, g_steal_pointer(&reason));
	else if (!c)
		c = config_open(NULL, command_overrides(), error);
	return c;
}

static char **all_arches(void)
{
	GPtrArray *names = g_ptr_array_new();

	for (const struct arch *a = arches; a->name; a++)
		g_ptr_array_add(names, g_strdup(a->name));
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

static int check_names(char *const *archs, GError **error)
{
	g_auto(GStrv) known = all_arches();
	g_autofree char *list = g_strjoinv(", ", known);

	for (; *archs; archs++) {
		if (arch_find(*archs))
			continue;
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_USAGE,
			    "unknown arch '%s'; there are %s", *archs, list);
		return -1;
	}
	return 0;
}

/* What is in @option, else in respin.arches, else all. */
static char **choose_arches(struct config *c, const char *option,
			    GError **error)
{
	g_auto(GStrv) archs = NULL;

	if (option)
		archs = g_strsplit(option, ",", -1);
	else if (config_strings(c, "respin.arches", &archs, error))
		return NULL;
	if (!archs)
		archs = all_arches();
	return check_names(archs, error) ? NULL : g_steal_pointer(&archs);
}

static void check_config(GPtrArray *rows, struct config *c)
{
	g_autoptr(GPtrArray) unknown = config_unknown(c);
	struct doctor_row *row;

	for (guint i = 0; i < unknown->len; i++) {
		row = doctor_add(rows, DOCTOR_BROKEN, "configuration", "", "",
				 "a key that respin does not know");
		row->hint = g_strdup_printf("there is no %s; see respin(1)",
					    (const char *)unknown->pdata[i]);
	}
}

static GPtrArray *examine(const char *option, GError **error)
{
	g_autoptr(GPtrArray) rows = doctor_rows_new();
	g_autoptr(config_t) c = open_config(error);
	g_autofree char *cache = NULL;
	g_auto(GStrv) archs = NULL;

	if (!c)
		return NULL;
	archs = choose_arches(c, option, error);
	cache = archs ? config_cache_dir(c, error) : NULL;
	if (!cache)
		return NULL;
	doctor_check_tools(rows, doctor_tools, DOCTOR_PATH);
	if (doctor_check_compilers(rows, archs, c, error))
		return NULL;
	doctor_check_sandbox(rows);
	doctor_check_machine(rows, cache);
	check_config(rows, c);
	return g_steal_pointer(&rows);
}

int cmd_doctor(int argc, char **argv)
{
	g_autofree char *option = NULL;
	g_autoptr(GPtrArray) rows = NULL;
	g_autoptr(GError) error = NULL;
	int status;
	const GOptionEntry entries[] = {
		{ "arch", 'a', 0, G_OPTION_ARG_STRING, &option,
		  "Compilers to look for (default: all)", "LIST" },
		{ NULL }
	};

	if (!command_parse(entries, NULL,
			   "Says what respin needs, and what of it is missing.",
			   &argc, &argv, &status))
		return status;
	if (argc > 1)
		return command_usage("doctor", "takes no argument '%s'", argv[1]);
	rows = examine(option, &error);
	if (!rows)
		return command_fail("doctor", error, EXIT_NOT_VERIFIED);
	return doctor_print(rows, stdout) ? 0 : EXIT_NOT_VERIFIED;
}
