/* SPDX-License-Identifier: GPL-2.0 */
/* The three parts of helper-override: see helper-override.c. */
#ifndef RESPIN_HELPER_OVERRIDE_H
#define RESPIN_HELPER_OVERRIDE_H

#include "check.h"

/*
 * By text.  In the values of the TU: [0] the generic header, last its path
 * before the patch.
 */
extern const struct check check_helper_override;
/* By the compiler: the header of the job, with the flags of its TU. */
extern const struct check check_override_probe;
/* By the preprocessor: its TU, and the header of the job. */
extern const struct check check_override_late;
#endif
