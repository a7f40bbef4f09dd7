/* SPDX-License-Identifier: Apache-2.0 */
/* Set a drain up, flush and empty it, and end it, in whatever state its device is. */
#include "host-rt/drain/drain.h"
#include "base/clock.h"
#include "host-rt/base/cores.h"
#include "host-rt/base/say.h"
#include "host-rt/calls/symbols.h"
#include "host-rt/drain/behind.h"
#include "host-rt/drain/consumer_thread.h"
#include "host-rt/drain/flush.h"
#include "host-rt/drain/memory.h"
#include "host-rt/drain/records.h"
#include "host-rt/drain/stored.h"
#include "host-rt/drain/watchdog.h"
#include "host-rt/events/events.h"
#include "host-rt/events/pending.h"
#include "host-rt/events/session.h"
#include <cudatrace/error.h>
#include <errno.h>

/* A flush costs some microseconds: programs that synchronise after every
 * launch shall not pay for each. */
#define FLUSH_EVERY_NS 10000000u

#define CT_RING_WAS_FULL "the ring was full (--on-full=drop)"
#define CT_DISK_STALLED "the disk took nothing for longer than the patience (--patience)"
#define CT_NOT_STORED "records could not be stored"

static int opens_nothing(struct ct_drain *drain)
{
	(void)drain;
	return 0;
}

static void closes_nothing(struct ct_drain *drain, bool release)
{
	(void)drain;
	(void)release;
}

static const struct ct_drain_extension none = {opens_nothing, opens_nothing, opens_nothing,
					       closes_nothing};
static const struct ct_drain_extension *extension = &none;

void ct_drain_extend(const struct ct_drain_extension *other)
{
	extension = other;
}

static int start_consumers(struct ct_drain *drain)
{
	drain->consumers.sink = &ct_records_sink;
	drain->consumers.user = drain;
	drain->consumers.has_cores = drain->consumers.count < ct_cores_usable();
	drain->consumers.patience_ns = ct_session_options()->patience;
	return ct_consumers_start(&drain->consumers);
}

/* Where the ring loses chunks when it is full, nothing waits. */
static void watch(struct ct_drain *drain)
{
	if (drain->consumers.patience_ns && !(drain->context.mode & CT_CONTEXT_DROP))
		ct_watchdog_add(&drain->consumers, ct_drain_memory_abort(drain),
				drain->consumers.patience_ns);
}

/* what: why it failed, if it did. */
static int open_all(struct ct_drain *drain, const char **what)
{
	int err;

	*what = "no stream";
	if (__real_cudaStreamCreateWithFlags(&drain->stream, cudaStreamNonBlocking) !=
	    cudaSuccess) {
		drain->stream = NULL;
		return -CT_ECUDA;
	}
	*what = "no pinned memory for the ring (CUDATRACE_RING)";
	err = ct_drain_memory_pin(drain);
	if (err < 0)
		return err;
	*what = "no device memory for records";
	err = extension->open(drain);
	if (err == 0)
		err = ct_drain_memory_allocate(drain);
	if (err < 0)
		return err;
	*what = "no flush kernel for its architecture";
	err = ct_flush_load();
	if (err < 0)
		return err;
	*what = "no threads to take records";
	return start_consumers(drain);
}

int ct_drain_prepare(struct ct_device *device)
{
	struct ct_drain *drain = ct_drain_of(device);
	const char *what;
	int err;

	if (drain->phase == CT_DRAIN_READY) {
		ct_consumers_expect(&drain->consumers);
		return 0;
	}
	if (drain->phase != CT_DRAIN_UNUSED)
		return -EPIPE;
	drain->device = device;
	err = open_all(drain, &what);
	if (err < 0) {
		if (drain->stream)
			ct_drain_close(drain, true);
		drain->phase = CT_DRAIN_FAILED;
		ct_say("device %d: %s; its kernels run untraced", device->ordinal, what);
		return err;
	}
	watch(drain);
	drain->phase = CT_DRAIN_READY;
	return 0;
}

/* Where the ring's head is, when slots are flushed. While kernels run their warps have slots, and
 * a flush may wait for them: it is left to ct_drain_look. */
static bool find_head(struct ct_drain *drain, uint64_t *head)
{
	uint64_t waits;

	if (drain->phase != CT_DRAIN_READY)
		return false;
	if (ct_device_is_cpu_target()) {
		*head = __atomic_load_n((const uint64_t *)(uintptr_t)drain->context.head,
					__ATOMIC_ACQUIRE);
		return true;
	}
	return ct_pending_ended() == ct_session_totals.launches && ct_flush_wait(drain) == 0 &&
	       ct_drain_memory_counters(drain, head, &waits) == 0;
}

/* On a GPU ct_drain_look has the slots flushed. */
void ct_drain_send_soon(struct ct_drain *drain)
{
	if (drain->phase == CT_DRAIN_READY)
		__atomic_store_n(&drain->consumers.writes_soon, true, __ATOMIC_RELEASE);
}

void ct_drain_send(struct ct_drain *drain)
{
	drain->finishes_at = 0;
	if (!find_head(drain, &drain->finishes_at))
		return;
	extension->read(drain);
	ct_consumers_want(&drain->consumers, drain->finishes_at);
}

void ct_drain_finish(struct ct_drain *drain, uint64_t until_ns)
{
	const struct ct_consumers *consumers = &drain->consumers;

	if (!drain->finishes_at || !consumers->running)
		return;
	for (uint64_t looks = 0; !ct_consumers_have_written(consumers, drain->finishes_at);
	     looks++) {
		if (ct_clock_monotonic_ns() >= until_ns ||
		    __atomic_load_n(&consumers->aborted, __ATOMIC_ACQUIRE))
			return;
		ct_consumer_pause(looks);
	}
	ct_stored_now(drain);
}

/* Chunks that the consumers could not hand on. */
static void tell_refused(struct ct_drain *drain)
{
	uint64_t lost = __atomic_exchange_n(&drain->consumers.lost, 0, __ATOMIC_RELAXED);

	if (lost)
		ct_events_loss(lost, 0,
			       drain->phase == CT_DRAIN_DEAD && !drain->consumers.aborted
				   ? "a kernel failed before its records were complete"
			       : drain->consumers.stalls ? CT_DISK_STALLED
							 : CT_NOT_STORED);
}

void ct_drain_close(struct ct_drain *drain, bool release)
{
	ct_watchdog_remove(&drain->consumers);
	if (drain->consumers.running)
		__atomic_store_n(ct_drain_memory_abort(drain), 1, __ATOMIC_RELEASE);
	ct_consumers_stop(&drain->consumers, drain->phase == CT_DRAIN_DEAD, 0);
	tell_refused(drain);
	if (drain->phase == CT_DRAIN_READY)
		ct_stored_all(drain);
	ct_behind_forget(drain, release);
	extension->close(drain, release);
	if (release) {
		ct_drain_memory_free(drain);
		__real_cudaStreamDestroy(drain->stream);
	}
	drain->waits_reported = 0;
	drain->stored_launch = drain->reported_launch = 0;
	drain->device_memory = NULL;
	drain->pinned = NULL;
	drain->stream = NULL;
	drain->has_graphs = false;
	drain->phase = CT_DRAIN_UNUSED;
}

/* Chunks that producers gave up: counted on the device, by launch, and reported once. */
static int tell_dropped(struct ct_drain *drain)
{
	const char *reason = drain->context.mode & CT_CONTEXT_DROP ? CT_RING_WAS_FULL
			     : drain->consumers.stalls             ? CT_DISK_STALLED
								   : CT_NOT_STORED;
	uint64_t losses[CT_LOSSES_WORDS] = {0};
	int err = ct_drain_memory_losses(drain, losses);

	for (uint32_t i = 0; i < CT_LOSSES; i++)
		if ((uint32_t)losses[i])
			ct_events_loss((uint32_t)losses[i], (uint32_t)(losses[i] >> 32), reason);
	if (losses[CT_LOSSES])
		ct_events_loss_among(losses[CT_LOSSES], CT_LOSSES_FIRST(losses),
				     (uint32_t)losses[CT_LOSSES + 2], reason);
	return err;
}

/* A consumer that had stalled takes chunks again. */
static bool is_back(const struct ct_drain *drain)
{
	const struct ct_consumers *consumers = &drain->consumers;

	return drain->phase == CT_DRAIN_READY &&
	       __atomic_load_n(&consumers->aborted, __ATOMIC_ACQUIRE) &&
	       ct_consumers_lowest(consumers) != consumers->aborted_at;
}

static void restart(struct ct_drain *drain)
{
	if (drain->consumers.abandoned || start_consumers(drain) < 0)
		drain->phase = CT_DRAIN_DEAD;
	else
		watch(drain);
}

/* Kernels have ended, so every ticket has been shipped or given up, and new ones can be as if
 * nothing had been. */
static void resume(struct ct_drain *drain)
{
	uint64_t head, waits;

	if (ct_flush_wait(drain) < 0 || ct_drain_memory_counters(drain, &head, &waits) < 0 ||
	    tell_dropped(drain) < 0)
		return;
	ct_watchdog_remove(&drain->consumers);
	ct_consumers_stop(&drain->consumers, true, head);
	tell_refused(drain);
	if (!drain->consumers.abandoned) {
		__atomic_store_n(&drain->consumers.aborted, 0, __ATOMIC_RELEASE);
		if (ct_drain_memory_resume(drain, drain->consumers.next) < 0)
			drain->consumers.abandoned = true;
	}
	restart(drain);
}

/* Something that was announced does not come, or nothing takes it: go on without it. */
static void give_up(struct ct_drain *drain, uint64_t head)
{
	if (is_back(drain)) {
		resume(drain);
		return;
	}
	ct_watchdog_remove(&drain->consumers);
	ct_consumers_stop(&drain->consumers, true, head);
	if (drain->consumers.aborted) {
		drain->phase = CT_DRAIN_DEAD;
		return;
	}
	ct_say(
	    "device %d: records that were announced did not come within %.1f s (--patience); they "
	    "are lost",
	    drain->device->ordinal, (double)drain->consumers.patience_ns / 1e9);
	restart(drain);
}

void ct_drain_go_on(struct ct_drain *drain, uint64_t coming)
{
	if (!is_back(drain))
		return;
	ct_behind_ask(drain);
	if (ct_pending_ended() + coming == ct_session_totals.launches)
		resume(drain);
}

void ct_drain_look(struct ct_drain *drain)
{
	uint64_t now;

	ct_drain_go_on(drain, 0);
	if (drain->phase != CT_DRAIN_READY || !drain->unflushed_launches)
		return;
	now = ct_clock_monotonic_ns();
	if (now - drain->flushed_ns < FLUSH_EVERY_NS)
		return;
	drain->flushed_ns = now;
	extension->read(drain);
	if (ct_flush_start(drain) == 0)
		ct_stored_mark(drain);
}

static bool all_taken(struct ct_drain *drain, uint64_t head)
{
	struct ct_consumers *consumers = &drain->consumers;

	return ct_consumers_wait(consumers, head,
				 consumers->patience_ns ? consumers->patience_ns : UINT64_MAX) &&
	       !__atomic_load_n(&consumers->aborted, __ATOMIC_ACQUIRE);
}

void ct_drain_empty(struct ct_drain *drain)
{
	uint64_t head, waits;

	if (drain->phase != CT_DRAIN_READY)
		return;
	if (ct_flush_wait(drain) < 0 || ct_drain_memory_counters(drain, &head, &waits) < 0 ||
	    tell_dropped(drain) < 0 || extension->finish(drain) < 0) {
		ct_drain_abandon(drain, CT_KERNEL_FAILED);
		return;
	}
	ct_session_count(&ct_session_totals.ring_waits, waits - drain->waits_reported);
	drain->waits_reported = waits;
	if (!all_taken(drain, head))
		give_up(drain, head);
	tell_refused(drain);
}

void ct_drain_abandon(struct ct_drain *drain, const char *reason)
{
	if (drain->phase != CT_DRAIN_READY)
		return;
	drain->phase = CT_DRAIN_DEAD;
	__atomic_store_n(ct_drain_memory_abort(drain), 1, __ATOMIC_RELEASE);
	ct_watchdog_remove(&drain->consumers);
	ct_consumers_stop(&drain->consumers, true, 0);
	tell_refused(drain);
	ct_events_loss(UINT64_MAX, 0, reason);
}

static uint64_t first_waiting(const struct ct_context *context)
{
	const uint64_t *progress = (const uint64_t *)(uintptr_t)context->progress;
	const uint64_t *flags = (const uint64_t *)(uintptr_t)context->flags;
	uint64_t tail = UINT64_MAX, first = UINT64_MAX;

	for (uint32_t i = 0; i < context->consumers; i++) {
		uint64_t taken =
		    __atomic_load_n(&progress[i * CT_PROGRESS_STRIDE], __ATOMIC_ACQUIRE);

		if (taken < tail)
			tail = taken;
	}
	for (uint64_t ticket = tail; tail != UINT64_MAX && ticket <= tail + context->ring_mask;
	     ticket++) {
		uint64_t at = ticket & context->ring_mask;
		uint64_t flag = __atomic_load_n(&flags[at], __ATOMIC_ACQUIRE);
		const uint64_t *chunk =
		    (const uint64_t *)(uintptr_t)(context->ring + at * CT_CHUNK_BYTES);

		if (CT_FLAG_TAG(flag) == CT_FLAG_TAG(CT_FLAG(ticket, 0)) &&
		    (uint32_t)*chunk < first)
			first = (uint32_t)*chunk;
	}
	return first;
}

uint64_t ct_drain_first_waiting(void)
{
	uint64_t first = UINT64_MAX;

	for (int i = 0; i < CT_DEVICES_MAX; i++) {
		struct ct_device *device = ct_device_at(i);
		const struct ct_drain *drain = device ? ct_drain_of(device) : NULL;
		uint64_t here = drain && drain->phase == CT_DRAIN_READY
				    ? first_waiting(&drain->context)
				    : UINT64_MAX;

		if (here < first)
			first = here;
	}
	return first;
}
