// SPDX-License-Identifier: GPL-2.0
/* The shapes of a source (symtext_shape()) on a patch and before it. */
#include "symbols-int.h"

/*
 * Is all of the shape @was still in @is, and no new directive that could make
 * something else of it?  Then nothing is taken away.
 */
bool symbols_only_adds(const char *was, const char *is)
{
	g_auto(GStrv) old = g_strsplit(was, "\n", -1);
	g_auto(GStrv) new = g_strsplit(is, "\n", -1);
	g_autoptr(GHashTable) count = g_hash_table_new(g_str_hash, g_str_equal);

	for (char **l = old; *l; l++)
		g_hash_table_replace(count, *l, GINT_TO_POINTER(1 +
			GPOINTER_TO_INT(g_hash_table_lookup(count, *l))));
	for (char **l = new; *l; l++) {
		int left = GPOINTER_TO_INT(g_hash_table_lookup(count, *l));

		if (left > 1)
			g_hash_table_replace(count, *l, GINT_TO_POINTER(left - 1));
		else if (left == 1)
			g_hash_table_remove(count, *l);
		else if (**l == '#' && !g_str_has_prefix(*l, "#include"))
			return false;
	}
	return !g_hash_table_size(count);
}
