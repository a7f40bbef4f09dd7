/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics whose lanes meet at an address, and what to do about them. */
#ifndef CT_POSTPROC_ANALYSIS_ACCESS_ATOMICS_H
#define CT_POSTPROC_ANALYSIS_ACCESS_ATOMICS_H

#include "postproc/analysis/access/results.h"

/* ptxas combines those of a warp itself if their results are not used and it sees that all lanes
 * have one address: what is left are the warps that meet. */
bool ct_access_is_combined(const struct ct_access_row *row);

/* In the imperative, without a full stop. */
const char *ct_access_fix_of_atomics(const struct ct_access_results *results,
				     const struct ct_access_row *row);

#endif
