// SPDX-License-Identifier: GPL-2.0
/*
 * The cache file, in host byte order (it never leaves the machine):
 *	char magic[16]
 *	guint32 spec_count, spec_bytes, record_count, id_count
 *	char specs[spec_bytes]			NUL-terminated, padded to 4
 *	record[record_count]			blob id, guint32 first, count
 *	guint32 ids[id_count]
 */
#include "incgraph-priv.h"

#define MAGIC "respin-include3"
#define RECORD (BLOB_RAW + 8)
#define HEAD (16 + 4 * 4)

static guint32 get32(const char *p)
{
	guint32 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Points @c into its map; false when the file is not what it should be. */
static bool read_map(struct inccache *c)
{
	const char *base = g_mapped_file_get_contents(c->map), *s, *end;
	guint64 size = g_mapped_file_get_length(c->map);
	guint64 specs, bytes;

	if (size < HEAD || memcmp(base, MAGIC, 16))
		return false;
	specs = get32(base + 16);
	bytes = get32(base + 20);
	c->record_count = get32(base + 24);
	c->id_count = get32(base + 28);
	if (bytes % 4 || size != HEAD + bytes +
	    (guint64)RECORD * c->record_count + 4 * (guint64)c->id_count)
		return false;
	s = base + HEAD;
	end = s + bytes;
	c->records = end;
	c->ids = (const guint32 *)(end + (gsize)RECORD * c->record_count);
	for (; specs; specs--) {
		const char *nul = s < end ? memchr(s, '\0', end - s) : NULL;

		if (!nul)
			return false;
		g_ptr_array_add(c->specs, (gpointer)s);
		s = nul + 1;
	}
	for (guint32 i = 0; i < c->id_count; i++)
		if (c->ids[i] >= c->specs->len)
			return false;
	for (guint32 i = 0; i < c->record_count; i++) {
		const char *r = c->records + (gsize)RECORD * i;

		if ((guint64)get32(r + BLOB_RAW) + get32(r + BLOB_RAW + 4) >
		    c->id_count)
			return false;
	}
	return true;
}

struct inccache *inccache_open(const char *path)
{
	struct inccache *c = g_new0(struct inccache, 1);

	c->specs = g_ptr_array_new();
	c->chunk = g_string_chunk_new(1 << 16);
	c->added = g_hash_table_new_full(g_bytes_hash, g_bytes_equal,
					 (GDestroyNotify)g_bytes_unref,
					 (GDestroyNotify)g_array_unref);
	if (path)
		c->map = g_mapped_file_new(path, FALSE, NULL);
	if (c->map && !read_map(c)) {
		g_clear_pointer(&c->map, g_mapped_file_unref);
		g_ptr_array_set_size(c->specs, 0);
		c->record_count = 0;
		c->id_count = 0;
	}
	return c;
}

void inccache_free(struct inccache *c)
{
	if (!c)
		return;
	g_clear_pointer(&c->map, g_mapped_file_unref);
	g_ptr_array_unref(c->specs);
	g_clear_pointer(&c->by_spec, g_hash_table_unref);
	g_string_chunk_free(c->chunk);
	g_hash_table_unref(c->added);
	g_free(c);
}

static const guint32 no_ids[1];

const guint32 *inccache_find(const struct inccache *c, const guint8 *raw,
			     guint32 *count)
{
	guint32 lo = 0, hi = c->record_count;
	g_autoptr(GBytes) key = NULL;
	GArray *ids;

	while (lo < hi) {
		guint32 mid = lo + (hi - lo) / 2;
		const char *r = c->records + (gsize)RECORD * mid;
		int cmp = memcmp(raw, r, BLOB_RAW);

		if (!cmp) {
			*count = get32(r + BLOB_RAW + 4);
			return c->ids + get32(r + BLOB_RAW);
		}
		if (cmp < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	if (!g_hash_table_size(c->added))
		return NULL;
	key = g_bytes_new_static(raw, BLOB_RAW);
	ids = g_hash_table_lookup(c->added, key);
	if (!ids)
		return NULL;
	*count = ids->len;
	return ids->len ? (const guint32 *)ids->data : no_ids;
}

static guint32 intern(struct inccache *c, const char *spec)
{
	gpointer found;
	guint32 id;

	if (!c->by_spec) {
		c->by_spec = g_hash_table_new(g_str_hash, g_str_equal);
		for (guint i = 0; i < c->specs->len; i++)
			g_hash_table_insert(c->by_spec, c->specs->pdata[i],
					    GUINT_TO_POINTER(i));
	}
	if (g_hash_table_lookup_extended(c->by_spec, spec, NULL, &found))
		return GPOINTER_TO_UINT(found);
	id = c->specs->len;
	g_ptr_array_add(c->specs, g_string_chunk_insert(c->chunk, spec));
	g_hash_table_insert(c->by_spec, c->specs->pdata[id],
			    GUINT_TO_POINTER(id));
	return id;
}

static void add_spec(struct inccache *c, GArray *ids, char delim,
		     const char *name, gsize len)
{
	g_autofree char *spec = g_malloc(len + 2);
	guint32 id;

	spec[0] = delim;
	memcpy(spec + 1, name, len);
	spec[len + 1] = '\0';
	if (!len || strlen(spec) != len + 1)
		return;
	id = intern(c, spec);
	for (guint i = 0; i < ids->len; i++)
		if (g_array_index(ids, guint32, i) == id)
			return;
	g_array_append_val(ids, id);
}

/* Past blanks, joined lines and block comments. */
static const char *skip_gap(const char *s, const char *end)
{
	while (s < end) {
		const char *close;

		if (*s == ' ' || *s == '\t') {
			s++;
		} else if (end - s > 1 && s[0] == '\\' && s[1] == '\n') {
			s += 2;
		} else if (end - s > 3 && s[0] == '/' && s[1] == '*') {
			close = memmem(s + 2, end - s - 2, "*/", 2);
			s = close ? close + 2 : end;
		} else {
			break;
		}
	}
	return s;
}

/* Does nothing but blanks, or a comment's end, stand before the # at @s? */
static bool begins_line(const char *text, const char *s)
{
	while (s > text && (s[-1] == ' ' || s[-1] == '\t'))
		s--;
	return s == text || s[-1] == '\n' ||
	       (s - text > 1 && s[-1] == '/' && s[-2] == '*');
}

static bool is_file_name(const char *name, gsize len)
{
	return len > 2 && name[len - 2] == '.' && strchr("chS", name[len - 1]);
}

static const char *after_word(const char *s, const char *end, const char *word)
{
	gsize n = strlen(word);

	return (gsize)(end - s) > n && !memcmp(s, word, n) ? s + n : NULL;
}

/*
 * The line whose # stands before @s.  #define NAME "file.h" counts as an
 * include: somebody may #include NAME.
 */
static void read_directive(struct inccache *c, GArray *ids, const char *s,
			   const char *end)
{
	bool define = false;
	const char *word, *close;
	char delim;

	s = skip_gap(s, end);
	word = after_word(s, end, "include");
	if (word) {
		s = after_word(word, end, "_next");
		s = skip_gap(s ? s : word, end);
	} else {
		word = after_word(s, end, "define");
		if (!word)
			return;
		define = true;
		s = skip_gap(word, end);
		while (s < end && (g_ascii_isalnum(*s) || *s == '_'))
			s++;
		s = skip_gap(s, end);
	}
	if (s == end || (*s != '<' && *s != '"'))
		return;
	delim = *s++;
	for (close = s; close < end && *close != '\n'; close++)
		if (*close == (delim == '<' ? '>' : '"'))
			break;
	if (close == end || *close == '\n')
		return;
	if (!define || is_file_name(s, close - s))
		add_spec(c, ids, delim, s, close - s);
}

static GArray *new_record(struct inccache *c, const guint8 *raw)
{
	GArray *ids = g_array_new(FALSE, FALSE, sizeof(guint32));

	g_hash_table_insert(c->added, g_bytes_new(raw, BLOB_RAW), ids);
	return ids;
}

struct new_record {
	struct inccache *c;
	GArray *ids;
};

static void add_paste(const char *macro, const char *pattern, void *data)
{
	struct new_record *n = data;
	g_autofree char *spec = g_strconcat(macro, " ", pattern, NULL);

	add_spec(n->c, n->ids, '#', spec, strlen(spec));
}

void inccache_add(struct inccache *c, const guint8 *raw, const char *text,
		  gsize len)
{
	GArray *ids = new_record(c, raw);
	struct new_record record = { c, ids };
	const char *s = text, *end = text + len;

	pastes_find(text, len, add_paste, &record);
	while (s < end && (s = memchr(s, '#', end - s))) {
		if (begins_line(text, s))
			read_directive(c, ids, s + 1, end);
		s++;
	}
}

void inccache_add_link(struct inccache *c, const guint8 *raw, const char *text,
		       gsize len)
{
	add_spec(c, new_record(c, raw), '"', text, len);
}

/* The word behind -include as a path of the tree; NULL: none of its files. */
static char *forced_path(const char *word, gsize len)
{
	g_autofree char *w = g_strndup(word, len);

	if (g_str_has_prefix(w, "$(srctree)/"))
		return g_strdup(w + strlen("$(srctree)/"));
	if (g_str_has_prefix(w, "$(src)/"))
		return g_strconcat("./", w + strlen("$(src)/"), NULL);
	/* lib/vdso/Makefile: c-gettimeofday-y is lib/vdso/gettimeofday.c */
	if (g_str_has_prefix(w, "$(c-") && g_str_has_suffix(w, "-y)"))
		return g_strdup_printf("lib/vdso/%.*s.c",
				       (int)(strlen(w) - 7), w + 4);
	return NULL;
}

void inccache_add_makefile(struct inccache *c, const guint8 *raw,
			   const char *text, gsize len)
{
	GArray *ids = new_record(c, raw);
	const char *s = text, *end = text + len, *word;
	static const char option[] = "-include";

	while (s < end && (s = memmem(s, end - s, option, strlen(option)))) {
		g_autofree char *path = NULL;

		s = skip_gap(s + strlen(option), end);
		for (word = s; s < end && !g_ascii_isspace(*s); s++)
			;
		path = forced_path(word, s - word);
		if (path && is_file_name(path, strlen(path)))
			add_spec(c, ids, '-', path, strlen(path));
	}
}

/* A record that is to be written. */
struct out_record {
	guint8 raw[BLOB_RAW];
	const guint32 *ids;
	guint32 count;
};

static int by_raw(gconstpointer a, gconstpointer b)
{
	return memcmp(a, b, BLOB_RAW);
}

static GArray *collect(const struct inccache *c)
{
	GArray *out = g_array_new(FALSE, TRUE, sizeof(struct out_record));
	struct out_record o;
	GHashTableIter it;
	gpointer key, value;

	for (guint32 i = 0; i < c->record_count; i++) {
		const char *r = c->records + (gsize)RECORD * i;

		memcpy(o.raw, r, BLOB_RAW);
		o.ids = c->ids + get32(r + BLOB_RAW);
		o.count = get32(r + BLOB_RAW + 4);
		g_array_append_val(out, o);
	}
	g_hash_table_iter_init(&it, c->added);
	while (g_hash_table_iter_next(&it, &key, &value)) {
		GArray *ids = value;

		memcpy(o.raw, g_bytes_get_data(key, NULL), BLOB_RAW);
		o.ids = (const guint32 *)ids->data;
		o.count = ids->len;
		g_array_append_val(out, o);
	}
	g_array_sort(out, by_raw);
	return out;
}

static void put32(GByteArray *b, guint32 v)
{
	g_byte_array_append(b, (const guint8 *)&v, sizeof(v));
}

bool inccache_save(const struct inccache *c, const char *path)
{
	g_autoptr(GByteArray) b = g_byte_array_new();
	g_autoptr(GArray) records = collect(c);
	guint32 ids = 0;

	g_byte_array_append(b, (const guint8 *)MAGIC, 16);
	put32(b, c->specs->len);
	put32(b, 0);
	put32(b, records->len);
	put32(b, 0);
	for (guint i = 0; i < c->specs->len; i++)
		g_byte_array_append(b, c->specs->pdata[i],
				    strlen(c->specs->pdata[i]) + 1);
	while (b->len % 4)
		g_byte_array_append(b, (const guint8 *)"", 1);
	*(guint32 *)(b->data + 20) = b->len - HEAD;
	for (guint i = 0; i < records->len; i++) {
		struct out_record *o =
			&g_array_index(records, struct out_record, i);

		g_byte_array_append(b, o->raw, BLOB_RAW);
		put32(b, ids);
		put32(b, o->count);
		ids += o->count;
	}
	*(guint32 *)(b->data + 28) = ids;
	for (guint i = 0; i < records->len; i++) {
		struct out_record *o =
			&g_array_index(records, struct out_record, i);

		if (o->count)
			g_byte_array_append(b, (const guint8 *)o->ids,
					    o->count * sizeof(guint32));
	}
	return g_file_set_contents(path, (const char *)b->data, b->len, NULL);
}
