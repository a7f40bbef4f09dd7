/* SPDX-License-Identifier: Apache-2.0 */
/* Judges where the lanes of an access lie. */
#ifndef CT_POSTPROC_ANALYSIS_CHECK_LANES_H
#define CT_POSTPROC_ANALYSIS_CHECK_LANES_H

#include "postproc/analysis/check/causes.h"
#include "postproc/analysis/check/memory.h"
#include "postproc/facts/filter.h"
#include "postproc/facts/locate.h"

struct ct_check_lanes;

/* All that is given outlives it; filter NULL: everything passes. 0 or -ENOMEM */
int ct_check_lanes_open(struct ct_check_lanes **out, const struct ct_trace *trace,
			struct ct_check_owners *owners, const struct ct_filter *filter,
			struct ct_check_causes *causes);
void ct_check_lanes_close(struct ct_check_lanes *lanes); /* NULL is allowed */

/* An access of any space. 0 or -ENOMEM */
int ct_check_lanes_add(struct ct_check_lanes *lanes, const struct ct_access *access);

#endif
