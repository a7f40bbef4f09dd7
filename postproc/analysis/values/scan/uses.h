/* SPDX-License-Identifier: Apache-2.0 */
/* Which objects each launch accesses, counted by a worker of the scan: facts USE (base/facts.h). */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_SCAN_USES_H
#define CT_POSTPROC_ANALYSIS_VALUES_SCAN_USES_H

#include "postproc/analysis/values/base/engine.h"

struct ct_value_uses;

int ct_value_uses_open(struct ct_value_uses **out, struct ct_value_engine *engine,
		       const struct ct_worker *worker);
void ct_value_uses_close(struct ct_value_uses *uses); /* NULL is allowed */
int ct_value_uses_add(struct ct_value_uses *uses, const struct ct_access *access);
int ct_value_uses_join(struct ct_value_uses *uses, struct ct_value_uses *from);
/* Add all to the sums. */
int ct_value_uses_sum(struct ct_value_uses *uses, struct ct_sums *sums);

#endif
