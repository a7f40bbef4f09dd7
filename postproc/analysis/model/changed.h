/* SPDX-License-Identifier: Apache-2.0 */
/* Changes a request as a change says (simulate.h). */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_CHANGED_H
#define CT_POSTPROC_ANALYSIS_MODEL_CHANGED_H

#include "postproc/analysis/model/simulate.h"

/* Whether its lanes are brought together, so that it moves fewer sectors, of its own; how many it
 * moves. */
bool ct_change_coalesces(const struct ct_simulate_change *change,
			 const struct ct_stream_request *request);
uint32_t ct_change_sectors(const struct ct_simulate_change *change,
			   const struct ct_stream_request *request);

/* Whether it loads from the range alone; stores to it. */
bool ct_loads_from(const struct ct_warp_stream *stream, const struct ct_stream_request *request,
		   const struct ct_simulate_range *range);
bool ct_stores_to(const struct ct_warp_stream *stream, const struct ct_stream_request *request,
		  const struct ct_simulate_range *range);
/* Whether what it loads is in shared memory. */
bool ct_change_keeps(const struct ct_simulate_change *change, const struct ct_warp_stream *stream,
		     const struct ct_stream_request *request);

#endif
