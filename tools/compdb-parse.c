// SPDX-License-Identifier: GPL-2.0
/*
 * From the text of kbuild to entries of the database.  scripts/Kbuild.include
 * prints, for each object, what is run and then a fixdep line that repeats
 * the command in quotes (make-cmd, escsq); only that copy is read: it
 * stands for one object and has one form for C, assembler and vDSOs.
 */
#include "compdb.h"
#include "shwords.h"

#define FIXDEP "scripts/basic/fixdep "

/* What a word is to the command it stands in. */
enum kind {
	KIND_FLAG,		/* counts for the flag class */
	KIND_FLAG_ARG,		/* the argument of one that does */
	KIND_PATH,		/* stays in the template, no matter to the class */
	KIND_DEPFILE,
	KIND_OBJECT,
	KIND_SOURCE,
	KIND_VALUE,		/* -DKBUILD_BASENAME=... */
};

struct command {
	GPtrArray *words;	/* char * */
	GArray *kinds;		/* enum kind of each */
	const char *object, *source;	/* borrowed from words */
};

static const char * const value_words[] = {
	"-DKBUILD_MODFILE=", "-DKBUILD_BASENAME=", "-DKBUILD_MODNAME=",
	"-D__KBUILD_MODNAME=",
};

static bool is_in(const char *s, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(s, *list))
			return true;
	return false;
}

static gsize value_prefix(const char *word)
{
	for (guint i = 0; i < G_N_ELEMENTS(value_words); i++)
		if (g_str_has_prefix(word, value_words[i]))
			return strlen(value_words[i]);
	return 0;
}

static enum kind word_kind(const char *word, const char *before)
{
	static const char *const with_path[] = {
		"-isystem", "-idirafter", "-iquote", "-I", "-L", "-T", "-MF",
		"-MT", "-MQ", NULL
	};
	static const char *const with_arg[] = {
		"-include", "-imacros", "-x", "--param", "-D", "-U",
		"-Xassembler", "-Xpreprocessor", NULL
	};
	static const char *const sources[] = { ".c", ".S", ".s", NULL };
	const char *dot;

	if (!strcmp(before, "-o"))
		return KIND_OBJECT;
	if (is_in(before, with_path))
		return KIND_PATH;
	if (is_in(before, with_arg))
		return KIND_FLAG_ARG;
	if (g_str_has_prefix(word, "-Wp,-MMD,") ||
	    g_str_has_prefix(word, "-Wp,-MD,"))
		return KIND_DEPFILE;
	if (value_prefix(word))
		return KIND_VALUE;
	if (*word != '-') {
		dot = strrchr(word, '.');
		return dot && is_in(dot, sources) ? KIND_SOURCE : KIND_PATH;
	}
	if (g_str_has_prefix(word, "-I") || is_in(word, with_path) ||
	    !strcmp(word, "-o") || !strcmp(word, "-c") ||
	    g_str_has_prefix(word, "-DKBUILD_") ||
	    g_str_has_prefix(word, "-D__KBUILD_"))
		return KIND_PATH;
	return KIND_FLAG;
}

/*
 * Host programs have neither (hostc_flags in scripts/Makefile.host); on x86_64
 * their compiler is the kernel's, so its name does not tell.
 */
static const char *const kernel_words[] = { "-nostdinc", "-D__KERNEL__", NULL };

bool compdb_is_kernel_command(const char *text, gsize len)
{
	for (const char *const *w = kernel_words; *w; w++)
		if (memmem(text, len, *w, strlen(*w)))
			return true;
	return false;
}

/* Whether the words are a compile of the kernel. */
static bool command_classify(struct command *c)
{
	bool compile = false, kernel = false;
	const char *before = "";

	c->object = c->source = NULL;
	g_array_set_size(c->kinds, 0);
	for (guint i = 0; i < c->words->len; i++) {
		const char *w = c->words->pdata[i];
		enum kind kind = word_kind(w, before);

		compile |= !strcmp(w, "-c") || !strcmp(w, "-S");
		kernel |= is_in(w, kernel_words);
		if (kind == KIND_OBJECT)
			c->object = w;
		else if (kind == KIND_SOURCE)
			c->source = w;
		g_array_append_val(c->kinds, kind);
		before = w;
	}
	return compile && kernel && c->object && c->source;
}

/* The first of the commands joined by ; && | that compiles for the kernel. */
static bool command_find(struct command *c, const char *text, gsize len)
{
	const char *p = text, *end = text + len;
	g_autoptr(GString) word = g_string_sized_new(256);
	enum shword w;

	g_ptr_array_set_size(c->words, 0);
	do {
		w = shword_next(&p, end, word);
		if (w == SHWORD_WORD) {
			g_ptr_array_add(c->words, g_strdup(word->str));
			continue;
		}
		if (command_classify(c))
			return true;
		g_ptr_array_set_size(c->words, 0);
	} while (w != SHWORD_END);
	return false;
}

/*
 * Appends @text with the source tree as %S.  It counts only where a path can
 * begin: "/src" is also the tail of "/usr/src".
 */
static void encode(GString *out, const char *text, const char *srcdir)
{
	gsize n = strlen(srcdir);

	for (const char *p = text; *p; p++) {
		bool start = p == text || strchr("=,:\"", p[-1]) ||
			     (p == text + 2 && text[0] == '-' &&
			      (text[1] == 'I' || text[1] == 'L'));

		if (start && *p == '/' && !strncmp(p, srcdir, n) &&
		    (p[n] == '/' || !p[n])) {
			g_string_append(out, "%S");
			p += n - 1;
		} else if (*p == ' ' || *p == '%' ||
			   (*p > 0 && *p < 0x10)) {
			g_string_append_printf(out, "%%%02x", *p);
		} else {
			g_string_append_c(out, *p);
		}
	}
}

/* -I of the object's own directory, in O= or in the source tree */
static bool encode_own_dir(GString *out, const char *word, const char *object,
			   const char *srcdir)
{
	const char *slash = strrchr(object, '/'), *dir = word + 2;
	gsize n = strlen(srcdir);
	bool in_source;

	if (!slash || !g_str_has_prefix(word, "-I"))
		return false;
	in_source = !strncmp(dir, srcdir, n) && dir[n] == '/';
	if (in_source)
		dir += n + 1;
	if (strlen(dir) != (gsize)(slash - object) ||
	    strncmp(dir, object, slash - object))
		return false;
	g_string_append(out, in_source ? "-I%S/%D" : "-I%D");
	return true;
}

/* "mm/mprotect.c", or "O/lib/raid6/int1.c" for what make generates */
static char *source_path(const char *word, const char *srcdir)
{
	gsize n = strlen(srcdir);
	bool in_source = !strncmp(word, srcdir, n) && word[n] == '/';
	g_autofree char *path = NULL;

	path = g_canonicalize_filename(in_source ? word + n + 1 : word, "/");
	return in_source ? g_strdup(path + 1) : g_strconcat("O", path, NULL);
}

static char *encoded(const char *text, const char *srcdir)
{
	GString *s = g_string_new(NULL);

	encode(s, text, srcdir);
	return g_string_free(s, FALSE);
}

struct builder {
	GString *template, *class;
	GPtrArray *values;
	const char *srcdir;
};

static void build_value(struct builder *b, const char *word)
{
	gsize n = value_prefix(word);

	if (b->values->len > 9) {	/* there are nine marks */
		encode(b->template, word, b->srcdir);
		return;
	}
	g_string_append_len(b->template, word, n);
	g_string_append_printf(b->template, "%%%u", b->values->len);
	g_ptr_array_add(b->values, encoded(word + n, b->srcdir));
}

static void build_word(struct builder *b, const struct command *c, guint i)
{
	const char *word = c->words->pdata[i];
	gsize start = b->template->len;
	enum kind kind = g_array_index(c->kinds, enum kind, i);

	switch (kind) {
	case KIND_DEPFILE:
		g_string_append_len(b->template, word,
				    strchr(word + 4, ',') + 1 - word);
		g_string_append(b->template, "%d");
		break;
	case KIND_OBJECT:
		g_string_append(b->template, "%o");
		break;
	case KIND_SOURCE:
		if (word == c->source)
			g_string_append(b->template, "%s");
		else
			encode(b->template, word, b->srcdir);
		break;
	case KIND_VALUE:
		build_value(b, word);
		break;
	case KIND_PATH:
		if (!encode_own_dir(b->template, word, c->object, b->srcdir))
			encode(b->template, word, b->srcdir);
		break;
	case KIND_FLAG:
	case KIND_FLAG_ARG:
		encode(b->template, word, b->srcdir);
		g_string_append_len(b->class, b->template->str + start,
				    b->template->len - start);
		g_string_append_c(b->class, ' ');
		break;
	}
	g_string_append_c(b->template, ' ');
}

static void add_command(struct compdb *db, struct builder *b,
			const struct command *c)
{
	struct tu tu = { 0 };

	g_string_truncate(b->template, 0);
	g_string_truncate(b->class, 0);
	b->values = g_ptr_array_new();
	g_ptr_array_add(b->values, encoded(c->source, b->srcdir));
	for (guint i = 0; i < c->words->len; i++)
		build_word(b, c, i);
	g_string_truncate(b->template, b->template->len - 1);
	if (b->class->len)
		g_string_truncate(b->class, b->class->len - 1);

	tu.object = g_strdup(c->object);
	tu.source = source_path(c->source, b->srcdir);
	tu.template = compdb_template_id(db, b->template->str);
	tu.class = compdb_class_id(db, b->class->str);
	g_ptr_array_add(b->values, NULL);
	tu.values = (char **)g_ptr_array_free(b->values, FALSE);
	compdb_add(db, &tu);
}

/* Undoes make-cmd: '#' as $(pound), '$' as '$$'. */
static void unescape_make(GString *s)
{
	if (!memchr(s->str, '$', s->len))
		return;
	g_string_replace(s, "$(pound)", "#", 0);
	g_string_replace(s, "$$", "$", 0);
}

struct parser {
	struct command command;
	struct builder builder;
	GString *text;
};

static void parser_init(struct parser *ps, const char *srcdir)
{
	ps->command = (struct command){
		.words = g_ptr_array_new_with_free_func(g_free),
		.kinds = g_array_new(FALSE, FALSE, sizeof(enum kind)),
	};
	ps->builder = (struct builder){
		.template = g_string_new(NULL),
		.class = g_string_new(NULL),
		.srcdir = srcdir,
	};
	ps->text = g_string_sized_new(8192);
}

static void parser_release(struct parser *ps)
{
	g_ptr_array_unref(ps->command.words);
	g_array_unref(ps->command.kinds);
	g_string_free(ps->builder.template, TRUE);
	g_string_free(ps->builder.class, TRUE);
	g_string_free(ps->text, TRUE);
}

/* ps->text holds one command line; true when it went into the database */
static bool parser_add(struct parser *ps, struct compdb *db)
{
	unescape_make(ps->text);
	if (!command_find(&ps->command, ps->text->str, ps->text->len))
		return false;
	add_command(db, &ps->builder, &ps->command);
	return true;
}

/* @p is behind "fixdep ": DEP OBJ 'COMMAND' */
static bool parse_fixdep(struct parser *ps, struct compdb *db, const char *p,
			 const char *end)
{
	for (int i = 0; i < 3; i++)
		if (shword_next(&p, end, ps->text) != SHWORD_WORD)
			return false;
	return parser_add(ps, db);
}

unsigned int compdb_parse(struct compdb *db, const char *text, gsize len,
			  const char *srcdir)
{
	const char *p = text, *end = text + len, *eol;
	struct parser ps;
	unsigned int n = 0;

	parser_init(&ps, srcdir);
	while ((p = memmem(p, end - p, FIXDEP, strlen(FIXDEP)))) {
		p += strlen(FIXDEP);
		eol = memchr(p, '\n', end - p);
		if (!eol)
			eol = end;
		n += parse_fixdep(&ps, db, p, eol);
		p = eol;
	}
	parser_release(&ps);
	return n;
}

bool compdb_parse_cmd(struct compdb *db, const char *text, gsize len,
		      const char *srcdir)
{
	const char *eol = memchr(text, '\n', len), *p;
	gsize n = eol ? (gsize)(eol - text) : len;
	struct parser ps;
	bool added;

	/* "cmd_" before 6.2 */
	p = memmem(text, n, " := ", 4);
	if (!p || !(g_str_has_prefix(text, "savedcmd_") ||
		    g_str_has_prefix(text, "cmd_")))
		return false;
	p += 4;
	parser_init(&ps, srcdir);
	g_string_append_len(ps.text, p, n - (p - text));
	added = parser_add(&ps, db);
	parser_release(&ps);
	return added;
}
