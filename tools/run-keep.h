/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Answers about a variant at a step that a later run may use (kept.h).
 */
#ifndef RESPIN_RUN_KEEP_H
#define RESPIN_RUN_KEEP_H

#include "kept.h"
#include "run.h"

/*
 * A key of all that the compilers of @v read at step @n, other than what their
 * commands say: the sources, what was generated in O=, .config, the toolchain.
 */
GChecksum *run_keep_key(const char *kind, const struct run *run,
			const struct variant *v, unsigned int n);
/* The command of @tu at step @n. */
void run_keep_add_tu(GChecksum *key, const struct compdb *db,
		     const struct tu *tu, unsigned int n);
/* Always NULL with --no-reuse. */
GBytes *run_keep_get(const struct run *run, GChecksum *key);
void run_keep_put(const struct run *run, GChecksum *key, GBytes *what);
/* At the end of a run: what is kept does not grow for ever. */
void run_keep_prune(const struct run *run);
#endif
