// SPDX-License-Identifier: GPL-2.0
/*
 * Where identifiers are mentioned: 60,000 files, 1.3 GB, so the search must
 * not look at each byte.  Wu and Manber ("A fast algorithm for multi-pattern
 * searching", 1994): a window as long as the shortest name; the block at its
 * end says how far it may jump.  Names too short for that are looked up word
 * by word in a pass of their own.
 */
#include "incgraph-priv.h"
#include "ctext.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "error.h"

/* Small enough that the jumps stay in the first-level cache. */
#define TABLE (1 << 14)
#define THREADS 2
#define BLOCK 3			/* bytes that are hashed */
#define LONG_NAME 6

struct matcher {
	GPtrArray *names;	/* of const char *, the long ones first */
	gsize *lens;
	guint32 long_count;
	gsize window;		/* length of the shortest of the long */
	guint8 shift[TABLE];
	guint32 first[TABLE];	/* name + 1 whose window ends in this block */
	guint32 *next;		/* [name]: the next such, + 1 */
	guint8 word[256];	/* is it a character of an identifier? */
	guint32 start[TABLE];	/* short name + 1 by its first two bytes */
};

static guint32 hash_block(const guint8 *end)
{
	guint32 h = end[0] << 8 | end[-1];

	return ((h << 5) ^ (h >> 3) ^ end[-2]) & (TABLE - 1);
}

/* Of a name of one byte, @s[1] is what follows: no character of a name. */
static guint32 hash_start(const guint8 *s, bool one)
{
	return (s[0] * 61 ^ (one ? 0 : s[1])) & (TABLE - 1);
}

static void add_long(struct matcher *m, guint32 n)
{
	const guint8 *s = m->names->pdata[n];

	for (gsize i = BLOCK - 1; i < m->window; i++) {
		guint32 h = hash_block(s + i);
		guint8 jump = m->window - 1 - i;

		m->shift[h] = MIN(m->shift[h], jump);
		if (!jump) {
			m->next[n] = m->first[h];
			m->first[h] = n + 1;
		}
	}
}

static void add_short(struct matcher *m, guint32 n)
{
	const guint8 *s = m->names->pdata[n];
	guint32 h = hash_start(s, m->lens[n] == 1);

	m->next[n] = m->start[h];
	m->start[h] = n + 1;
}

static void collect(struct matcher *m, GHashTable *names, bool want_long)
{
	GHashTableIter it;
	gpointer key;

	g_hash_table_iter_init(&it, names);
	while (g_hash_table_iter_next(&it, &key, NULL)) {
		gsize len = strlen(key);

		if (!len || (len >= LONG_NAME) != want_long)
			continue;
		g_ptr_array_add(m->names, key);
		if (want_long)
			m->window = MIN(m->window, len);
	}
}

static struct matcher *matcher_new(GHashTable *names)
{
	struct matcher *m = g_new0(struct matcher, 1);

	m->names = g_ptr_array_new();
	m->window = 255;
	collect(m, names, true);
	m->long_count = m->names->len;
	collect(m, names, false);
	m->lens = g_new0(gsize, m->names->len + 1);
	m->next = g_new0(guint32, m->names->len + 1);
	memset(m->shift, m->window - BLOCK + 1, TABLE);
	for (int c = 0; c < 256; c++)
		m->word[c] = is_word_char(c);
	for (guint32 n = 0; n < m->names->len; n++) {
		m->lens[n] = strlen(m->names->pdata[n]);
		if (n < m->long_count)
			add_long(m, n);
		else
			add_short(m, n);
	}
	return m;
}

static void matcher_free(struct matcher *m)
{
	g_ptr_array_unref(m->names);
	g_free(m->lens);
	g_free(m->next);
	g_free(m);
}

/* Where a search stands in a file. */
struct finding {
	const struct matcher *m;
	const guint8 *text;
	gsize len;
	GPtrArray *found;	/* NULL: none yet */
	const guint8 *counted;	/* up to here lines were counted */
	unsigned int line;
};

/* Counts the lines from f->counted on to @to. */
static void count_lines(struct finding *f, const guint8 *to)
{
	const guint8 *s = f->counted;

	while (s < to && (s = memchr(s, '\n', to - s))) {
		f->line++;
		s++;
	}
	f->counted = to;
}

/* Name @n if it stands at offset @at as a whole word. */
static void check_name(struct finding *f, gsize at, guint32 n)
{
	gsize len = f->m->lens[n];
	struct mention *mention;

	if (at + len > f->len ||
	    memcmp(f->text + at, f->m->names->pdata[n], len) ||
	    (at + len < f->len && f->m->word[f->text[at + len]]))
		return;
	count_lines(f, f->text + at);
	if (!f->found)
		f->found = g_ptr_array_new_with_free_func(g_free);
	mention = g_new(struct mention, 1);
	mention->name = f->m->names->pdata[n];
	mention->line = f->line;
	g_ptr_array_add(f->found, mention);
}

static void find_long(struct finding *f)
{
	const struct matcher *m = f->m;

	for (gsize i = m->window - 1; i < f->len;) {
		guint32 h = hash_block(f->text + i);
		gsize at = i - (m->window - 1);

		if (m->shift[h]) {
			i += m->shift[h];
			continue;
		}
		i++;
		if (at && m->word[f->text[at - 1]])
			continue;
		for (guint32 k = m->first[h]; k; k = m->next[k - 1])
			check_name(f, at, k - 1);
	}
}

static void find_short(struct finding *f)
{
	const struct matcher *m = f->m;
	const guint8 *s = f->text, *end = s + f->len;

	while (s < end) {
		bool one;
		guint32 k;

		while (s < end && !m->word[*s])
			s++;
		if (s == end)
			break;
		one = s + 1 == end || !m->word[s[1]];
		for (k = m->start[hash_start(s, one)]; k; k = m->next[k - 1])
			check_name(f, s - f->text, k - 1);
		while (s < end && m->word[*s])
			s++;
	}
}

static int by_line(gconstpointer a, gconstpointer b)
{
	const struct mention *x = *(const struct mention *const *)a;
	const struct mention *y = *(const struct mention *const *)b;

	return x->line < y->line ? -1 : x->line > y->line;
}

/* The mentions in @text in order; NULL: none. */
static GPtrArray *match(const struct matcher *m, const guint8 *text, gsize len)
{
	struct finding f = { .m = m, .text = text, .len = len,
			     .counted = text, .line = 1 };
	guint longs = 0;

	if (m->long_count)
		find_long(&f);
	if (m->long_count == m->names->len)
		return f.found;
	longs = f.found ? f.found->len : 0;
	f.counted = text;
	f.line = 1;
	find_short(&f);
	if (longs && f.found->len > longs)
		g_ptr_array_sort(f.found, by_line);
	return f.found;
}

/* One scan, shared by its threads. */
struct scan {
	const struct incgraph *g;
	const struct matcher *matcher;
	const guint8 *wanted;	/* [file] */
	int dir;
	gint next;		/* the file nobody has taken yet */
	GPtrArray **found;	/* [file], written by who took it */
	GMutex lock;		/* for the error */
	GError *error;
};

static void scan_failed(struct scan *s, const char *path, int err)
{
	g_mutex_lock(&s->lock);
	if (!s->error)
		g_set_error(&s->error, RESPIN_ERROR, RESPIN_ERROR_IO,
			    "cannot read '%s' of the checkout: %s", path,
			    g_strerror(err));
	g_mutex_unlock(&s->lock);
}

/* The whole file into @buf (grown as needed); false: errno is set. */
static bool read_whole(int dir, const char *path, GByteArray *buf)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	gsize got = 0;
	ssize_t n = 0;
	int err;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) < 0) {
		err = errno;
		close(fd);
		errno = err;
		return false;
	}
	g_byte_array_set_size(buf, st.st_size);
	while (got < (gsize)st.st_size) {
		n = read(fd, buf->data + got, st.st_size - got);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		got += n;
	}
	err = errno;
	close(fd);
	errno = err;
	g_byte_array_set_size(buf, got);
	return n >= 0;
}

static gpointer scan_thread(gpointer data)
{
	struct scan *s = data;
	g_autoptr(GByteArray) buf = g_byte_array_sized_new(1 << 20);

	for (;;) {
		guint i = g_atomic_int_add(&s->next, 1);
		const struct inc_file *f;

		if (i >= s->g->files->len)
			return NULL;
		f = incgraph_file(s->g, i);
		if (!s->wanted[i])
			continue;
		if (!read_whole(s->dir, f->path, buf))
			scan_failed(s, f->path, errno);
		else
			s->found[i] = match(s->matcher, buf->data, buf->len);
	}
}

/* A link's target is scanned itself; tools/ only where it is included. */
static guint8 *pick_files(struct incgraph *g)
{
	guint8 *wanted = g_malloc0(g->files->len + 1);

	for (guint i = 0; i < g->files->len; i++) {
		const struct inc_file *f = incgraph_file(g, i);

		wanted[i] = !f->link && !f->make &&
			((!g_str_has_prefix(f->path, "tools/") &&
			  !g_str_has_prefix(f->path, "Documentation/")) ||
			 incgraph_is_included(g, f->path, ""));
	}
	return wanted;
}

static void run_scan(struct scan *s)
{
	GThread *threads[THREADS];

	s->found = g_new0(GPtrArray *, s->g->files->len + 1);
	g_mutex_init(&s->lock);
	for (int i = 0; i < THREADS; i++)
		threads[i] = g_thread_new("scan", scan_thread, s);
	for (int i = 0; i < THREADS; i++)
		g_thread_join(threads[i]);
	g_mutex_clear(&s->lock);
}

GHashTable *incgraph_mentions(struct incgraph *g, const char *checkout,
			      GHashTable *names, GError **error)
{
	struct scan s = { .g = g };
	struct matcher *m;
	g_autofree guint8 *wanted = NULL;
	GHashTable *result = g_hash_table_new_full(g_str_hash, g_str_equal,
				NULL, (GDestroyNotify)g_ptr_array_unref);

	s.dir = open(checkout, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s.dir < 0) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO,
			    "cannot open the checkout '%s': %s", checkout,
			    g_strerror(errno));
		g_hash_table_unref(result);
		return NULL;
	}
	m = matcher_new(names);
	wanted = pick_files(g);
	s.matcher = m;
	s.wanted = wanted;
	if (m->names->len)
		run_scan(&s);
	for (guint i = 0; s.found && i < g->files->len; i++)
		if (s.found[i])
			g_hash_table_insert(result,
				(gpointer)incgraph_file(g, i)->path,
				s.found[i]);
	g_free(s.found);
	matcher_free(m);
	close(s.dir);
	if (s.error) {
		g_propagate_error(error, s.error);
		g_hash_table_unref(result);
		return NULL;
	}
	return result;
}
