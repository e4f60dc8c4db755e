/* SPDX-License-Identifier: GPL-2.0 */
/* The last report, for the commands that look closer at it. */
#ifndef RESPIN_LAST_H
#define RESPIN_LAST_H

#include <glib.h>
#include <jansson.h>

/* json_decref() it; NULL with @error when there is none. */
json_t *last_report(GError **error);
/* The finding called @id ("3/7.1"; "3.1" will do); borrowed from @doc. */
json_t *last_finding(const json_t *doc, const char *id, GError **error);
/* Member @key of @o as text, "" where it is none; borrowed. */
const char *last_str(const json_t *o, const char *key);
#endif
