/* SPDX-License-Identifier: GPL-2.0 */
#include <generated/bounds.h>
#include <asm/local.h>
