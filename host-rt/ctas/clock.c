/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CLOCK events: the device's clock beside the host's. A kernel of one thread answers rounds: the
 * host raises `asked`, the kernel stores its time and then `answered`; the host's time is between
 * the two, in the shortest round most closely. On the CPU target both are one clock.
 */
#include "host-rt/calls/symbols.h"
#include "host-rt/ctas/state.h"
#include "host-rt/events/events.h"
#include "host-rt/events/session.h"
#include <stdlib.h>
#include <time.h>

#define ROUNDS 32u
/* A device that is busy for longer is not waited for: it has no event then. */
#define PATIENCE_NS 20000000u

/* In pinned memory; device-rt/kernels.cu has the other side. */
struct talk {
	uint64_t asked; /* round, from 1; ~0: no more */
	uint64_t reserved[15];
	uint64_t answered;
	uint64_t device_ns;
};

/* Absent from the CPU target's archive. */
extern const void *__ct_clock_kernel(void) __attribute__((weak));

static struct talk *talks[CT_DEVICES_MAX];
static uint64_t reported_ns[CT_DEVICES_MAX]; /* by CLOCK_MONOTONIC */

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* False when the deadline, on CLOCK_MONOTONIC, is past. */
static bool ask(struct talk *talk, uint64_t round, uint64_t deadline_ns,
		struct ct_event_clock *best)
{
	uint64_t begin = now_ns(CLOCK_REALTIME), end, half;

	__atomic_store_n(&talk->asked, round, __ATOMIC_RELEASE);
	while (__atomic_load_n(&talk->answered, __ATOMIC_ACQUIRE) != round)
		if (now_ns(CLOCK_MONOTONIC) > deadline_ns)
			return false;
	end = now_ns(CLOCK_REALTIME);
	half = end > begin ? (end - begin) / 2 + 1 : 1;
	if (half < best->error_ns) {
		best->error_ns = half;
		best->host_ns = begin + (end - begin) / 2;
		best->device_ns = talk->device_ns;
	}
	return true;
}

static bool measure(struct ct_drain *drain, struct talk *talk, struct ct_event_clock *event)
{
	uint64_t deadline_ns = now_ns(CLOCK_MONOTONIC) + PATIENCE_NS, round = 1;
	uint32_t rounds = ROUNDS;
	void *arguments[] = {&talk, &rounds};
	dim3 one = {1, 1, 1};

	*talk = (struct talk){0};
	event->error_ns = UINT64_MAX;
	if (__real_cudaLaunchKernel(__ct_clock_kernel(), one, one, arguments, 0, drain->stream) !=
	    cudaSuccess)
		return false;
	while (round <= rounds && ask(talk, round, deadline_ns, event))
		round++;
	__atomic_store_n(&talk->asked, UINT64_MAX, __ATOMIC_RELEASE);
	return event->error_ns != UINT64_MAX;
}

static bool ask_device(struct ct_drain *drain, struct ct_event_clock *event)
{
	struct talk **talk = &talks[drain->device->ordinal];
	struct cudaFuncAttributes attributes;

	/* The kernel is loaded before it is launched: that might wait for what runs. */
	if (!*talk && (cudaFuncGetAttributes(&attributes, __ct_clock_kernel()) != cudaSuccess ||
		       __real_cudaHostAlloc((void **)talk, sizeof(**talk), cudaHostAllocPortable) !=
			   cudaSuccess))
		return false;
	/* The last one may not have begun yet. */
	return __real_cudaStreamQuery(drain->stream) == cudaSuccess && measure(drain, *talk, event);
}

void ct_ctas_clock_tell(struct ct_drain *drain)
{
	struct ct_event_clock event = {.device = (uint32_t)drain->device->ordinal};
	uint64_t *reported = &reported_ns[event.device], now = now_ns(CLOCK_MONOTONIC);

	if (*reported && now - *reported < PATIENCE_NS)
		return; /* the clocks have not moved */
	if (__ct_clock_kernel) {
		if (!ask_device(drain, &event))
			return;
	} else {
		event.device_ns = event.host_ns = now_ns(CLOCK_REALTIME);
	}
	*reported = now;
	ct_events_write(ct_event_clock_header(&event));
}

void ct_ctas_clock_close(struct ct_drain *drain, bool release)
{
	struct talk **talk = &talks[drain->device->ordinal];

	if (release && *talk)
		__real_cudaFreeHost(*talk);
	*talk = NULL;
	reported_ns[drain->device->ordinal] = 0;
}
