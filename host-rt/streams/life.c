/* SPDX-License-Identifier: Apache-2.0 */
/* STREAM events: streams that the program makes and destroys. */
#include "host-rt/streams/life.h"
#include "host-rt/base/quiet.h"
#include "host-rt/events/device.h"
#include "host-rt/events/events.h"
#include "host-rt/events/session.h"
#include "host-rt/streams/streams.h"
#include "host-rt/watch/watch.h"

static bool is_any_non_blocking; /* atomic */

bool ct_stream_is_any_non_blocking(void)
{
	return __atomic_load_n(&is_any_non_blocking, __ATOMIC_ACQUIRE);
}

static void write_event(uint64_t stream, uint32_t flags)
{
	struct ct_device *device = ct_device_current();
	struct ct_event_stream event = {.stream = stream, .flags = flags};

	event.device = (uint32_t)ct_streams_device(stream, device ? device->ordinal : 0);
	ct_events_write(ct_event_stream_header(&event));
}

cudaError_t ct_stream_made(cudaError_t error, const cudaStream_t *stream, unsigned flags)
{
	struct ct_quiet quiet;
	uint64_t id;

	if (error == cudaSuccess && flags & cudaStreamNonBlocking)
		__atomic_store_n(&is_any_non_blocking, true, __ATOMIC_RELEASE);
	if (error != cudaSuccess || !ct_session_is_active())
		return error;
	ct_quiet_begin(&quiet);
	ct_session_lock();
	if (ct_session_is_open()) {
		id = ct_streams_made(*stream);
		write_event(id, flags & cudaStreamNonBlocking ? CT_STREAM_NON_BLOCKING : 0);
		ct_watch_stream(ct_streams_device(id, 0), id, !(flags & cudaStreamNonBlocking));
	}
	ct_session_unlock();
	ct_quiet_end(&quiet);
	return error;
}

uint64_t ct_stream_leaving(cudaStream_t stream)
{
	uint64_t id;

	if (!ct_session_is_open())
		return 0;
	ct_session_lock();
	id = ct_streams_forget(stream);
	ct_session_unlock();
	return id;
}

cudaError_t ct_stream_destroyed(cudaError_t error, cudaStream_t stream, uint64_t id)
{
	struct ct_quiet quiet;

	if (!id)
		return error;
	ct_quiet_begin(&quiet);
	ct_session_lock();
	if (error != cudaSuccess)
		ct_streams_keep(stream, id);
	else if (ct_session_is_open())
		write_event(id, CT_STREAM_DESTROYED);
	ct_session_unlock();
	ct_quiet_end(&quiet);
	return error;
}
