// SPDX-License-Identifier: GPL-2.0
#include "error.h"

G_DEFINE_QUARK(respin-error, respin_error)
