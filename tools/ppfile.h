/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a C or assembler file does as far as the preprocessor and the top level
 * go, in order of its lines: conditions, #include, #define, #undef, and which
 * names and types it declares.  Parsed once, walked for many TUs (ppwalk.h).
 */
#ifndef RESPIN_PPFILE_H
#define RESPIN_PPFILE_H

#include <glib.h>
#include <stdbool.h>

enum pp_op {
	PP_IF,			/* arg: its expression */
	PP_ELIF,
	PP_ELSE,
	PP_ENDIF,
	PP_INCLUDE,		/* arg: index into includes */
	PP_DEFINE,		/* arg: index into defines */
	PP_UNDEF,		/* arg: the name */
	PP_DECL,		/* arg: a function, variable, typedef, enumerator;
				   whatever a macro call at top level names */
	PP_TAG,			/* arg: a struct, union, enum with its body */
};

struct pp_item {
	guint8 op;
	bool guard;		/* PP_IF: the include guard of the file */
	bool not;		/* of name: #ifndef */
	guint32 line;		/* from 1 */
	guint32 arg;
	guint32 next;		/* PP_IF, PP_ELIF, PP_ELSE: item that ends the
				   branch */
	guint32 name;		/* PP_IF, PP_ELIF: NAME when all it asks is
				   defined(NAME); 0: it asks more */
};

enum pp_token_kind {
	PP_END, PP_NUMBER, PP_NAME, PP_PUNCT, PP_OTHER,
};

struct pp_file;

struct pp_token {
	guint8 kind;
	char punct;		/* '&', 'a' &&, '|', 'o' ||, 'e' ==, 'n' !=,
				   'l' <=, 'g' >=, 'L' <<, 'R' >>, ... */
	guint32 name;
	gint64 number;
};

struct pp_include {
	guint32 spec;		/* the name between the delimiters; of a
				   computed one the macro; 0: not understood */
	bool quoted, next, computed;
	/* what a walk found last, and for which paths; see pppath.c */
	guint32 start, age;
	int at;
	struct pp_file *file;
};

struct pp_define {
	guint32 name;
	guint32 first, count;	/* the body, in tokens */
	bool function;		/* takes arguments: these are not in its body */
	guint32 spec;		/* the body is one string or <name>; else 0 */
	bool quoted;		/* it is a string */
};

struct pp_file {
	char *path;		/* absolute */
	guint32 dir;		/* its directory, as a name */
	guint32 home;		/* its path, as a name; 0 for a .c or .S */
	guint32 guard;		/* macro of its include guard; 0: none */
	bool autoconf;		/* the build's CONFIG_ symbols */
	bool closed;		/* the guard is around all there is, and a file
				   that was seen once is empty then */
	GArray *items;		/* of struct pp_item */
	GArray *live;		/* see pp_live(); NULL: not made yet */
	guint32 live_age;	/* 0: it is not what it should be any more */
	GArray *tokens;		/* of struct pp_token; an expression ends with
				   PP_END */
	GArray *includes;	/* of struct pp_include */
	GArray *defines;	/* of struct pp_define */
	void *mark;		/* for who walks; NULL at first */
};

/* Names are numbers from 1; files are kept by path. */
struct pp;
struct pp *pp_new(void);
void pp_free(struct pp *pp);
guint32 pp_name(struct pp *pp, const char *text, gsize len);
const char *pp_text(const struct pp *pp, guint32 name);
guint32 pp_names(const struct pp *pp);	/* the highest number */

enum pp_trait {
	PP_DEFINED = 1,		/* a file read so far defines such a macro */
	PP_CONFIG = 2,		/* CONFIG_... */
	PP_BUILTIN = 4,		/* looks like a macro of the compiler's own */
	PP_WATCHED = 8,		/* somebody asks what declares or defines it */
	PP_ASKED = 16,		/* a condition may ask whether it is a macro */
	PP_LEFT_OUT = 32,	/* pp_live() left it out somewhere */
};
guint8 pp_traits(const struct pp *pp, guint32 name);	/* of enum pp_trait */
void pp_set_trait(struct pp *pp, guint32 name, enum pp_trait trait);
/* Counts up when what was left out is asked for: see pp_live(). */
guint32 pp_age(struct pp *pp);
/* Takes @trait from all names. */
void pp_clear_trait(struct pp *pp, enum pp_trait trait);

/* The file at @path, read when it is asked for first; NULL: there is none. */
struct pp_file *pp_file(struct pp *pp, const char *path);
/* The same for the main source of a TU: what follows its last #include, which
 * no header can see, is left out. */
struct pp_file *pp_source(struct pp *pp, const char *path);
/* @path is (or was) another file now; those it was given to must be gone. */
void pp_forget(struct pp *pp, const char *path);
/* Those that were not there are looked for again. */
void pp_forget_missing(struct pp *pp);
/* Calls @fn for each file read so far. */
void pp_each(struct pp *pp, void (*fn)(struct pp_file *f, void *data),
	     void *data);

/* For pp_file() and tests: @text as the file @path; pp_file_free() it. */
struct pp_file *pp_parse(struct pp *pp, const char *path, const char *text,
			 gsize len);
void pp_file_free(struct pp_file *f);

/* Between ppfile*.c only: appends the tokens of @text and a PP_END. */
guint32 pp_lex(struct pp *pp, GArray *tokens, const char *text, gsize len);
/* One directive, "#" left out, comments gone, lines joined, from @line on. */
void pp_directive(struct pp *pp, struct pp_file *f, const char *text,
		  guint32 line);
void pp_add(struct pp_file *f, enum pp_op op, guint32 line, guint32 arg);

/*
 * The items of @f (array of struct pp_item) without those that no condition
 * and nobody who watches asks about, as things stand.  When a file that is
 * read later does ask, pp_age() is another, and so is this.
 */
const GArray *pp_live(struct pp *pp, struct pp_file *f);
/* The names of @tokens from @first on are asked for. */
void pp_ask_tokens(struct pp *pp, const GArray *tokens, guint32 first);
bool pp_is_asked(guint8 traits);
/* What pp_live() left out where. */
struct pp_left;
struct pp_left *pp_left_new(void);
void pp_left_free(struct pp_left *l);
struct pp_left *pp_left_of(struct pp *pp);
/* @name, which was left out, has @trait from now on. */
void pp_left_asked(struct pp_left *l, guint32 name, enum pp_trait trait);
/* A file of those goes: all is left out anew. */
void pp_left_forget(struct pp_left *l);
/* Each branch of @items learns where it ends. */
void pp_link(GArray *items);

struct pp_scan;			/* who declares what: ppdecl.c */
struct pp_scan *pp_scan_new(struct pp *pp, struct pp_file *f);
void pp_scan_free(struct pp_scan *sc);
void pp_scan_word(struct pp_scan *sc, guint32 name, bool column0, guint32 line);
void pp_scan_punct(struct pp_scan *sc, char c, bool column0, guint32 line);
/* Around #if groups: each branch begins with what the group began with. */
void pp_scan_if(struct pp_scan *sc);
void pp_scan_else(struct pp_scan *sc);
void pp_scan_endif(struct pp_scan *sc);
#endif
