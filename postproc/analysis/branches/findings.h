/* SPDX-License-Identifier: Apache-2.0 */
/* The lines at which lanes of a warp part, as findings. */
#ifndef CT_BRANCHES_FINDINGS_H
#define CT_BRANCHES_FINDINGS_H

#include "postproc/analysis/branches/analysis.h"
#include "postproc/facts/finding.h"

/* The most costly first; none of a line that the findings say to combine the atomics of. 0 or a
 * negative error */
int ct_branches_find(struct ct_findings *findings, const struct ct_branches_results *results);

#endif
