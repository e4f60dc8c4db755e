// SPDX-License-Identifier: GPL-2.0
/* `respin messages`: recipients, trailers and form; nothing is compiled. */
#include "command.h"
#include "error.h"
#include "letter.h"
#include "messages.h"
#include "report.h"
#include "session.h"

static struct session_options opts;
static char **earlier_paths;
static char *json_path;

static const GOptionEntry entries[] = {
	{ "tree", 0, 0, G_OPTION_ARG_STRING, &opts.tree,
	  "the kernel repository (default: the one you stand in)", "PATH[@REV]" },
	{ "base", 0, 0, G_OPTION_ARG_STRING, &opts.base,
	  "the commit whose MAINTAINERS and .mailmap count", "REV" },
	{ "earlier", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &earlier_paths,
	  "mails of the version before, with the answers", "FILE" },
	{ "json", 0, 0, G_OPTION_ARG_FILENAME, &json_path,
	  "write the notes as JSON too ('-': to standard output)", "FILE" },
	{ NULL }
};

static int write_json(const struct messages *m, json_t *notes, GError **error)
{
	json_t *unchecked = json_array();
	g_autofree char *doc = NULL;
	json_t *all;

	for (guint i = 0; i < m->unchecked->len; i++)
		json_array_append_new(unchecked,
				      json_string(m->unchecked->pdata[i]));
	all = json_pack("{s:i, s:O, s:o, s:s?}", "schema", 1, "messages", notes,
			"not_checked", unchecked, "not_verified", m->gap);
	doc = json_dumps(all, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
	json_decref(all);
	if (strcmp(json_path, "-"))
		return g_file_set_contents(json_path, doc, -1, error) ? 0 : -1;
	puts(doc);
	return 0;
}

static int print(const struct messages *m, unsigned int total, GError **error)
{
	json_t *notes = messages_json(m);
	g_autofree char *unchecked = messages_unchecked(m);
	int err = json_path ? write_json(m, notes, error) : 0;

	if (!json_path || strcmp(json_path, "-")) {
		messages_list(notes, total, stdout);
		if (*unchecked)
			report_wrap(stdout, "not checked: ", 13, unchecked);
		if (m->gap)
			report_wrap(stdout, "NOT VERIFIED  recipients: ", 14,
				    m->gap);
	}
	json_decref(notes);
	return err;
}

/* The exit status; -1 with @error. */
static int judge(char *const *args, GError **error)
{
	g_autofree char *base = NULL;
	g_autoptr(GPtrArray) earlier = NULL;
	struct messages *m;
	struct session *s;
	int status;

	if (earlier_paths) {
		earlier = letters_read(earlier_paths, error);
		if (!earlier)
			return -1;
	}
	s = session_read(&opts, args, &base, error);
	if (!s)
		return -1;
	m = messages_read(s->repo, s->run->series, base, earlier);
	status = print(m, s->run->series->total, error) ? -1 :
		 m->gap ? EXIT_NOT_VERIFIED : EXIT_NOTHING_NEW;
	messages_free(m);
	session_close(s);
	return status;
}

int cmd_messages(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	int status;

	if (!command_parse(entries, "SERIES...", "Says what is wrong with the "
		"recipients, trailers and form of a series (mails, or a commit "
		"range A..B).  Nothing is applied or compiled.", &argc, &argv,
		&status))
		return status;
	if (argc < 2)
		return command_usage("messages", "no series given");
	status = judge(argv + 1, &error);
	return status < 0 ? command_fail("messages", error, EXIT_NOT_VERIFIED) :
	       status;
}
