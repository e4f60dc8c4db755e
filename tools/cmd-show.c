// SPDX-License-Identifier: GPL-2.0
/* `respin show N/M.K`: one finding of the last report, in full; or its notes. */
#include <jansson.h>

#include "command.h"
#include "last.h"
#include "messages.h"
#include "term.h"

static unsigned int num(const json_t *o, const char *key)
{
	return json_integer_value(json_object_get(o, key));
}

static void line(const char *label, const char *text)
{
	g_autofree char *safe = term_escape(text);

	if (*text)
		printf("%s%s\n", label, safe);
}

static void show_diag(const json_t *d, unsigned int depth)
{
	g_autofree char *message = term_escape(last_str(d, "message"));
	const char *rule = last_str(d, "rule");
	json_t *e;
	size_t i;

	printf("%*s%s:%u:%u: %s: %s%s%s%s\n", depth, "", last_str(d, "file"),
	       num(d, "line"), num(d, "column"), last_str(d, "severity"), message,
	       *rule ? " [" : "", rule, *rule ? "]" : "");
	if (*last_str(d, "source")) {
		g_autofree char *source = term_escape(last_str(d, "source"));

		printf("%*s    %s\n", depth, "", source);
	}
	json_array_foreach(json_object_get(d, "notes"), i, e) {
		g_autofree char *note = term_escape(json_string_value(e));

		printf("%*s    note: %s\n", depth, "", note);
	}
	json_array_foreach(json_object_get(d, "follow_ons"), i, e)
		show_diag(e, depth + 2);
}

static void show_variants(const json_t *f)
{
	json_t *e;
	size_t i;

	json_array_foreach(json_object_get(f, "fails"), i, e)
		printf("fails:    %s, %u of the TUs compiled, first %s\n",
		       last_str(e, "variant"), num(e, "places"), last_str(e, "first"));
	json_array_foreach(json_object_get(f, "passes"), i, e) {
		bool because = json_is_string(json_object_get(e, "because"));

		printf("passes:   %s%s%s%s\n", last_str(e, "variant"), !because ? "" :
		       json_is_true(json_object_get(e, "defined")) ?
		       ": it defines " : ": it does not define ",
		       last_str(e, "because"), "");
	}
}

static void show_finding(const json_t *doc, const json_t *f)
{
	const json_t *series = json_object_get(doc, "series");
	const json_t *patch = json_array_get(json_object_get(series, "patches"),
					     num(f, "n") - 1);
	json_t *e;
	size_t i;

	printf("%s  %s, %s\n", last_str(f, "id"), last_str(f, "check"), last_str(f, "confidence"));
	line("patch:    ", last_str(patch, "subject"));
	line("commit:   ", last_str(patch, "commit"));
	line("cause:    ", last_str(f, "sentence"));
	show_variants(f);
	line("mend:     ", last_str(f, "fixup"));
	printf("\n");
	show_diag(f, 0);
	json_array_foreach(json_object_get(f, "same_cause"), i, e)
		show_diag(e, 0);
	printf("\nreproduce: respin repro %s\n", last_str(f, "id"));
}

int cmd_show(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	json_t *doc, *f;
	int status;

	if (!command_parse(NULL, "N/M.K|messages", "Shows one finding of the last "
		"report in full: what the compiler said, where, and on which "
		"variants; or the notes on mails and trailers.",
		&argc, &argv, &status))
		return status;
	if (argc != 2)
		return command_usage("show", "one finding, such as 3/7.1, is needed");
	doc = last_report(&error);
	if (doc && !strcmp(argv[1], "messages")) {
		messages_list(json_object_get(doc, "messages"), num(
			json_object_get(doc, "series"), "total"), stdout);
		json_decref(doc);
		return EXIT_NOTHING_NEW;
	}
	f = doc ? last_finding(doc, argv[1], &error) : NULL;
	if (!f) {
		json_decref(doc);
		return command_fail("show", error, EXIT_NOT_VERIFIED);
	}
	show_finding(doc, f);
	json_decref(doc);
	return EXIT_NOTHING_NEW;
}
