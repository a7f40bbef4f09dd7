/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a consumer waits: busy first, since chunks come in bursts, then asleep,
 * since the program needs the core. Producers wake nothing, so the consumer
 * whose chunk comes next looks for it now and then; the others sleep until
 * the one before them wakes them.
 */
#ifndef CT_HOST_RT_DRAIN_CONSUMER_THREAD_H
#define CT_HOST_RT_DRAIN_CONSUMER_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#define CT_CONSUMER_LOOKS 100u /* about a microsecond each, before it parks */
/* One consumer of several, whose turn comes again after theirs, looks so often: to wake it takes
 * longer, in a virtual machine ten times, than to write a run. */
#define CT_CONSUMER_LOOKS_AMONG_OTHERS 3000u
#define CT_CONSUMER_IDLE_NS 100000000ull /* what was taken is written after this time */
#define CT_CONSUMER_SOON_NS 20000000ull  /* ... or this, where waits may not spend more */

struct ct_consumer_park {
	uint32_t kicks;  /* atomic; futex */
	uint32_t asleep; /* atomic */
	uint32_t parks;  /* in a row that is not ended */
};

uint64_t ct_consumer_now_ns(void);
void ct_consumer_spin(void); /* about a microsecond */
/* Between two looks; after the first of them others may have the core. */
void ct_consumer_look_away(uint64_t looks);

/* In the thread that parks: begin; look whether there is a reason to stay awake;
 * sleep, if not, until a kick that came after the begin; end. drowsy is set
 * while a park is a long one. */
uint32_t ct_consumer_park_begin(struct ct_consumer_park *park);
void ct_consumer_park(struct ct_consumer_park *park, uint32_t begun, bool has_turn,
		      uint32_t *drowsy);
void ct_consumer_park_end(struct ct_consumer_park *park);

/* From another thread: a park ends, one that was begun does not come to sleep. */
void ct_consumer_kick(struct ct_consumer_park *park);

/* A thread that waits for consumers calls this after so many looks. */
void ct_consumer_pause(uint64_t looks);

#endif
