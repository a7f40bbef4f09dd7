/* SPDX-License-Identifier: Apache-2.0 */
/* Ship chunks from a CPU worker through the ring of ring.h. */
#ifndef CT_CPU_TARGET_RUNTIME_PRODUCER_RING_H
#define CT_CPU_TARGET_RUNTIME_PRODUCER_RING_H

#include <cudatrace/ring.h>

/* Hands bytes (a multiple of 8, 1..CT_CHUNK_BYTES) to the consumers; waits
 * while the ring is full, or drops the chunk (CT_CONTEXT_DROP). Returns 0; -EPIPE
 * if the host gave up, -EAGAIN if the ring was full: the chunk was counted as lost
 * of the launch. Any thread. */
int ct_producer_ship(const struct ct_context *context, uint32_t launch, const void *chunk,
		     uint32_t bytes);

/* Counts one lost chunk of the launch. */
void ct_producer_count_loss(const struct ct_context *context, uint32_t launch);

#endif
