// SPDX-License-Identifier: GPL-2.0
#include "diag.h"

/* The errors that cause others: an identifier that the compiler lacks. */
enum cause { CAUSE_NONE, CAUSE_IMPLICIT, CAUSE_TYPE, CAUSE_UNDECLARED };

/*
 * What gcc says about a line since it took an unknown function for one that
 * returns int, or an unknown name or type for int.  Only these fold by the
 * source line: any other error there is a mistake of its own.
 */
static const char *const consequences[] = {
	"incompatible types when ",
	"void value not ignored",
	"invalid use of void expression",
	"invalid initializer",
	"invalid operands to binary ",
	"invalid type argument of ",
	"wrong type argument to ",
	"request for member ",
	"used struct type value where ",
	"used union type value where ",
	"aggregate value used where ",
	"incompatible type for argument ",
	"subscripted value is neither ",
	"called object ",
	"initializer element is not ",
	"cannot convert ",
};

struct known {
	struct diag *d;		/* stands alone */
	enum cause cause;
	char *subject;
};

static void known_clear(gpointer p)
{
	g_free(((struct known *)p)->subject);
}

static enum cause cause_of(const struct diag *d)
{
	/* A TU whose flags are its own may have it as a warning. */
	if (g_str_has_prefix(d->message, "implicit declaration of function "))
		return CAUSE_IMPLICIT;
	if (d->kind != DIAG_ERROR)
		return CAUSE_NONE;
	if (g_str_has_prefix(d->message, "unknown type name "))
		return CAUSE_TYPE;
	if (strstr(d->message, " undeclared (first use") ||
	    strstr(d->message, " undeclared here"))
		return CAUSE_UNDECLARED;
	return CAUSE_NONE;
}

static bool is_word_char(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

static bool has_word(const char *text, const char *word)
{
	gsize len = strlen(word);

	for (const char *s = text; (s = strstr(s, word)); s += len)
		if ((s == text || !is_word_char(s[-1])) && !is_word_char(s[len]))
			return true;
	return false;
}

/* The message names @word in quotes: 'x', or as the start of 'x.y'. */
static bool names(const char *message, const char *word)
{
	g_autofree char *quoted = g_strconcat("'", word, NULL);
	gsize len = strlen(quoted);

	for (const char *s = message; (s = strstr(s, quoted)); s += len)
		if (!is_word_char(s[len]))
			return true;
	return false;
}

static bool is_consequence(const char *message)
{
	for (guint i = 0; i < G_N_ELEMENTS(consequences); i++)
		if (strstr(message, consequences[i]))
			return true;
	return false;
}

/*
 * After any error gcc folds no constants: what has to be one is not, wherever
 * it stands.  A BUILD_BUG_ON_ZERO() in an initializer fails then, and what the
 * initializer would have used is "not used".
 */
static bool is_unfolded(const struct diag *d)
{
	return d->kind == DIAG_ERROR &&
	       (strstr(d->message, "width not an integer constant") ||
		strstr(d->message, "initializer element is not constant") ||
		strstr(d->message, "static assertion is not constant"));
}

static bool has_unfolded(const struct diag *d)
{
	for (guint i = 0; i < d->follow_ons->len; i++)
		if (is_unfolded(d->follow_ons->pdata[i]))
			return true;
	return false;
}

/* The first error, when @d follows from there being any. */
static struct diag *any_error(const struct diag *d, const GPtrArray *before)
{
	bool unfolded = is_unfolded(d);
	bool unused = strstr(d->message, "' defined but not used");

	for (guint i = 0; i < before->len && (unfolded || unused); i++) {
		struct diag *e = before->pdata[i];

		if (e->kind == DIAG_ERROR && !is_unfolded(e) &&
		    (unfolded || has_unfolded(e)))
			return e;
	}
	return NULL;
}

/* By name: the file may be that of a macro, and C has one f per TU. */
static bool same_function(const struct diag *a, const struct diag *b)
{
	return !strcmp(a->function, b->function);
}

static bool follows(const struct diag *d, enum cause own, const char *subject,
		    const struct known *k)
{
	if (k->cause == CAUSE_UNDECLARED && !same_function(d, k->d))
		return false;
	if (own != CAUSE_NONE)
		return own == k->cause && !g_strcmp0(subject, k->subject);
	if (names(d->message, k->subject))
		return true;
	return d->kind == DIAG_ERROR && has_word(d->text, k->subject) &&
	       is_consequence(d->message);
}

static const struct known *find_cause(const struct diag *d, const GArray *causes)
{
	g_autofree char *subject = diag_subject(d);
	enum cause own = cause_of(d);

	if (d->tool)
		return NULL;
	for (guint i = 0; i < causes->len; i++) {
		const struct known *k = &g_array_index(causes, struct known, i);

		if (follows(d, own, subject, k))
			return k;
	}
	return NULL;
}

static bool is_return_type(const struct diag *d)
{
	return !strcmp(d->rule, "-Wreturn-type") &&
	       g_str_has_prefix(d->message, "control reaches end");
}

/* An error of its own kind that stands earlier in the function of @d. */
static struct diag *earlier_error(const struct diag *d, const GPtrArray *before)
{
	if (!*d->function)
		return NULL;
	for (guint i = 0; i < before->len; i++) {
		struct diag *e = before->pdata[i];

		if (e->kind == DIAG_ERROR && !is_return_type(e) &&
		    same_function(d, e))
			return e;
		for (guint j = 0; j < e->follow_ons->len; j++) {
			const struct diag *f = e->follow_ons->pdata[j];

			if (f->kind == DIAG_ERROR && !is_return_type(f) &&
			    same_function(d, f))
				return e;
		}
	}
	return NULL;
}

void diag_fold(GPtrArray *diags)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	g_autoptr(GArray) causes = g_array_new(FALSE, FALSE, sizeof(struct known));
	guint n = diags->len;

	g_array_set_clear_func(causes, known_clear);
	for (guint i = 0; i < n; i++)
		g_ptr_array_add(all, g_steal_pointer(&diags->pdata[i]));
	g_ptr_array_set_size(diags, 0);

	for (guint i = 0; i < n; i++) {
		struct diag *d = all->pdata[i], *under = NULL;
		const struct known *k = find_cause(d, causes);
		struct known own = { .d = d, .cause = cause_of(d) };

		if (k)
			under = k->d;
		else if (is_return_type(d))
			under = earlier_error(d, diags);
		if (!under)
			under = any_error(d, diags);
		if (under) {
			/* A warning that errors follow from breaks the build. */
			if (d->kind == DIAG_ERROR)
				under->kind = DIAG_ERROR;
			g_ptr_array_add(under->follow_ons, d);
			continue;
		}
		g_ptr_array_add(diags, d);
		own.subject = own.cause ? diag_subject(d) : NULL;
		if (own.subject)
			g_array_append_val(causes, own);
	}
}
