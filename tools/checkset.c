// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include "check.h"
#include "checkset.h"
#include "doctor.h"
#include "error.h"

#define VERSION_SECONDS 20

struct checkset {
	GHashTable *only;	/* of char *; NULL: all */
	GHashTable *skipped;	/* of char * */
	bool all;		/* who names checks wants to see what they say */
	enum confidence least;
};

static const char *const confidences[] = {
	[CONFIDENCE_CERTAIN] = "certain",
	[CONFIDENCE_LIKELY] = "likely",
	[CONFIDENCE_HINT] = "hint",
};

const char *confidence_name(enum confidence c)
{
	return confidences[c];
}

static char *known_checks(void)
{
	GString *s = g_string_new("");

	for (const struct check *const *c = check_list(); *c; c++)
		g_string_append_printf(s, "%s%s", s->len ? ", " : "",
				       (*c)->name);
	return g_string_free(s, FALSE);
}

static int read_names(GHashTable *set, const char *list, GError **error)
{
	g_auto(GStrv) names = g_strsplit(list, ",", -1);

	for (char **n = names; *n; n++) {
		g_autofree char *known = NULL;

		g_strstrip(*n);
		if (!**n)
			continue;
		if (check_find(*n)) {
			g_hash_table_add(set, g_strdup(*n));
			continue;
		}
		known = known_checks();
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_USAGE,
			    "no check '%s'; there are %s", *n, known);
		return -1;
	}
	return 0;
}

static int read_confidence(enum confidence *c, const char *name, GError **error)
{
	for (guint i = 0; i < G_N_ELEMENTS(confidences); i++)
		if (!strcmp(name, confidences[i])) {
			*c = i;
			return 0;
		}
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_USAGE, "no confidence "
		    "'%s'; there are certain, likely, hint", name);
	return -1;
}

struct checkset *checkset_new(const char *only, const char *skip,
			      const char *least, GError **error)
{
	struct checkset *cs = g_new0(struct checkset, 1);

	cs->least = CONFIDENCE_LIKELY;
	cs->all = only && !least;
	cs->skipped = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					    NULL);
	if (only)
		cs->only = g_hash_table_new_full(g_str_hash, g_str_equal,
						 g_free, NULL);
	if ((least && read_confidence(&cs->least, least, error)) ||
	    (skip && read_names(cs->skipped, skip, error)) ||
	    (only && read_names(cs->only, only, error))) {
		checkset_free(cs);
		return NULL;
	}
	return cs;
}

void checkset_free(struct checkset *cs)
{
	if (!cs)
		return;
	g_clear_pointer(&cs->only, g_hash_table_unref);
	g_hash_table_unref(cs->skipped);
	g_free(cs);
}

static bool is_left_out(const struct checkset *cs, const char *name)
{
	return g_hash_table_contains(cs->skipped, name) ||
	       (cs->only && !g_hash_table_contains(cs->only, name));
}

bool checkset_has(const struct checkset *cs, const char *name)
{
	if (!cs)
		return true;
	if (is_left_out(cs, name))
		return false;
	return cs->only || check_find(name)->confidence <= cs->least;
}

bool checkset_shows(const struct checkset *cs, enum confidence c)
{
	return !cs || cs->all || c <= cs->least;
}

char *checkset_left_out(const struct checkset *cs)
{
	GString *s = g_string_new("");

	for (const struct check *const *c = check_list(); cs && *c; c++)
		if (is_left_out(cs, (*c)->name))
			g_string_append_printf(s, "%s%s", s->len ? ", " : "",
					       (*c)->name);
	return g_string_free(s, !s->len);
}

/* What is known of one tool. */
struct tool_state {
	char *missing, *version;
	char *path, *dir;	/* that the user named; NULL: none */
};

/* Once for each tool and process: a run does not see packages come and go. */
static struct tool_state *state_new(const char *tool)
{
	static GHashTable *states;
	struct tool_state *t;

	if (!states)
		states = g_hash_table_new(g_str_hash, g_str_equal);
	t = g_hash_table_lookup(states, tool);
	if (!t) {
		t = g_new0(struct tool_state, 1);
		g_hash_table_insert(states, g_strdup(tool), t);
	}
	return t;
}

void check_tool_set(const char *tool, const char *path)
{
	struct tool_state *t = state_new(tool);

	t->path = g_strdup(path);
	t->dir = g_path_get_dirname(path);
}

const char *check_tool_program(const struct check *check)
{
	return state_new(check->tool)->path ?: check->tool;
}

const char *check_tool_dir(const struct check *check)
{
	return check->tool ? state_new(check->tool)->dir : NULL;
}

static void ask_version(struct tool_state *t, const struct check *check,
			const char *program)
{
	const char *argv[] = { program, "--version", NULL };
	struct proc_job *j = proc_job_new(g_strdupv((char **)argv));

	j->seconds = VERSION_SECONDS;
	proc_run(j);
	if (j->end == PROC_EXITED && !j->status) {
		t->version = g_strdup(j->out->str);
	} else {
		g_autofree char *how = proc_job_describe(j);

		t->missing = g_strdup_printf("'%s --version' does not work: %s",
					     program, how);
	}
	proc_job_free(j);
}

static const struct tool_state *state_of(const struct check *check)
{
	struct tool_state *t = state_new(check->tool);
	g_autofree char *program = NULL;

	if (t->version)
		return t;
	program = t->path ? g_strdup(t->path) : doctor_find(check->tool);
	if (program && g_file_test(program, G_FILE_TEST_IS_EXECUTABLE))
		ask_version(t, check, program);
	else
		t->missing = g_strdup_printf("'%s' is not there; apt-get install "
					     "%s", program ?: check->tool,
					     check->package);
	if (!t->version)
		t->version = g_strdup("");
	return t;
}

const char *check_tool_missing(const struct check *check)
{
	return check->tool ? state_of(check)->missing : NULL;
}

const char *check_tool_version(const struct check *check)
{
	return check->tool ? state_of(check)->version : "";
}
