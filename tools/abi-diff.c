// SPDX-License-Identifier: GPL-2.0
/* What programs that were compiled before cannot use any more. */
#include <string.h>
#include "abi-int.h"
#include "diag.h"

/* The last of an enum, which grows with it (scripts/check-uapi.sh). */
static const char ends[] =
	"(?:_(?:AFTER_LAST|CNT|COUNT|END|LAST|MASK|MAX|MAX_BIT|"
	"MAX_BPF_ATTACH_TYPE|MAX_ID|MAX_SHIFT|NBITS|NETDEV_NUMHOOKS|"
	"NFT_META_IIFTYPE|NL80211_ATTR|NLDEV_NUM_OPS|NUM|NUM_ELEMS|NUM_IRQS|SIZE|"
	"TLSMAX)$)|^(?:MAX|NUM)_";

/* Padding, which later members may take the place of (the same script). */
static const char pads[] =
	"(?:^|[._])(?:end|pad|pad_?[0-9]|padding|padding_?[0-9]|res|resv|resv_?[0-9]|"
	"reserved|reserved_?[0-9]|rsvd[0-9]?|unused)$";

static bool matches(GRegex **form, const char *text, const char *name)
{
	if (!*form)
		*form = g_regex_new(text, G_REGEX_RAW, 0, NULL);
	return g_regex_match(*form, name, 0, NULL);
}

static bool is_end(const char *name)
{
	static GRegex *form;

	return matches(&form, ends, name);
}

static bool is_pad(const char *name)
{
	static GRegex *form;

	return matches(&form, pads, name);
}

static struct diag *say(const char *rule, const char *file, unsigned int line,
			char *message)
{
	return diag_say(DIAG_WARNING, "uapi", rule, file, line, message);
}

static void add(struct diag *head, char *message)
{
	g_ptr_array_add(head->follow_ons, say(head->rule, head->file, head->line,
					      message));
}

/* "byte 4", "bit 35" */
static char *place(gint64 bits)
{
	return bits % 8 ? g_strdup_printf("bit %" G_GINT64_FORMAT, bits) :
		g_strdup_printf("byte %" G_GINT64_FORMAT, bits / 8);
}

/* Do the members stand in the same order, with no more and no less? */
static bool same_order(const struct abi_type *was, const struct abi_type *is)
{
	if (was->members->len != is->members->len)
		return false;
	for (guint i = 0; i < was->members->len; i++) {
		const struct abi_member *a = was->members->pdata[i];
		const struct abi_member *b = is->members->pdata[i];

		if (strcmp(a->name, b->name) || strcmp(a->type, b->type))
			return false;
	}
	return true;
}

/* Does it hold a type of another size, and is that all? */
static bool follows(const struct abi *before, const struct abi *now,
		    const struct abi_type *was, const struct abi_type *is)
{
	if (!same_order(was, is))
		return false;
	for (guint i = 0; i < was->members->len; i++) {
		const struct abi_member *m = was->members->pdata[i];
		const struct abi_type *a, *b;

		if (!m->holds)
			continue;
		a = g_hash_table_lookup(before->type_of, m->holds);
		b = g_hash_table_lookup(now->type_of, m->holds);
		if (a && b && a->size != b->size)
			return true;
	}
	return false;
}

static void compare_member(struct diag *head, const struct abi_member *m,
			   const struct abi_member *other)
{
	if (!other) {
		add(head, g_strdup_printf("member '%s' is gone", m->name));
		return;
	}
	if (strcmp(m->type, other->type))
		add(head, g_strdup_printf("member '%s' is of type '%s', it was of "
			"type '%s'", m->name, other->type, m->type));
	if (m->offset != other->offset) {
		g_autofree char *from = place(m->offset), *to = place(other->offset);

		add(head, g_strdup_printf("member '%s' moved from %s to %s",
					  m->name, from, to));
	}
}

/* For the reader only: what is new is no change of what was there. */
static void note_new(struct diag *head, const struct abi_type *was,
		     const struct abi_type *is)
{
	for (guint i = 0; i < is->members->len; i++) {
		const struct abi_member *m = is->members->pdata[i];
		g_autofree char *at = place(m->offset);

		if (!abi_member_of(was, m->name))
			g_ptr_array_add(head->notes, g_strdup_printf(
				"%s:%u: new member '%s' at %s", head->file,
				head->line, m->name, at));
	}
}

static void compare_type(GPtrArray *out, const struct abi *before,
			 const struct abi *now, const struct abi_type *was,
			 const struct abi_type *is)
{
	struct diag *head = say("layout", is->file, is->line, g_strdup_printf(
		"'%s' is not laid out as it was before the series", was->name));
	bool same_size = was->size == is->size;

	if (!same_size)
		add(head, g_strdup_printf("its size changed from %" G_GINT64_FORMAT
			" to %" G_GINT64_FORMAT " bytes", was->size / 8,
			is->size / 8));
	for (guint i = 0; i < was->members->len; i++) {
		const struct abi_member *m = was->members->pdata[i];

		if (!same_size || !is_pad(m->name))
			compare_member(head, m, abi_member_of(is, m->name));
	}
	if (!head->follow_ons->len || follows(before, now, was, is)) {
		diag_free(head);
		return;
	}
	note_new(head, was, is);
	g_ptr_array_add(out, head);
}

static void compare_types(GPtrArray *out, const struct abi *was,
			  const struct abi *is, const char *header)
{
	for (guint i = 0; i < was->types->len; i++) {
		const struct abi_type *t = was->types->pdata[i];
		const struct abi_type *other = g_hash_table_lookup(is->type_of,
								   t->name);

		if (other)
			compare_type(out, was, is, t, other);
		else if (!strcmp(t->file, header))
			g_ptr_array_add(out, say("removed", t->file, 0,
				g_strdup_printf("'%s' is gone", t->name)));
	}
}

/* An enumerator of the same enum that is still there: where it stands now. */
static const struct abi_constant *stays(const struct abi *was,
					const struct abi *is,
					const struct abi_constant *c)
{
	for (guint i = 0; i < was->constants->len; i++) {
		const struct abi_constant *other = was->constants->pdata[i];
		const struct abi_constant *now = strcmp(other->of, c->of) ? NULL :
			g_hash_table_lookup(is->constant_of, other->name);

		if (now)
			return now;
	}
	return NULL;
}

struct heads {
	GPtrArray *out;
	const struct abi *was, *is;
	GHashTable *of;		/* abi_constant.of -> struct diag */
};

/* The head of all that is said about one enum. */
static struct diag *head_of(struct heads *h, const struct abi_constant *c)
{
	struct diag *head = g_hash_table_lookup(h->of, c->of);
	const struct abi_constant *now;

	for (guint i = 0; !head && i < h->out->len; i++) {
		struct diag *d = h->out->pdata[i];
		g_autofree char *gone = g_strconcat(c->of, " is gone", NULL);

		if (!strcmp(d->message, gone))
			head = d;
	}
	if (head)
		return head;
	now = stays(h->was, h->is, c);
	head = say("enumerators", now ? now->file : c->file,
		   now ? now->line : 0, g_strdup_printf(
		"%s does not have the values it had before the series", c->of));
	g_hash_table_insert(h->of, c->of, head);
	g_ptr_array_add(h->out, head);
	return head;
}

static void compare_constants(GPtrArray *out, const struct abi *was,
			      const struct abi *is, const char *header)
{
	g_autoptr(GHashTable) of = g_hash_table_new(g_str_hash, g_str_equal);
	struct heads h = { out, was, is, of };

	for (guint i = 0; i < was->constants->len; i++) {
		const struct abi_constant *c = was->constants->pdata[i];
		const struct abi_constant *other = g_hash_table_lookup(
						is->constant_of, c->name);

		if (!other && !strcmp(c->file, header))
			add(head_of(&h, c), g_strdup_printf("'%s' is gone",
							    c->name));
		else if (other && strcmp(c->value, other->value) &&
			 !is_end(c->name))
			add(head_of(&h, c), g_strdup_printf("'%s' is %s, it was "
				"%s", c->name, other->value, c->value));
	}
}

GPtrArray *abi_diags(const struct abi *was, const struct abi *is,
		     const char *header)
{
	GPtrArray *out = diag_array_new();

	compare_types(out, was, is, header);
	compare_constants(out, was, is, header);
	return out;
}
