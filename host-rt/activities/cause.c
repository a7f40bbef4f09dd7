/* SPDX-License-Identifier: Apache-2.0 */
/* Which call asks for work: what the CPU target's streams want to know. */
#include "host-rt/activities/activities.h"
#include "host-rt/calls/call.h"
#include "host-rt/events/session.h"
#include "host-rt/streams/streams.h"
#include "host-rt/watch/pages/past.h"

static uint32_t last_correlation; /* atomic */

static struct ct_cause find_cause(struct CUstream_st *stream)
{
	struct ct_call *call = ct_call_innermost;
	struct ct_cause cause = {.is_known = false};

	if (!call || !call->log || ct_quiet_depth || ct_log_is_closed())
		return cause;
	if (!call->correlation)
		call->correlation = __atomic_add_fetch(&last_correlation, 1, __ATOMIC_RELAXED);
	cause = (struct ct_cause){
	    .correlation = call->correlation,
	    .launch = call->launch,
	    .is_known = true,
	};
	ct_session_lock();
	cause.stream = ct_streams_id(stream, call->per_thread);
	ct_session_unlock();
	return cause;
}

const struct ct_activity_sink ct_activity_sink = {
    .cause = find_cause, .happened = ct_activities_happened, .move = ct_past_move};
