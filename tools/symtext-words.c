// SPDX-License-Identifier: GPL-2.0
#include "symtext.h"
#include "toplevel.h"

GHashTable *symtext_words(const char *text, gsize len)
{
	GHashTable *set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
						NULL);
	g_autoptr(ctext_t) t = ctext_new(text, len);
	struct toplevel top;

	toplevel_init(&top, t);
	while (toplevel_next(&top)) {
		for (guint i = 0; i < top.tokens->len; i++) {
			const struct top_token *token = toplevel_at(&top, i);

			if (token->kind == 'a')
				g_hash_table_add(set, g_strndup(token->text,
								token->len));
		}
	}
	toplevel_release(&top);
	return set;
}
