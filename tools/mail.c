// SPDX-License-Identifier: GPL-2.0
#include "mail.h"

#include <gmime/gmime.h>

#include "error.h"
#include "mail-text.h"

static void part_free(void *data)
{
	struct mail_part *part = data;

	g_bytes_unref(part->bytes);
	g_free(part->charset);
	g_free(part);
}

static struct mail *mail_new(void)
{
	struct mail *m = g_new0(struct mail, 1);

	m->refs = g_ptr_array_new_with_free_func(g_free);
	m->parts = g_ptr_array_new_with_free_func(part_free);
	m->notes = g_ptr_array_new_with_free_func(g_free);
	return m;
}

void mail_free(struct mail *m)
{
	if (!m)
		return;
	g_free(m->from);
	g_free(m->subject);
	g_free(m->date);
	g_free(m->to);
	g_free(m->cc);
	g_free(m->msgid);
	g_ptr_array_unref(m->refs);
	g_ptr_array_unref(m->parts);
	g_ptr_array_unref(m->notes);
	g_free(m);
}

static void init_once(void)
{
	static gsize done;

	if (g_once_init_enter(&done)) {
		g_mime_init();
		g_once_init_leave(&done, 1);
	}
}

static void note(struct mail *m, char *text)
{
	for (guint i = 0; i < m->notes->len; i++) {
		if (!strcmp(m->notes->pdata[i], text)) {
			g_free(text);
			return;
		}
	}
	g_ptr_array_add(m->notes, text);
}

/* A header line: a name of printable characters, then a colon. */
static bool is_field(const char *p, gsize len)
{
	gsize i = 0;

	while (i < len && p[i] > 32 && p[i] < 127 && p[i] != ':')
		i++;
	return i && i < len && p[i] == ':';
}

static bool is_from_space(const char *p, gsize len)
{
	return (len >= 5 && !memcmp(p, "From ", 5)) ||
	       (len >= 6 && !memcmp(p, ">From ", 6));
}

static bool is_blank(const char *p, gsize len)
{
	for (gsize i = 0; i < len; i++)
		if (!g_ascii_isspace(p[i]))
			return false;
	return true;
}

bool mail_has_header(const char *text, gsize len)
{
	const char *p = text, *end = text + len;
	bool any = false;

	while (p < end) {
		gsize n = text_line_len(p, end);

		if (any && (*p == ' ' || *p == '\t')) {
			p += n;
			continue;
		}
		if (is_blank(p, n))
			break;
		if (!is_field(p, n))
			return false;
		any = true;
		p += n;
	}
	return any;
}

/* Adds a line of the header; was there a CR before its '\n'? */
static bool add_header(GByteArray *out, const char *p, gsize len)
{
	bool crlf = len > 1 && p[len - 2] == '\r' && p[len - 1] == '\n';

	g_byte_array_append(out, (const void *)p, crlf ? len - 2 : len);
	if (crlf)
		g_byte_array_append(out, (const void *)"\n", 1);
	return crlf;
}

/*
 * GMime takes a line that is no header for a broken one and goes on; git ends
 * the header section there.  So the section is cut out by git's rule first.
 */
static GByteArray *normal_form(GBytes *raw, bool *crlf)
{
	gsize size;
	const char *p = g_bytes_get_data(raw, &size), *end = p + size;
	GByteArray *out = g_byte_array_sized_new(size + 1);
	bool any = false;

	while (p < end && g_ascii_isspace(*p))
		p++;
	while (p < end) {
		gsize n = text_line_len(p, end);
		bool folded = any && (*p == ' ' || *p == '\t');

		if (!folded && is_blank(p, n)) {
			p += n;
			break;
		}
		if (!folded && !is_from_space(p, n)) {
			if (!is_field(p, n))
				break;
			any = true;
		}
		if (!is_from_space(p, n))
			*crlf |= add_header(out, p, n);
		p += n;
	}
	if (!any)
		g_byte_array_set_size(out, 0);
	else if (out->data[out->len - 1] != '\n')
		g_byte_array_append(out, (const void *)"\n", 1);
	if (any) {
		g_byte_array_append(out, (const void *)"\n", 1);
		g_byte_array_append(out, (const void *)p, end - p);
	}
	return out;
}

char *mail_decode_header(const char *value)
{
	g_autofree char *unfolded = NULL, *text = NULL;
	bool guessed = false;
	gsize len;

	init_once();
	unfolded = g_mime_utils_header_unfold(value);
	text = g_mime_utils_header_decode_text(NULL, unfolded);
	return text_to_utf8(text, strlen(text), NULL, &guessed, &len);
}

bool mail_decode_date(const char *value, gint64 *when, int *offset)
{
	g_autoptr(GDateTime) date = NULL;

	init_once();
	date = g_mime_utils_header_decode_date(value);
	if (!date)
		return false;
	*when = g_date_time_to_unix(date);
	*offset = g_date_time_get_utc_offset(date) / G_TIME_SPAN_MINUTE;
	return true;
}

static const char *raw_header(GMimeMessage *msg, const char *name)
{
	GMimeHeaderList *list =
		g_mime_object_get_header_list(GMIME_OBJECT(msg));
	GMimeHeader *h = g_mime_header_list_get_header(list, name);

	return h ? g_mime_header_get_raw_value(h) : NULL;
}

static char *text_header(GMimeMessage *msg, const char *name)
{
	const char *raw = raw_header(msg, name);

	return raw ? g_strstrip(text_one_space(mail_decode_header(raw))) : NULL;
}

static char *all_headers(GMimeMessage *msg, const char *name)
{
	GMimeHeaderList *list =
		g_mime_object_get_header_list(GMIME_OBJECT(msg));
	g_autoptr(GString) all = g_string_new(NULL);

	for (int i = 0; i < g_mime_header_list_get_count(list); i++) {
		GMimeHeader *h = g_mime_header_list_get_header_at(list, i);

		if (!g_ascii_strcasecmp(g_mime_header_get_name(h), name))
			g_string_append_printf(all, "%s%s", all->len ? "," : "",
					       g_mime_header_get_raw_value(h));
	}
	return all->len ? g_strdup(all->str) : NULL;
}

static void add_ids(GPtrArray *ids, const char *raw)
{
	const char *end;

	while (raw && (raw = strchr(raw, '<')) && (end = strchr(raw, '>'))) {
		char *id = g_strndup(raw + 1, end - raw - 1);

		g_ptr_array_add(ids, g_strstrip(id));
		raw = end;
	}
}

static void read_headers(struct mail *m, GMimeMessage *msg)
{
	g_autoptr(GPtrArray) own = g_ptr_array_new_with_free_func(g_free);

	m->from = text_header(msg, "From");
	m->subject = text_header(msg, "Subject");
	m->date = text_header(msg, "Date");
	m->to = all_headers(msg, "To");
	m->cc = all_headers(msg, "Cc");
	add_ids(own, raw_header(msg, "Message-ID"));
	if (own->len)
		m->msgid = g_strdup(own->pdata[0]);
	add_ids(m->refs, raw_header(msg, "References"));
	add_ids(m->refs, raw_header(msg, "In-Reply-To"));
}

static bool is_wanted(GMimePart *part, GMimeContentType *type)
{
	static const char *const types[] = {
		"text/plain", "text/x-patch", "text/x-diff",
		"application/x-patch", "application/x-diff",
	};
	g_autofree char *name = g_mime_content_type_get_mime_type(type);
	const char *file = g_mime_part_get_filename(part);

	for (gsize i = 0; i < G_N_ELEMENTS(types); i++)
		if (!g_ascii_strcasecmp(name, types[i]))
			return true;
	return file && (g_str_has_suffix(file, ".patch") ||
			g_str_has_suffix(file, ".diff"));
}

/* Only the transfer encoding is undone: GMime's text filters lose bytes. */
static GBytes *decoded(GMimePart *part)
{
	GMimeDataWrapper *content = g_mime_part_get_content(part);
	GByteArray *array = g_byte_array_new();
	GMimeStream *mem;

	if (!content)
		return g_byte_array_free_to_bytes(array);
	mem = g_mime_stream_mem_new_with_byte_array(array);
	g_mime_stream_mem_set_owner(GMIME_STREAM_MEM(mem), FALSE);
	g_mime_data_wrapper_write_to_stream(content, mem);
	g_object_unref(mem);
	return g_byte_array_free_to_bytes(array);
}

static bool is_param(GMimeContentType *type, const char *name,
		     const char *value)
{
	const char *v = g_mime_content_type_get_parameter(type, name);

	return v && !g_ascii_strcasecmp(v, value);
}

/* git mailinfo keeps a CR that came out of base64 or quoted-printable. */
static void note_kept_cr(struct mail *m, GMimePart *part, GBytes *bytes)
{
	GMimeContentEncoding how = g_mime_part_get_content_encoding(part);
	gsize size;
	const char *data = g_bytes_get_data(bytes, &size);

	if (how != GMIME_CONTENT_ENCODING_BASE64 &&
	    how != GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE)
		return;
	if (size && memmem(data, size, "\r\n", 2))
		note(m, g_strdup("lines end in CR LF inside the transfer "
				 "encoding; kept, as git am does"));
}

/*
 * The newline before a boundary belongs to the boundary (RFC 2046), and GMime
 * drops it; git keeps it, and a binary hunk needs it.  Base64 has none to
 * keep, but its last line must not run into the next part.
 */
static GBytes *end_line(GMimePart *part, GBytes *bytes, bool crlf)
{
	bool base64 = g_mime_part_get_content_encoding(part) ==
		      GMIME_CONTENT_ENCODING_BASE64;
	gsize size;
	const char *data = g_bytes_get_data(bytes, &size);
	GByteArray *array;

	if (base64 && (!size || data[size - 1] == '\n'))
		return bytes;
	array = g_bytes_unref_to_array(bytes);
	if (crlf && !base64)
		g_byte_array_append(array, (const void *)"\r", 1);
	g_byte_array_append(array, (const void *)"\n", 1);
	return g_byte_array_free_to_bytes(array);
}

static int add_part(struct mail *m, GMimePart *part, int depth, GError **error)
{
	GMimeContentType *type =
		g_mime_object_get_content_type(GMIME_OBJECT(part));
	const char *charset = g_mime_content_type_get_parameter(type, "charset");
	struct mail_part *p;
	GBytes *bytes;

	if (depth && !is_wanted(part, type)) {
		g_autofree char *name = g_mime_content_type_get_mime_type(type);

		note(m, g_strdup_printf("a part '%s' is left out", name));
		return 0;
	}
	if (m->parts->len >= MAIL_MAX_PARTS) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_INPUT,
			    "more than %d parts in one mail", MAIL_MAX_PARTS);
		return -1;
	}
	bytes = decoded(part);
	note_kept_cr(m, part, bytes);
	if (is_param(type, "format", "flowed")) {
		GBytes *flowed = bytes;

		bytes = text_unflow(flowed, is_param(type, "delsp", "yes"));
		g_bytes_unref(flowed);
		note(m, g_strdup("format=flowed undone"));
	}
	p = g_new0(struct mail_part, 1);
	p->bytes = depth ? end_line(part, bytes, m->crlf) : bytes;
	p->charset = g_strdup(charset);
	g_ptr_array_add(m->parts, p);
	return 0;
}

static int add_object(struct mail *m, GMimeObject *obj, int depth,
		      GError **error);

static int add_multipart(struct mail *m, GMimeMultipart *multi, int depth,
			 GError **error)
{
	int count = g_mime_multipart_get_count(multi);

	if (depth >= MAIL_MAX_DEPTH) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_INPUT,
			    "multiparts are nested more than %d deep",
			    MAIL_MAX_DEPTH);
		return -1;
	}
	/* Set by the parser when it saw the closing boundary. */
	if (!multi->write_end_boundary) {
		g_set_error_literal(error, RESPIN_ERROR, RESPIN_ERROR_INPUT,
				    "a multipart has no closing boundary: "
				    "the mail is cut off");
		return -1;
	}
	for (int i = 0; i < count; i++)
		if (add_object(m, g_mime_multipart_get_part(multi, i),
			       depth + 1, error))
			return -1;
	return 0;
}

static int add_object(struct mail *m, GMimeObject *obj, int depth,
		      GError **error)
{
	if (GMIME_IS_MULTIPART(obj))
		return add_multipart(m, GMIME_MULTIPART(obj), depth, error);
	if (GMIME_IS_PART(obj))
		return add_part(m, GMIME_PART(obj), depth, error);
	if (obj)
		note(m, g_strdup("an attached mail is left out"));
	return 0;
}

static GMimeMessage *construct(GByteArray *text)
{
	GMimeStream *mem = g_mime_stream_mem_new_with_byte_array(text);
	GMimeParser *parser = g_mime_parser_new_with_stream(mem);
	GMimeMessage *msg;

	g_mime_parser_set_format(parser, GMIME_FORMAT_MESSAGE);
	msg = g_mime_parser_construct_message(parser, NULL);
	g_object_unref(parser);
	g_object_unref(mem);
	return msg;
}

struct mail *mail_parse(GBytes *raw, GError **error)
{
	g_autoptr(mail_t) m = NULL;
	GMimeMessage *msg;
	GByteArray *text;
	bool crlf = false;
	int err;

	if (g_bytes_get_size(raw) > MAIL_MAX_BYTES) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_INPUT,
			    "the mail has more than %u MiB",
			    MAIL_MAX_BYTES >> 20);
		return NULL;
	}
	init_once();
	text = normal_form(raw, &crlf);
	if (!text->len) {
		g_byte_array_unref(text);
		g_set_error_literal(error, RESPIN_ERROR, RESPIN_ERROR_INPUT,
				    "no mail header");
		return NULL;
	}
	msg = construct(text);	/* takes over text */
	if (!msg) {
		g_set_error_literal(error, RESPIN_ERROR, RESPIN_ERROR_INPUT,
				    "not a mail");
		return NULL;
	}
	m = mail_new();
	m->crlf = crlf;
	read_headers(m, msg);
	err = add_object(m, g_mime_message_get_mime_part(msg), 0, error);
	g_object_unref(msg);
	return err ? NULL : g_steal_pointer(&m);
}
