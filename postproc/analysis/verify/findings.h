/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with a trace, in sentences. */
#ifndef CT_MODEL_FINDINGS_H
#define CT_MODEL_FINDINGS_H

#include "postproc/analysis/verify/tally.h"

struct ct_finding {
	const struct ct_launch_info *launch; /* NULL: the whole trace */
	char *text;
};

struct ct_findings {
	struct ct_finding *list;
	size_t count;
};

/* 0 or -ENOMEM */
int ct_findings_add(struct ct_findings *findings, const struct ct_launch_info *launch,
		    const char *format, ...) __attribute__((format(printf, 3, 4)));
void ct_findings_fini(struct ct_findings *findings);

/* Damage, losses, what is missing between segments of a warp, and launches without an
 * end. After a scan of everything into tally, which has settled. 0 or -ENOMEM */
int ct_findings_integrity(struct ct_findings *findings, const struct ct_trace *trace,
			  const struct ct_tally *tally, uint64_t damaged_chunks);

#endif
