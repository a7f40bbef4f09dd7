/* SPDX-License-Identifier: Apache-2.0 */
/* A ring, consumers, and threads as producers that follow ring.h: what arrives is checked. */
#ifndef CT_TEST_RING_BENCH_H
#define CT_TEST_RING_BENCH_H

#include "host-rt/drain/consumers.h"
#include <stdbool.h>

#define BENCH_PRODUCERS 8u

struct bench_stream; /* of one consumer */
struct ct_writer;

struct bench {
	struct ct_consumers consumers;
	uint64_t head;
	uint64_t chunks_each;     /* that each producer ships */
	uint64_t fail_after;      /* chunks taken; 0: never */
	uint64_t lose_writes;     /* every so many writes lose what was taken before; 0: none */
	uint32_t slow_us;         /* each chunk takes so long */
	struct ct_writer *writer; /* where chunks go as well; may be NULL */
	/* what arrived; atomic */
	uint64_t taken, written, damaged, disordered, lost_in_writes;
	unsigned char *seen; /* by ticket from the first one */
	uint64_t first_ticket;
	/* the bench's own */
	char *ring;
	uint64_t *flags;
	uint64_t *progress;
	uint64_t writes;
};

struct bench *bench_open(uint32_t ring_chunks, uint32_t consumers, uint64_t first_ticket,
			 uint64_t chunks_each);
void bench_close(struct bench *bench);

/* Ship one chunk. */
void bench_ship(struct bench *bench, uint64_t producer, uint64_t number);
/* All producers, to their end. */
void bench_produce(struct bench *bench);
/* Start the consumers, produce, wait, stop. False: the consumers did not start or come to the end.
 */
bool bench_run(struct bench *bench);
/* Every ticket was taken once, in order within its consumer, undamaged and written. */
bool bench_is_lossless(const struct bench *bench);

#endif
