/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds races of launches, and of launches and transfers, that nothing orders (postproc/order):
 * such as run in different streams without an event or a wait between them. Of each byte the last
 * store and the last load are kept. Kernels that may wait for each other, by atomics, volatile
 * accesses and the like, are left out, and so are steps of which more than some hundred others were
 * asked for in between.
 */
#ifndef CT_POSTPROC_ANALYSIS_CHECK_UNORDERED_H
#define CT_POSTPROC_ANALYSIS_CHECK_UNORDERED_H

#include "postproc/analysis/check/causes.h"
#include "postproc/analysis/check/owners.h"
#include "postproc/analysis/check/steps.h"

struct ct_check_unordered;

/* All that is given outlives it. 0 or -ENOMEM */
int ct_check_unordered_open(struct ct_check_unordered **out, const struct ct_trace *trace,
			    struct ct_check_owners *owners, const struct ct_check_steps *steps,
			    struct ct_check_causes *causes, uint64_t limit_bytes);
void ct_check_unordered_close(struct ct_check_unordered *unordered); /* NULL is allowed */

/* Accesses in the order of the trace, all of them. 0 or -ENOMEM */
int ct_check_unordered_add(struct ct_check_unordered *unordered, const struct ct_access *access);
/* After the last one. Likewise */
int ct_check_unordered_end(struct ct_check_unordered *unordered);

#endif
