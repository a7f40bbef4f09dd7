/* SPDX-License-Identifier: Apache-2.0 */
/* An envelope for a call that had none. */
#include "host-rt/activities/library.h"
#include "host-rt/calls/call.h"
#include "host-rt/events/session.h"
#include "host-rt/streams/streams.h"
#include "host-rt/streams/sync.h"
#include "host-rt/watch/watch.h"

static void note(const struct ct_log_call *call, const struct ct_library_wait *wait)
{
	cudaError_t error = (cudaError_t)call->result;

	if (wait->scope == CT_LIBRARY_DEVICE)
		ct_sync_device(error);
	else if (wait->scope == CT_LIBRARY_STREAM)
		ct_sync_stream(error, wait->handle, wait->per_thread);
	else if (wait->scope == CT_LIBRARY_EVENT)
		ct_sync_event(error, wait->handle);
}

static uint64_t stream_of(const struct ct_library_wait *wait)
{
	uint64_t stream;

	ct_session_lock();
	stream = ct_session_is_open() ? ct_streams_id(wait->handle, wait->per_thread) : 0;
	ct_session_unlock();
	return stream;
}

/* Without a watch it is not asked for more than its row says. */
void ct_library_waited(struct ct_log_call *call, const struct ct_library_wait *wait)
{
	struct ct_call envelope = {.outer = ct_call_innermost, .stack = call->stack};

	if (wait->scope == CT_LIBRARY_STREAM)
		call->stream = stream_of(wait);
	if (!ct_watch_is_on() || wait->scope == CT_LIBRARY_NO_WAIT)
		return;
	ct_call_innermost = &envelope;
	note(call, wait);
	ct_call_innermost = envelope.outer;
	if (ct_call_around && !envelope.outer)
		ct_call_around();
	call->number = envelope.id;
}
