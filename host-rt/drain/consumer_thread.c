/* SPDX-License-Identifier: Apache-2.0 */
/* How a consumer waits. */
#include "host-rt/drain/consumer_thread.h"
#include <linux/futex.h>
#include <sched.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define TURN_PARK_NS 100000u
/* When nothing has come for a tenth of a second; launches end it (ct_consumers_expect). */
#define LONG_PARK_NS 5000000u
#define PARKS_BEFORE_LONG 1000u

uint64_t ct_consumer_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void ct_consumer_spin(void)
{
	for (int i = 0; i < 40; i++)
#if defined(__x86_64__)
		__builtin_ia32_pause();
#else
		__asm__ volatile("" ::: "memory");
#endif
}

void ct_consumer_look_away(uint64_t looks)
{
	ct_consumer_spin();
	if (looks >= CT_CONSUMER_LOOKS)
		sched_yield();
}

void ct_consumer_pause(uint64_t looks)
{
	const struct timespec pause = {.tv_nsec = TURN_PARK_NS / 4};

	if (looks < CT_CONSUMER_LOOKS)
		ct_consumer_spin();
	else
		nanosleep(&pause, NULL);
}

/* The store of asleep and the load of kicks here, and those in ct_consumer_kick,
 * are in one order: either the kick sees the sleeper, or the sleeper the kick. */
uint32_t ct_consumer_park_begin(struct ct_consumer_park *park)
{
	__atomic_store_n(&park->asleep, 1, __ATOMIC_SEQ_CST);
	return __atomic_load_n(&park->kicks, __ATOMIC_SEQ_CST);
}

void ct_consumer_park(struct ct_consumer_park *park, uint32_t begun, bool has_turn,
		      uint32_t *drowsy)
{
	struct timespec most = {.tv_nsec = TURN_PARK_NS};
	bool is_long = has_turn && park->parks++ > PARKS_BEFORE_LONG;

	if (!has_turn)
		most.tv_nsec = CT_CONSUMER_IDLE_NS;
	else if (is_long)
		most.tv_nsec = LONG_PARK_NS;
	if (is_long)
		__atomic_store_n(drowsy, 1, __ATOMIC_RELAXED);
	if (syscall(SYS_futex, &park->kicks, FUTEX_WAIT_PRIVATE, begun, &most, NULL, 0) == 0)
		park->parks = 0;
	if (is_long)
		__atomic_store_n(drowsy, 0, __ATOMIC_RELAXED);
}

void ct_consumer_park_end(struct ct_consumer_park *park)
{
	__atomic_store_n(&park->asleep, 0, __ATOMIC_RELAXED);
}

void ct_consumer_kick(struct ct_consumer_park *park)
{
	__atomic_add_fetch(&park->kicks, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&park->asleep, __ATOMIC_SEQ_CST))
		syscall(SYS_futex, &park->kicks, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}
