// SPDX-License-Identifier: GPL-2.0
#include "apply-internal.h"

/* One patch on its way; its attempts share the notes. */
struct job {
	struct repo *r;
	const struct series *s;
	const struct patch *p;
	const struct apply_options *o;
	const char *parent;	/* commit the patch goes onto */
	git_tree *base;
	struct step *step;
};

static struct step *step_new(enum apply_how how)
{
	struct step *st = g_new0(struct step, 1);

	st->how = how;
	st->notes = g_ptr_array_new_with_free_func(g_free);
	return st;
}

/* Only a patch that does not fit is tried another way. */
static bool fits_not(const GError *e)
{
	return g_error_matches(e, RESPIN_ERROR, RESPIN_ERROR_APPLY);
}

static void give_up(struct job *j, const char *path, GError *why, GError *merge,
		    GError **error)
{
	g_autofree char *who = NULL;

	/* A path that cannot be is the same trouble both ways. */
	if (merge && !strcmp(merge->message, why->message))
		merge = NULL;
	if (path)
		who = last_change(j->r, j->parent, path);
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_APPLY,
		    "patch %u/%u '%s' does not apply: %s%s%s%s%s%s%s",
		    j->p->n, j->s->total, j->p->subject, why->message,
		    merge ? "; " : "", merge ? merge->message : "",
		    who ? "; " : "", who ? path : "",
		    who ? " was last changed by " : "", who ? who : "");
}

/* Failure of the disk or the repository: keeps its own code. */
static void give_up_io(struct job *j, GError *why, GError **error)
{
	g_propagate_prefixed_error(error, why, "patch %u/%u '%s': ", j->p->n,
				   j->s->total, j->p->subject);
}

static int try_fuzz(struct job *j, const struct diff *d, git_oid *tree)
{
	unsigned int f;

	for (f = 1; f <= j->o->fuzz; f++) {
		struct attempt a = {
			.r = j->r, .d = d, .fuzz = f, .notes = j->step->notes,
			.keep_cr = j->o->keep_cr,
		};
		int ret = apply_files(&a, j->base, tree, NULL);

		g_free(a.path);
		if (ret < 0)
			continue;
		j->step->how = APPLY_FUZZ;
		j->step->moved = a.moved;
		g_ptr_array_add(j->step->notes,
				g_strdup_printf("applied with fuzz %u", f));
		return 0;
	}
	return -1;
}

/* Exact or moved, then 3-way, then fuzz. */
static int apply_diff(struct job *j, const struct diff *d, git_oid *tree,
		      GError **error)
{
	struct attempt a = { .r = j->r, .d = d, .notes = j->step->notes,
			     .keep_cr = j->o->keep_cr };
	g_autofree char *path = NULL;
	g_autoptr(GError) first = NULL, second = NULL;

	if (!apply_files(&a, j->base, tree, &first)) {
		j->step->how = a.moved ? APPLY_MOVED : APPLY_EXACT;
		j->step->moved = a.moved;
		return 0;
	}
	path = g_steal_pointer(&a.path);
	if (fits_not(first) && !apply_merge(&a, j->base, tree, &second)) {
		g_free(a.path);
		j->step->how = APPLY_3WAY;
		return 0;
	}
	g_free(a.path);
	if (!fits_not(first) || !fits_not(second)) {
		give_up_io(j, fits_not(first) ? g_steal_pointer(&second) :
					      g_steal_pointer(&first), error);
		return -1;
	}
	if (!try_fuzz(j, d, tree))
		return 0;
	give_up(j, path, first, second, error);
	return -1;
}

static git_signature *author_of(const struct patch *p)
{
	const char *email = p->author_email && *p->author_email ?
				    p->author_email : "unknown";
	git_signature *sig;

	/* libgit2 refuses an empty name, git am takes the address. */
	if (!p->author_name || !*p->author_name ||
	    git_signature_new(&sig, p->author_name, email, p->date,
			      p->date_offset) < 0)
		if (git_signature_new(&sig, email, email, p->date,
				      p->date_offset) < 0)
			return NULL;
	return sig;
}

static int commit(struct job *j, const git_oid *tree_id, GError **error)
{
	g_autoptr(git_signature) author = author_of(j->p), committer = NULL;
	g_autoptr(git_tree) tree = NULL;
	g_autoptr(git_commit) parent = NULL;
	git_oid oid;
	int err;

	if (repo_lookup_commit(j->r, j->parent, &parent, error) < 0)
		return -1;
	err = git_tree_lookup(&tree, j->r->git, tree_id);
	if (!err)
		err = git_signature_new(&committer, "respin", "respin@localhost",
					j->p->date, j->p->date_offset);
	if (!err)
		err = author ? git_commit_create_v(&oid, j->r->git, NULL, author,
						   committer, NULL,
						   j->p->message ? j->p->message : "",
						   tree, 1, parent) : -1;
	if (err < 0)
		return repo_git_error(j->r, err, error, "cannot commit patch %u/%u",
				      j->p->n, j->s->total);
	if (git_oid_equal(tree_id, git_tree_id(j->base)))
		g_ptr_array_add(j->step->notes,
				g_strdup("changes nothing: it is in the tree already"));
	j->step->commit = repo_hex(&oid);
	j->step->tree = repo_hex(tree_id);
	return 0;
}

static int apply_patch(struct job *j, GError **error)
{
	g_autoptr(diff_t) d = NULL;
	git_oid tree;

	if (j->p->diff)
		d = diff_parse(j->p->diff, error);
	if (j->p->diff && !d) {
		g_prefix_error(error, "patch %u/%u '%s': ", j->p->n, j->s->total,
			       j->p->subject);
		return -1;
	}
	if (!d || !d->files->len) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_APPLY,
			    "patch %u/%u '%s' has no diff in it", j->p->n,
			    j->s->total, j->p->subject);
		return -1;
	}
	if (apply_diff(j, d, &tree, error) < 0)
		return -1;
	return commit(j, &tree, error);
}

static int apply_next(struct repo *r, const struct series *s, guint i,
		      const struct apply_options *o, struct steps *st,
		      GError **error)
{
	const struct step *last = st->steps->pdata[i];
	g_autoptr(git_tree) base = NULL;
	struct job j = {
		.r = r, .s = s, .p = s->patches->pdata[i], .o = o,
		.parent = last->commit,
	};

	if (repo_lookup_tree(r, last->tree, &base, error) < 0)
		return -1;
	j.base = base;
	j.step = step_new(APPLY_EXACT);
	g_ptr_array_add(st->steps, j.step);
	return apply_patch(&j, error);
}

/* Points the refs at the steps and drops those of a longer series before. */
static int write_refs(struct repo *r, const struct steps *st, const char *name,
		      GError **error)
{
	guint i;

	for (i = 0; i < st->steps->len; i++) {
		const struct step *step = st->steps->pdata[i];
		g_autofree char *ref = g_strdup_printf("%s/%u", name, i);

		if (repo_set_ref(r, ref, step->commit, error) < 0)
			return -1;
	}
	for (;; i++) {
		g_autofree char *full =
			g_strdup_printf("refs/respin/%s/%u", name, i);
		g_autoptr(git_reference) ref = NULL;

		/* Asked first: removing what is not there is no error. */
		if (git_reference_lookup(&ref, r->git, full) < 0 ||
		    git_reference_delete(ref) < 0)
			return 0;
	}
}

static struct steps *apply_all(struct repo *r, const struct series *s,
			       const char *base, const struct apply_options *o,
			       const char *name, GError **error)
{
	struct steps *st = g_new0(struct steps, 1);
	struct step *first = step_new(APPLY_EXACT);
	guint i;

	st->steps = g_ptr_array_new();
	g_ptr_array_add(st->steps, first);
	first->commit = g_strdup(base);
	first->tree = repo_tree_of(r, base, error);
	if (!first->tree)
		goto failed;
	for (i = 0; i < s->patches->len; i++)
		if (apply_next(r, s, i, o, st, error) < 0)
			goto failed;
	if (name && write_refs(r, st, name, error) < 0)
		goto failed;
	return st;
failed:
	steps_free(st);
	return NULL;
}

struct steps *apply_series(struct repo *r, const struct series *s,
			   const char *base, const struct apply_options *o,
			   const char *name, GError **error)
{
	struct steps *st;

	repo_be_owner(r);
	st = apply_all(r, s, base, o, name, error);
	repo_be_self();
	return st;
}

