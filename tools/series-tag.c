// SPDX-License-Identifier: GPL-2.0
#include "series-tag.h"

#include <stdio.h>

static bool is_number(const char *text)
{
	gsize n = strspn(text, "0123456789");

	return n && !text[n];
}

/* Far above every limit is as good as the true value. */
static unsigned int number(const char *text)
{
	return MIN(g_ascii_strtoull(text, NULL, 10), 999999999);
}

/* "v3", "v2.1" */
static bool take_version(struct series_tag *tag, const char *word)
{
	g_auto(GStrv) part = NULL;

	if (*word != 'v' && *word != 'V')
		return false;
	part = g_strsplit(word + 1, ".", 2);
	if (!part[0] || !is_number(part[0]) || (part[1] && !is_number(part[1])))
		return false;
	tag->version = number(part[0]);
	tag->minor = part[1] ? number(part[1]) : 0;
	return true;
}

static bool take_place(struct series_tag *tag, const char *word)
{
	g_auto(GStrv) part = g_strsplit(word, "/", -1);

	if (g_strv_length(part) != 2 || !is_number(part[0]) ||
	    !is_number(part[1]))
		return false;
	tag->numbered = true;
	tag->n = number(part[0]);
	tag->m = number(part[1]);
	return true;
}

/* "PATCH", "PATCHv3"; "PATCH/RFC" leaves RFC to the prefix. */
static const char *take_patch(struct series_tag *tag, const char *word)
{
	if (g_ascii_strncasecmp(word, "PATCH", 5))
		return word;
	if (word[5] && word[5] != '/' && word[5] != '-' &&
	    !take_version(tag, word + 5))
		return word;
	tag->has_word = true;
	if (word[5] == '-' && !take_version(tag, word + 6))
		return word;
	return word[5] == '/' ? word + 6 : "";
}

static void take_word(struct series_tag *tag, const char *word, GString *prefix)
{
	if (take_place(tag, word) || take_version(tag, word))
		return;
	word = take_patch(tag, word);
	if (!*word)
		return;
	if (prefix->len)
		g_string_append_c(prefix, ' ');
	g_string_append(prefix, word);
}

/* One pair of brackets; false when it is no tag and changes nothing. */
static bool take_group(struct series_tag *tag, const char *text, gsize len)
{
	g_autofree char *group = g_strndup(text, len);
	g_auto(GStrv) words = g_strsplit_set(group, " \t,", -1);
	struct series_tag found = { .version = 1, .n = 1, .m = 1 };
	GString *prefix = g_string_new(NULL);
	bool rfc = false;

	for (char **w = words; *w; w++) {
		if (!g_ascii_strcasecmp(*w, "RFC"))
			rfc = true;
		if (**w)
			take_word(&found, *w, prefix);
	}
	found.prefix = g_string_free(prefix, FALSE);
	found.is_reply = tag->is_reply;
	if (!found.has_word && !found.numbered && !rfc) {
		g_free(found.prefix);
		return false;
	}
	g_free(tag->prefix);
	*tag = found;
	return true;
}

/* What mail programs put in front of an answer; its length, 0: none. */
static gsize reply_word(const char *p)
{
	static const char *const words[] = {
		"re:", "fwd:", "fw:", "aw:", "wg:", "sv:", "antw:",
	};

	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		if (!g_ascii_strncasecmp(p, words[i], strlen(words[i])))
			return strlen(words[i]);
	return 0;
}

struct series_tag *series_tag_parse(const char *subject)
{
	struct series_tag *tag = g_new0(struct series_tag, 1);
	const char *p = subject, *end;
	bool tagged = false;
	gsize n;

	*tag = (struct series_tag){ .version = 1, .n = 1, .m = 1 };
	tag->prefix = g_strdup("");
	while (!tagged) {
		p += strspn(p, " \t");
		n = reply_word(p);
		if (n) {
			tag->is_reply = true;
			p += n;
			continue;
		}
		end = *p == '[' ? strchr(p, ']') : NULL;
		if (!end)
			break;
		tagged = take_group(tag, p + 1, end - p - 1);
		p = end + 1;
	}
	return tag;
}

void series_tag_free(struct series_tag *tag)
{
	if (!tag)
		return;
	g_free(tag->prefix);
	g_free(tag);
}

char *series_tag_label(const struct series_tag *tag, bool with_version)
{
	g_autofree char *version = g_strdup("");

	if (with_version) {
		g_free(version);
		version = tag->minor ?
			g_strdup_printf("v%u.%u ", tag->version, tag->minor) :
			g_strdup_printf("v%u ", tag->version);
	}
	if (!tag->numbered)
		return g_strconcat(version, tag->has_word ? "[PATCH]" :
				   "(no tag)", NULL);
	return g_strdup_printf("%s%u/%u", version, tag->n, tag->m);
}
