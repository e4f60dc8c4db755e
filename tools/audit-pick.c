// SPDX-License-Identifier: GPL-2.0
/* Which TUs are audited: by chance, but the same ones again in a second run. */
#include "audit.h"

/* FNV-1a (draft-eastlake-fnv), then mixed, for its high bits hardly move. */
static guint64 hash_text(guint64 h, const char *text)
{
	for (; *text; text++)
		h = (h ^ (guchar)*text) * G_GUINT64_CONSTANT(0x100000001b3);
	return h * G_GUINT64_CONSTANT(0x100000001b3);
}

guint64 audit_key(guint64 seed, const char *variant, const char *object)
{
	guint64 h = G_GUINT64_CONSTANT(0xcbf29ce484222325) ^ seed;

	h = hash_text(hash_text(h, variant), object);
	h = (h ^ (h >> 33)) * G_GUINT64_CONSTANT(0xff51afd7ed558ccd);
	h = (h ^ (h >> 33)) * G_GUINT64_CONSTANT(0xc4ceb9fe1a85ec53);
	return h ^ (h >> 33);
}

unsigned int audit_share(unsigned int jobs, unsigned int percent)
{
	return (jobs * percent + 99) / 100;
}

static gint by_key(gconstpointer a, gconstpointer b)
{
	const struct audit_pick *x = a, *y = b;
	int c;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	c = strcmp(x->variant->name, y->variant->name);
	return c ? c : strcmp(x->tu->object, y->tu->object);
}

void audit_draw(GArray *picks, guint max)
{
	g_array_sort(picks, by_key);
	if (picks->len > max)
		g_array_set_size(picks, max);
}
