/* SPDX-License-Identifier: GPL-2.0 */
/* The two halves of header-order: see header-order.c. */
#ifndef RESPIN_HEADER_ORDER_H
#define RESPIN_HEADER_ORDER_H

#include "check.h"

/* Jobs of a header and the flags of a TU: the compiler's word. */
extern const struct check check_header_order;
/*
 * Jobs of one file: its text, for architectures that are not compiled.  In the
 * values of the TU: [0] the path, [1] the directories of arch/, separated by
 * commas, and last the path before the patch.
 */
extern const struct check check_header_order_text;
#endif
