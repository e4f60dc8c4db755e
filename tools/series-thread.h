/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Threads, by Message-ID, References and In-Reply-To (RFC 5322, 3.6.4).
 */
#ifndef RESPIN_SERIES_THREAD_H
#define RESPIN_SERIES_THREAD_H

#include <glib.h>
#include <stdbool.h>

/*
 * Do the mails (of struct series_mail) that are in any thread share one?
 * Mails with the same n/m count as one.  A mail that names no other and that
 * none names says nothing: git format-patch without --thread makes these.
 */
bool series_thread_is_one(const GPtrArray *mails);

#endif
