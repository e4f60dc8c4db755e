// SPDX-License-Identifier: GPL-2.0
#include "ppfile.h"
#include <string.h>
#include "ctext.h"

/* Open addressing: a name is looked up for each word of each header. */
struct pp {
	GStringChunk *chunk;
	GPtrArray *texts;	/* name -> const char * */
	GByteArray *traits;	/* [name] */
	GArray *hashes;		/* [name] of guint32 */
	guint32 *slots;		/* name or 0 */
	guint32 mask;
	struct pp_left *left;
	GHashTable *files;	/* path -> struct pp_file or NULL */
	GHashTable *sources;	/* the same of pp_source() */
};

struct pp *pp_new(void)
{
	struct pp *pp = g_new0(struct pp, 1);

	pp->chunk = g_string_chunk_new(1 << 16);
	pp->texts = g_ptr_array_new();
	g_ptr_array_add(pp->texts, (gpointer)"");
	pp->traits = g_byte_array_new();
	g_byte_array_set_size(pp->traits, 1);
	pp->hashes = g_array_new(FALSE, FALSE, sizeof(guint32));
	g_array_set_size(pp->hashes, 1);
	pp->mask = (1 << 16) - 1;
	pp->slots = g_new0(guint32, pp->mask + 1);
	pp->left = pp_left_new();
	pp->files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					  (GDestroyNotify)pp_file_free);
	pp->sources = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					    (GDestroyNotify)pp_file_free);
	return pp;
}

void pp_free(struct pp *pp)
{
	if (!pp)
		return;
	pp_left_free(pp->left);
	g_hash_table_unref(pp->files);
	g_hash_table_unref(pp->sources);
	g_string_chunk_free(pp->chunk);
	g_ptr_array_unref(pp->texts);
	g_byte_array_unref(pp->traits);
	g_array_unref(pp->hashes);
	g_free(pp->slots);
	g_free(pp);
}

static guint32 hash_text(const char *text, gsize len)
{
	guint32 h = 2166136261u;

	for (gsize i = 0; i < len; i++)
		h = (h ^ (guint8)text[i]) * 16777619u;
	return h ^ h >> 15;
}

static void grow(struct pp *pp)
{
	guint32 mask = pp->mask * 2 + 1;
	guint32 *slots = g_new0(guint32, (gsize)mask + 1);

	for (guint32 id = 1; id < pp->texts->len; id++) {
		guint32 i = g_array_index(pp->hashes, guint32, id) & mask;

		while (slots[i])
			i = (i + 1) & mask;
		slots[i] = id;
	}
	g_free(pp->slots);
	pp->slots = slots;
	pp->mask = mask;
}

/* What a name's spelling says. */
static guint8 spelled_traits(const char *t)
{
	static const char *const builtin[] = {
		"__riscv", "__riscv_xlen", "__i386", "_LP64", "__has_attribute",
		"__has_feature", "__has_include", "__has_builtin", "_CALL_ELF",
		"unix", "linux", NULL
	};
	static const char *const never[] = {
		"__ASSEMBLY__", "__cplusplus", "__CHECKER__", "__clang__",
		"__GENKSYMS__", "__INTEL_COMPILER", NULL
	};

	if (g_str_has_prefix(t, "CONFIG_"))
		return PP_CONFIG;
	if (g_strv_contains(builtin, t))
		return PP_BUILTIN;
	return g_str_has_prefix(t, "__") && g_str_has_suffix(t, "__") &&
	       !g_strv_contains(never, t) ? PP_BUILTIN : 0;
}

guint32 pp_name(struct pp *pp, const char *text, gsize len)
{
	guint32 hash = hash_text(text, len), i = hash & pp->mask, id;
	guint8 traits;

	for (; pp->slots[i]; i = (i + 1) & pp->mask) {
		const char *t = pp->texts->pdata[pp->slots[i]];

		if (g_array_index(pp->hashes, guint32, pp->slots[i]) == hash &&
		    !strncmp(t, text, len) && !t[len])
			return pp->slots[i];
	}
	id = pp->texts->len;
	pp->slots[i] = id;
	g_ptr_array_add(pp->texts, g_string_chunk_insert_len(pp->chunk, text,
							     len));
	g_array_append_val(pp->hashes, hash);
	traits = spelled_traits(pp->texts->pdata[id]);
	g_byte_array_append(pp->traits, &traits, 1);
	if (id > pp->mask / 2)
		grow(pp);
	return id;
}

const char *pp_text(const struct pp *pp, guint32 name)
{
	return pp->texts->pdata[name];
}

guint32 pp_names(const struct pp *pp)
{
	return pp->texts->len - 1;
}

guint8 pp_traits(const struct pp *pp, guint32 name)
{
	return pp->traits->data[name];
}

void pp_set_trait(struct pp *pp, guint32 name, enum pp_trait trait)
{
	guint8 *traits = &pp->traits->data[name];

	if (*traits & PP_LEFT_OUT && pp_is_asked(trait) && !(*traits & trait))
		pp_left_asked(pp->left, name, trait);
	*traits |= trait;
}

struct pp_left *pp_left_of(struct pp *pp)
{
	return pp->left;
}

void pp_clear_trait(struct pp *pp, enum pp_trait trait)
{
	for (guint i = 0; i < pp->traits->len; i++)
		pp->traits->data[i] &= ~trait;
}

void pp_file_free(struct pp_file *f)
{
	if (!f)
		return;
	g_free(f->path);
	g_array_unref(f->items);
	g_clear_pointer(&f->live, g_array_unref);
	g_array_unref(f->tokens);
	g_array_unref(f->includes);
	g_array_unref(f->defines);
	g_free(f);
}

/* Behind the last line that holds an #include (or "# include"). */
static gsize up_to_last_include(const char *text, gsize len)
{
	for (gsize i = len; i-- > 0;) {
		gsize k = i;

		if (text[i] != '#')
			continue;
		while (++k < len && (text[k] == ' ' || text[k] == '\t'))
			;
		if (len - k > 7 && !memcmp(text + k, "include", 7)) {
			const char *nl = memchr(text + k, '\n', len - k);

			return nl ? (gsize)(nl - text) + 1 : len;
		}
	}
	return 0;
}

static struct pp_file *read_file(struct pp *pp, GHashTable *table,
				 const char *path)
{
	g_autofree char *text = NULL;
	struct pp_file *f = NULL;
	gpointer found;
	gsize len;

	if (g_hash_table_lookup_extended(table, path, NULL, &found))
		return found;
	if (g_file_get_contents(path, &text, &len, NULL))
		f = pp_parse(pp, path, text, table == pp->sources ?
			     up_to_last_include(text, len) : len);
	g_hash_table_insert(table, g_strdup(path), f);
	return f;
}

struct pp_file *pp_file(struct pp *pp, const char *path)
{
	return read_file(pp, pp->files, path);
}

struct pp_file *pp_source(struct pp *pp, const char *path)
{
	return read_file(pp, pp->sources, path);
}

void pp_forget(struct pp *pp, const char *path)
{
	pp_left_forget(pp->left);
	g_hash_table_remove(pp->files, path);
	g_hash_table_remove(pp->sources, path);
}

static gboolean is_missing(gpointer path, gpointer file, gpointer data)
{
	return !file;
}

void pp_forget_missing(struct pp *pp)
{
	g_hash_table_foreach_remove(pp->files, is_missing, NULL);
	g_hash_table_foreach_remove(pp->sources, is_missing, NULL);
}

static void each(GHashTable *table, void (*fn)(struct pp_file *f, void *data),
		 void *data)
{
	GHashTableIter it;
	gpointer f;

	g_hash_table_iter_init(&it, table);
	while (g_hash_table_iter_next(&it, NULL, &f))
		if (f)
			fn(f, data);
}

void pp_each(struct pp *pp, void (*fn)(struct pp_file *f, void *data),
	     void *data)
{
	each(pp->files, fn, data);
	each(pp->sources, fn, data);
}

/* Reading one file: where it stands. */
struct reader {
	struct pp *pp;
	struct pp_file *f;
	struct pp_scan *scan;	/* NULL: assembler declares nothing */
	const char *s, *end;
	guint32 line;
	bool fresh;		/* nothing but blanks on this line so far */
	bool column0;
	GString *buf;
};

static bool at_comment(const struct reader *r)
{
	return r->end - r->s > 1 && r->s[0] == '/' &&
	       (r->s[1] == '*' || r->s[1] == '/');
}

static void skip_comment(struct reader *r)
{
	bool block = r->s[1] == '*';

	for (r->s += 2; r->s < r->end; r->s++) {
		if (block && r->s[0] == '*' && r->end - r->s > 1 &&
		    r->s[1] == '/') {
			r->s += 2;
			return;
		}
		if (*r->s != '\n')
			continue;
		if (!block && r->s[-1] != '\\')
			return;
		r->line++;
	}
}

/* One that is not closed on its line is an apostrophe in prose. */
static void copy_literal(struct reader *r, GString *to)
{
	char quote = *r->s;
	const char *from = r->s++;

	for (; r->s < r->end && *r->s != '\n'; r->s++) {
		if (*r->s == quote) {
			r->s++;
			break;
		}
		if (*r->s == '\\' && r->end - r->s > 1 && r->s[1] != '\n')
			r->s++;
	}
	if (to)
		g_string_append_len(to, from, r->s - from);
}

/* The logical line behind the '#' into r->buf. */
static void read_line(struct reader *r)
{
	g_string_truncate(r->buf, 0);
	while (r->s < r->end && *r->s != '\n') {
		if (*r->s == '\\' && r->end - r->s > 1 && r->s[1] == '\n') {
			r->s += 2;
			r->line++;
			g_string_append_c(r->buf, ' ');
		} else if (at_comment(r)) {
			skip_comment(r);
			g_string_append_c(r->buf, ' ');
		} else if (*r->s == '"' || *r->s == '\'') {
			copy_literal(r, r->buf);
		} else {
			g_string_append_c(r->buf, *r->s++);
		}
	}
}

static void read_directive(struct reader *r)
{
	guint before = r->f->items->len;
	guint32 line = r->line;
	int op;

	r->s++;
	read_line(r);
	pp_directive(r->pp, r->f, r->buf->str, line);
	if (!r->scan || r->f->items->len == before)
		return;
	op = g_array_index(r->f->items, struct pp_item, before).op;
	if (op == PP_IF)
		pp_scan_if(r->scan);
	else if (op == PP_ELIF || op == PP_ELSE)
		pp_scan_else(r->scan);
	else if (op == PP_ENDIF)
		pp_scan_endif(r->scan);
}

static void read_token(struct reader *r)
{
	const char *from = r->s;
	char c = *r->s;

	if (!r->scan) {
		r->s++;
	} else if (c == '"' || c == '\'') {
		copy_literal(r, NULL);
		pp_scan_punct(r->scan, '"', r->column0, r->line);
	} else if (is_word_char(c)) {
		while (r->s < r->end && is_word_char(*r->s))
			r->s++;
		if (g_ascii_isdigit(c))
			pp_scan_punct(r->scan, '0', false, r->line);
		else
			pp_scan_word(r->scan, pp_name(r->pp, from, r->s - from),
				     r->column0, r->line);
	} else {
		r->s++;
		pp_scan_punct(r->scan, c, r->column0, r->line);
	}
}

static void read_text(struct reader *r)
{
	while (r->s < r->end) {
		if (*r->s == '\n') {
			r->line++;
			r->s++;
			r->fresh = r->column0 = true;
		} else if (*r->s == '\\' && r->end - r->s > 1 && r->s[1] == '\n') {
			r->line++;
			r->s += 2;
		} else if (g_ascii_isspace(*r->s)) {
			r->s++;
			r->column0 = false;
		} else if (at_comment(r)) {
			skip_comment(r);
			r->column0 = false;
		} else if (*r->s == '#' && r->fresh) {
			read_directive(r);
		} else {
			r->fresh = false;
			read_token(r);
			r->column0 = false;
		}
	}
}

/* An #endif that is missing is the end. */
void pp_link(GArray *items)
{
	g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(guint32));

	for (guint32 i = 0; i < items->len; i++) {
		struct pp_item *it = &g_array_index(items, struct pp_item, i);
		guint32 last = open->len ?
			g_array_index(open, guint32, open->len - 1) : 0;

		if (it->op > PP_ENDIF)
			continue;
		if (it->op != PP_IF) {
			if (!open->len) {	/* stray */
				it->op = PP_UNDEF;
				it->arg = 0;
				continue;
			}
			g_array_index(items, struct pp_item, last).next = i;
			g_array_set_size(open, open->len - 1);
		}
		if (it->op != PP_ENDIF)
			g_array_append_val(open, i);
	}
	for (guint k = 0; k < open->len; k++)
		g_array_index(items, struct pp_item,
			      g_array_index(open, guint32, k)).next =
			items->len;
}

/* Is there nothing but a parenthesis left of the expression? */
static bool ends_at(const struct pp_file *f, guint32 i)
{
	const struct pp_token *t = &g_array_index(f->tokens, struct pp_token, i);

	return t->kind == PP_END || (t->kind == PP_PUNCT && t->punct == ')' &&
				     t[1].kind == PP_END);
}

/* #ifndef X, #define X as the first two of its lines. */
static void find_guard(struct pp_file *f)
{
	struct pp_item *a = (struct pp_item *)f->items->data;
	const struct pp_define *d;
	guint32 end;

	if (f->items->len < 2 || a[0].op != PP_IF || a[1].op != PP_DEFINE)
		return;
	d = &g_array_index(f->defines, struct pp_define, a[1].arg);
	/* ! defined NAME, whatever follows (|| defined(MULTI_READ)) */
	for (guint32 i = a[0].arg, k = 0; k < 4; i++, k++) {
		const struct pp_token *t =
			&g_array_index(f->tokens, struct pp_token, i);

		if (t->kind == PP_END)
			return;
		if (t->kind == PP_NAME && t->name == d->name) {
			a[0].guard = k > 0;
			f->guard = k > 0 ? d->name : 0;
			end = a[0].next;
			f->closed = k > 0 && end + 1 == f->items->len &&
				a[end].op == PP_ENDIF && ends_at(f, i + 1);
			return;
		}
	}
}

struct pp_file *pp_parse(struct pp *pp, const char *path, const char *text,
			 gsize len)
{
	struct pp_file *f = g_new0(struct pp_file, 1);
	g_autofree char *dir = g_path_get_dirname(path);
	bool assembler = g_str_has_suffix(path, ".S");
	bool source = assembler || g_str_has_suffix(path, ".c");
	struct reader r = { .pp = pp, .f = f, .s = text, .end = text + len,
			    .line = 1, .fresh = true, .column0 = true };

	f->path = g_strdup(path);
	f->dir = pp_name(pp, dir, strlen(dir));
	f->autoconf = g_str_has_suffix(path, "/include/generated/autoconf.h");
	f->home = source ? 0 : pp_name(pp, path, strlen(path));
	f->items = g_array_new(FALSE, FALSE, sizeof(struct pp_item));
	f->tokens = g_array_new(FALSE, TRUE, sizeof(struct pp_token));
	f->includes = g_array_new(FALSE, TRUE, sizeof(struct pp_include));
	f->defines = g_array_new(FALSE, TRUE, sizeof(struct pp_define));
	r.scan = assembler ? NULL : pp_scan_new(pp, f);
	r.buf = g_string_sized_new(256);
	read_text(&r);
	g_string_free(r.buf, TRUE);
	pp_scan_free(r.scan);
	pp_link(f->items);
	find_guard(f);
	return f;
}
