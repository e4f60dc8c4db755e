/* SPDX-License-Identifier: GPL-2.0 */
/* The semantic patches of cocci/, as they were when respin was built. */
#ifndef RESPIN_COCCIRULES_H
#define RESPIN_COCCIRULES_H

#include "diag.h"

/* All that spatch is given: the prelude and every rule. */
extern const char cocci_rules_text[];

/* How sure the rule @id is; CONFIDENCE_HINT for one that is not known. */
enum confidence coccirules_confidence(const char *id);
/* What it says about the mistake in general; NULL: no such rule.  g_free() */
char *coccirules_explain(const char *id);
#endif
