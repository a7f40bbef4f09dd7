/* SPDX-License-Identifier: Apache-2.0 */
/* An event of ours for each stream that was launched into. */
#include "host-rt/drain/behind.h"
#include "host-rt/base/quiet.h"
#include "host-rt/calls/symbols.h"
#include "host-rt/events/pending.h"
#include "host-rt/events/session.h"
#include <stdlib.h>

struct mark {
	struct mark *next;
	int device;
	uint64_t stream;
	cudaEvent_t event;
	uint64_t number; /* launches pending up to it are before the event; 0: none */
};

static struct mark *marks; /* session's lock */

static struct mark *new_mark(int device, uint64_t stream)
{
	struct mark *mark = calloc(1, sizeof(*mark));

	if (!mark)
		return NULL;
	if (cudaEventCreateWithFlags(&mark->event, cudaEventDisableTiming) != cudaSuccess) {
		free(mark);
		return NULL;
	}
	mark->device = device;
	mark->stream = stream;
	mark->next = marks;
	marks = mark;
	return mark;
}

static struct mark *mark_of(int device, uint64_t stream)
{
	struct mark *mark = marks;

	while (mark && (mark->device != device || mark->stream != stream))
		mark = mark->next;
	return mark ? mark : new_mark(device, stream);
}

/* Two threads may record one event at once. Whoever is the last, what is pending before either
 * record began is before it. */
void ct_behind_launch(struct ct_drain *drain, uint64_t stream_id, cudaStream_t stream)
{
	struct mark *mark = NULL;
	struct ct_quiet quiet;
	uint64_t number = 0;

	if (!__atomic_load_n(&drain->consumers.aborted, __ATOMIC_ACQUIRE))
		return;
	ct_quiet_begin(&quiet);
	ct_session_lock();
	if (ct_session_is_open() && drain->phase == CT_DRAIN_READY) {
		number = ct_pending_added();
		mark = mark_of(drain->device->ordinal, stream_id);
	}
	ct_session_unlock();
	if (mark && __real_cudaEventRecord(mark->event, stream) == cudaSuccess) {
		ct_session_lock();
		if (mark->number < number)
			mark->number = number;
		ct_session_unlock();
	}
	ct_quiet_end(&quiet);
}

void ct_behind_ask(const struct ct_drain *drain)
{
	for (const struct mark *mark = marks; mark; mark = mark->next)
		if (mark->device == drain->device->ordinal && mark->number &&
		    __real_cudaEventQuery(mark->event) == cudaSuccess)
			ct_pending_done_until(mark->device, mark->stream, mark->number);
}

void ct_behind_forget(const struct ct_drain *drain, bool release)
{
	struct mark **link = &marks;

	while (*link) {
		struct mark *mark = *link;

		if (mark->device != drain->device->ordinal) {
			link = &mark->next;
			continue;
		}
		*link = mark->next;
		if (release)
			__real_cudaEventDestroy(mark->event);
		free(mark);
	}
}
