/* SPDX-License-Identifier: Apache-2.0 */
/* Say which launches have all their records in the file. */
#include "host-rt/drain/stored.h"
#include "host-rt/drain/flush.h"
#include "host-rt/events/events.h"
#include "host-rt/events/pending.h"
#include "host-rt/events/session.h"
#include <pthread.h>

/* The last event of a device counts, and a look may come behind what was reported since its mark.
 */
static void write_event(struct ct_drain *drain, uint64_t launch)
{
	static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
	struct ct_event_stored event = {.device = (uint32_t)drain->device->ordinal,
					.launch = (uint32_t)launch};

	pthread_mutex_lock(&order);
	if (drain->reported_launch < launch) {
		drain->reported_launch = launch;
		ct_events_write(ct_event_stored_header(&event));
	}
	pthread_mutex_unlock(&order);
}

/* Slots of warps that run are not flushed, and may hold records of launches before
 * theirs: so only while none runs. What producers drop is known at the end only. */
void ct_stored_mark(struct ct_drain *drain)
{
	uint64_t launches = ct_session_totals.launches;
	size_t head_at = drain->context.head - (uintptr_t)drain->device_memory;

	if (drain->context.mode & CT_CONTEXT_DROP || ct_pending_ended() != launches ||
	    __atomic_load_n(&drain->stored_launch, __ATOMIC_ACQUIRE))
		return;
	/* There the words are host memory, and nothing is flushed. */
	if (ct_device_is_cpu_target()) {
		const uint64_t *head = (const uint64_t *)(uintptr_t)drain->context.head;

		__atomic_store_n(drain->stored_head, __atomic_load_n(head, __ATOMIC_RELAXED),
				 __ATOMIC_RELAXED);
		__atomic_store_n(&drain->stored_launch, launches, __ATOMIC_RELEASE);
		return;
	}
	__atomic_store_n(drain->stored_head, UINT64_MAX, __ATOMIC_RELAXED);
	if (ct_flush_read_later(drain, head_at, drain->stored_head, sizeof(*drain->stored_head)) ==
	    0)
		__atomic_store_n(&drain->stored_launch, launches, __ATOMIC_RELEASE);
}

void ct_stored_look(struct ct_drain *drain)
{
	uint64_t launch = __atomic_load_n(&drain->stored_launch, __ATOMIC_ACQUIRE), head;

	if (!launch)
		return;
	head = __atomic_load_n(drain->stored_head, __ATOMIC_ACQUIRE);
	if (head == UINT64_MAX || !ct_consumers_have_written(&drain->consumers, head) ||
	    __atomic_load_n(&drain->consumers.aborted, __ATOMIC_ACQUIRE) ||
	    __atomic_load_n(&drain->consumers.lost, __ATOMIC_RELAXED))
		return;
	write_event(drain, launch);
	__atomic_store_n(&drain->stored_launch, 0, __ATOMIC_RELEASE);
}

void ct_stored_now(struct ct_drain *drain)
{
	if (!(drain->context.mode & CT_CONTEXT_DROP) &&
	    !__atomic_load_n(&drain->consumers.aborted, __ATOMIC_ACQUIRE) &&
	    !__atomic_load_n(&drain->consumers.lost, __ATOMIC_RELAXED))
		ct_stored_all(drain);
}

void ct_stored_all(struct ct_drain *drain)
{
	if (ct_pending_ended() == ct_session_totals.launches)
		write_event(drain, ct_session_totals.launches);
}
