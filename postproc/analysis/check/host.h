/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of what the host asked for: copies, and what it never freed. */
#ifndef CT_POSTPROC_ANALYSIS_CHECK_HOST_H
#define CT_POSTPROC_ANALYSIS_CHECK_HOST_H

#include "postproc/analysis/check/causes.h"
#include "postproc/analysis/check/owners.h"

/* Copies whose source and target overlap, or that leave the object they begin in. 0 or -ENOMEM */
int ct_check_copies(struct ct_check_causes *causes, const struct ct_trace *trace,
		    struct ct_check_owners *owners);

/* Frees and copies that failed, or went another way than they said (REFUSED). Likewise */
int ct_check_refused(struct ct_check_causes *causes, const struct ct_trace *trace,
		     struct ct_check_owners *owners);

/* Objects that live when the program ends, in parts whose end is in the trace; without those that a
 * wrong free among the causes left. Likewise */
int ct_check_leaks(struct ct_check_causes *causes, const struct ct_trace *trace);

#endif
