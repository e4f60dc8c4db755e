// SPDX-License-Identifier: GPL-2.0
/* Steps that are there already: a range of commits. */
#include "apply-internal.h"

const char *apply_how_name(enum apply_how how)
{
	static const char *const name[] = {
		[APPLY_EXACT] = "exact",
		[APPLY_MOVED] = "moved",
		[APPLY_3WAY] = "3-way",
		[APPLY_FUZZ] = "fuzz",
		[APPLY_COMMIT] = "commit",
	};

	return how < G_N_ELEMENTS(name) ? name[how] : "unknown";
}

void steps_free(struct steps *st)
{
	guint i;

	if (!st)
		return;
	for (i = 0; i < st->steps->len; i++) {
		struct step *s = st->steps->pdata[i];

		g_free(s->commit);
		g_free(s->tree);
		g_ptr_array_unref(s->notes);
		g_free(s);
	}
	g_ptr_array_unref(st->steps);
	g_free(st);
}

static struct step *step_of(struct repo *r, git_commit *c)
{
	struct step *s = g_new0(struct step, 1);

	s->how = APPLY_COMMIT;
	s->commit = repo_hex(git_commit_id(c));
	s->tree = repo_hex(git_commit_tree_id(c));
	s->notes = g_ptr_array_new_with_free_func(g_free);
	return s;
}

static struct patch *patch_of(git_commit *c, unsigned int n)
{
	const git_signature *a = git_commit_author(c);
	struct patch *p = patch_new();
	const char *summary = git_commit_summary(c);

	p->n = n;
	p->commit = repo_hex(git_commit_id(c));
	p->subject = g_utf8_make_valid(summary ? summary : "", -1);
	p->author_name = g_utf8_make_valid(a->name, -1);
	p->author_email = g_utf8_make_valid(a->email, -1);
	p->date = a->when.time;
	p->date_offset = a->when.offset;
	p->message = g_utf8_make_valid(git_commit_message(c), -1);
	p->source = g_strdup_printf("commit %.12s", p->commit);
	return p;
}

/* The commits of @range, oldest first, as walked by git_revwalk. */
static int range_walk(struct repo *r, const char *range, git_revwalk **walk,
		      GError **error)
{
	g_autofree char *from = NULL, *to = NULL, *a = NULL, *b = NULL;
	const char *dots = strstr(range, "..");
	git_oid oid;
	int err;

	if (dots && dots[2] == '.') {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_INPUT,
			    "range '%s' has two ends: write A..B", range);
		return -1;
	}
	from = dots ? g_strndup(range, dots - range) : g_strconcat(range, "^", NULL);
	to = g_strdup(dots ? dots + 2 : range);
	b = repo_resolve(r, *to ? to : "HEAD", error);
	if (!b)
		return -1;
	/* A first commit has no parent: said by range_read(). */
	a = repo_resolve(r, *from ? from : "HEAD", dots ? error : NULL);
	if (!a && dots)
		return -1;
	err = git_revwalk_new(walk, r->git);
	if (!err)
		err = git_revwalk_sorting(*walk, GIT_SORT_TOPOLOGICAL |
						 GIT_SORT_REVERSE);
	if (!err && !git_oid_fromstr(&oid, b))
		err = git_revwalk_push(*walk, &oid);
	if (!err && a && !git_oid_fromstr(&oid, a))
		err = git_revwalk_hide(*walk, &oid);
	if (err < 0)
		return repo_git_error(r, err, error, "cannot read range '%s'", range);
	return 0;
}

/* Adds commit @id, the child of the step before, as patch and step. */
static int add_commit(struct repo *r, const git_oid *id, struct series *s,
		      struct steps *st, GError **error)
{
	g_autoptr(git_commit) c = NULL, parent = NULL;
	g_autofree char *hex = repo_hex(id);
	unsigned int parents;

	if (repo_lookup_commit(r, hex, &c, error) < 0)
		return -1;
	parents = git_commit_parentcount(c);
	if (parents != 1) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_INPUT,
			    "commit %.12s ('%s') %s: a series is a line of commits with one "
			    "parent each",
			    hex, git_commit_summary(c),
			    parents ? "is a merge" : "has no parent");
		return -1;
	}
	if (!st->steps->len) {
		if (git_commit_parent(&parent, c, 0) < 0)
			return repo_git_error(r, GIT_ENOTFOUND, error,
					      "cannot read the parent of %.12s", hex);
		g_ptr_array_add(st->steps, step_of(r, parent));
	}
	g_ptr_array_add(st->steps, step_of(r, c));
	g_ptr_array_add(s->patches, patch_of(c, s->patches->len + 1));
	return 0;
}

static int range_fill(struct repo *r, const char *range, struct series *s,
		      struct steps *st, GError **error)
{
	g_autoptr(git_revwalk) walk = NULL;
	const struct patch *first;
	git_oid id;
	int err;

	if (range_walk(r, range, &walk, error) < 0)
		return -1;
	while (!(err = git_revwalk_next(&id, walk)))
		if (add_commit(r, &id, s, st, error) < 0)
			return -1;
	if (err != GIT_ITEROVER)
		return repo_git_error(r, err, error, "cannot read range '%s'", range);
	if (!s->patches->len) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_INPUT,
			    "range '%s' has no commit in it", range);
		return -1;
	}
	first = s->patches->pdata[0];
	s->total = s->patches->len;
	s->version = 1;
	s->subject = g_strdup(first->subject);
	s->author = g_strdup(first->author_name);
	if (!s->prefix)
		s->prefix = g_strdup("");
	return 0;
}

int range_read(struct repo *r, const char *range, struct series **s,
	       struct steps **steps, GError **error)
{
	struct steps *st = g_new0(struct steps, 1);

	*s = series_new();
	st->steps = g_ptr_array_new();
	if (range_fill(r, range, *s, st, error) < 0) {
		g_clear_pointer(s, series_free);
		steps_free(st);
		return -1;
	}
	*steps = st;
	return 0;
}
