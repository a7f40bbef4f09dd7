/* SPDX-License-Identifier: Apache-2.0 */
/* How long the CPU works behind the calls of a site, until its thread's next call: what a run that
 * watches accesses may make longer. */
#ifndef CT_POSTPROC_ANALYSIS_FFM_PAUSES_H
#define CT_POSTPROC_ANALYSIS_FFM_PAUSES_H

#include "base/map.h"
#include <stdbool.h>

struct ct_ffm_pause; /* of a site */

/* Zeroed: none are known. */
struct ct_ffm_pauses {
	struct ct_map numbers; /* site -> number + 1 */
	struct ct_ffm_pause *pause;
	size_t count;
};

/* Keeps no more than the first thousands of a site. 0 or -ENOMEM */
int ct_ffm_pauses_add(struct ct_ffm_pauses *pauses, uint64_t site, uint64_t ns);
/* The median; UINT64_MAX: none is known. */
uint64_t ct_ffm_pauses_median(struct ct_ffm_pauses *pauses, uint64_t site);
/* The lower quartile, likewise: what disturbs a program only makes its times longer. */
uint64_t ct_ffm_pauses_short(struct ct_ffm_pauses *pauses, uint64_t site);
void ct_ffm_pauses_fini(struct ct_ffm_pauses *pauses);

#endif
