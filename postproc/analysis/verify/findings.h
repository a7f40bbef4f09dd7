/* SPDX-License-Identifier: Apache-2.0 */
/* Says what is wrong with a trace, in sentences. */
#ifndef CT_POSTPROC_ANALYSIS_VERIFY_FINDINGS_H
#define CT_POSTPROC_ANALYSIS_VERIFY_FINDINGS_H

#include "postproc/analysis/verify/tally.h"
#include "postproc/facts/finding.h"

/* About one launch, or about the whole trace if launch is NULL. */
void ct_verify_add(struct ct_findings *findings, const struct ct_launch_info *launch,
		   enum ct_finding_id id, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Damage, losses, what is missing between segments of a warp, and launches without an
 * end. After a scan of everything into tally, which has finished. 0 or -ENOMEM */
int ct_verify_integrity(struct ct_findings *findings, const struct ct_trace *trace,
			const struct ct_tally *tally, uint64_t damaged_chunks);

#endif
