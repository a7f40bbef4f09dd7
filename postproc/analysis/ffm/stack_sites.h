/* SPDX-License-Identifier: Apache-2.0 */
/* Call sites (base/site.h) of the stacks of a trace: what --uses-of names, and WAIT has. */
#ifndef CT_POSTPROC_ANALYSIS_FFM_STACK_SITES_H
#define CT_POSTPROC_ANALYSIS_FFM_STACK_SITES_H

#include "trace/read/reader.h"

/* *site: by row of STACK, from 1; 0 of row 0; owned by the caller. 0 or a negative error, and then
 * *site is NULL. */
int ct_ffm_stack_sites(struct ct_trace *trace, uint32_t part, uint64_t **site, size_t *rows);

#endif
