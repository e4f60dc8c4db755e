// SPDX-License-Identifier: GPL-2.0
/*
 * Where identifiers are mentioned: 60,000 files, 1.3 GB, so the search must
 * not look at each byte.  Wu and Manber ("A fast algorithm for multi-pattern
 * searching", 1994): a window as long as the shortest name; the block at its
 * end says how far it may jump.
 */
#include "incgraph-priv.h"
#include "ctext.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "error.h"

#define TABLE (1 << 16)
#define THREADS 2

struct matcher {
	GPtrArray *names;	/* of const char * */
	gsize *lens;
	gsize window;		/* length of the shortest name */
	gsize block;		/* bytes that are hashed: 1 to 3 */
	guint8 shift[TABLE];
	guint32 first[TABLE];	/* name + 1 whose window ends in this block */
	guint32 *next;		/* [name]: the next such, + 1 */
};

static guint32 hash_block(const guint8 *end, gsize block)
{
	guint32 h = end[0];

	if (block > 1)
		h = h << 8 | end[-1];
	if (block > 2)
		h = (h << 5) ^ (h >> 3) ^ end[-2];
	return h & (TABLE - 1);
}

static struct matcher *matcher_new(GHashTable *names)
{
	struct matcher *m = g_new0(struct matcher, 1);
	GHashTableIter it;
	gpointer key;

	m->names = g_ptr_array_new();
	m->window = 255;
	g_hash_table_iter_init(&it, names);
	while (g_hash_table_iter_next(&it, &key, NULL)) {
		if (!*(const char *)key)
			continue;
		g_ptr_array_add(m->names, key);
		m->window = MIN(m->window, strlen(key));
	}
	m->block = MIN(m->window, 3);
	m->lens = g_new0(gsize, m->names->len + 1);
	m->next = g_new0(guint32, m->names->len + 1);
	memset(m->shift, m->window - m->block + 1, TABLE);
	for (guint32 n = 0; n < m->names->len; n++) {
		const guint8 *s = m->names->pdata[n];

		m->lens[n] = strlen((const char *)s);
		for (gsize i = m->block - 1; i < m->window; i++) {
			guint32 h = hash_block(s + i, m->block);
			guint8 jump = m->window - 1 - i;

			m->shift[h] = MIN(m->shift[h], jump);
			if (!jump) {
				m->next[n] = m->first[h];
				m->first[h] = n + 1;
			}
		}
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

static void add_mention(GPtrArray **found, const char *name, unsigned int line)
{
	struct mention *mention = g_new(struct mention, 1);

	if (!*found)
		*found = g_ptr_array_new_with_free_func(g_free);
	mention->name = name;
	mention->line = line;
	g_ptr_array_add(*found, mention);
}

static unsigned int count_lines(const guint8 *s, const guint8 *end)
{
	unsigned int n = 0;

	while (s < end && (s = memchr(s, '\n', end - s))) {
		n++;
		s++;
	}
	return n;
}

/* The mentions in @text in order; NULL: none. */
static GPtrArray *match(const struct matcher *m, const guint8 *text, gsize len)
{
	GPtrArray *found = NULL;
	const guint8 *counted = text;
	unsigned int line = 1;

	for (gsize i = m->window - 1; i < len;) {
		guint32 h = hash_block(text + i, m->block);
		gsize at = i - (m->window - 1);

		if (m->shift[h]) {
			i += m->shift[h];
			continue;
		}
		i++;
		if (at && is_word_char(text[at - 1]))
			continue;
		for (guint32 k = m->first[h]; k; k = m->next[k - 1]) {
			gsize n = m->lens[k - 1];

			if (at + n > len || memcmp(text + at,
						   m->names->pdata[k - 1], n) ||
			    (at + n < len && is_word_char(text[at + n])))
				continue;
			line += count_lines(counted, text + at);
			counted = text + at;
			add_mention(&found, m->names->pdata[k - 1], line);
		}
	}
	return found;
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

/* A link's target is scanned itself; tools/ only where the kernel includes it. */
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
				(gpointer)incgraph_file(g, i)->path, s.found[i]);
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
