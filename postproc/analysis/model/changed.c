/* SPDX-License-Identifier: Apache-2.0 */
/* Requests after a change. */
#include "postproc/analysis/model/changed.h"

bool ct_change_coalesces(const struct ct_simulate_change *change,
			 const struct ct_stream_request *request)
{
	return change->is_coalesced && request->count > change->sectors &&
	       (change->line == 0 || change->line == request->line);
}

uint32_t ct_change_sectors(const struct ct_simulate_change *change,
			   const struct ct_stream_request *request)
{
	return ct_change_coalesces(change, request) ? change->sectors : request->count;
}

/* All of its sectors, which stand in order. */
static bool is_within(const struct ct_warp_stream *stream, const struct ct_stream_request *request,
		      const struct ct_simulate_range *range)
{
	const uint64_t *sector = stream->sector + request->first;

	return request->count && sector[0] >= range->begin &&
	       sector[request->count - 1] < range->end;
}

bool ct_loads_from(const struct ct_warp_stream *stream, const struct ct_stream_request *request,
		   const struct ct_simulate_range *range)
{
	return request->kind == CT_STREAM_LOAD && is_within(stream, request, range);
}

bool ct_stores_to(const struct ct_warp_stream *stream, const struct ct_stream_request *request,
		  const struct ct_simulate_range *range)
{
	return request->kind == CT_STREAM_STORE && is_within(stream, request, range);
}

bool ct_change_keeps(const struct ct_simulate_change *change, const struct ct_warp_stream *stream,
		     const struct ct_stream_request *request)
{
	for (uint32_t i = 0; i < change->kept_ranges; i++)
		if (ct_loads_from(stream, request, &change->kept[i]))
			return true;
	return change->keeps_loads && !change->kept_ranges && request->kind == CT_STREAM_LOAD;
}
