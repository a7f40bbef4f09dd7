/* SPDX-License-Identifier: Apache-2.0 */
/* Which call asks for work, what libraries wait for: what the CPU target wants to know, and tells.
 */
#include "base/clock.h"
#include "host-rt/activities/activities.h"
#include "host-rt/activities/library.h"
#include "host-rt/calls/call.h"
#include "host-rt/events/session.h"
#include "host-rt/stacks/stacks.h"
#include "host-rt/streams/streams.h"

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

/* A wrapper tells of its own call. */
static uint64_t wait_begins(void)
{
	return ct_call_innermost || ct_quiet_depth || ct_log_is_closed() ? 0 : ct_clock_real_ns();
}

static void waited(const struct ct_waiting *waiting)
{
	const struct ct_library_wait wait = {.scope = ct_library_scope(waiting->call),
					     .handle = waiting->handle};
	struct ct_log_call call = {.name = waiting->call,
				   .id = wait.scope,
				   .stack = ct_stack_take(waiting->base),
				   .result = waiting->result,
				   .begin_ns = waiting->begin_ns,
				   .end_ns = ct_clock_real_ns()};

	ct_library_waited(&call, &wait);
	ct_log_add(&call);
}

const struct ct_activity_sink ct_activity_sink = {.cause = find_cause,
						  .happened = ct_activities_happened,
						  .wait_begins = wait_begins,
						  .waited = waited};
