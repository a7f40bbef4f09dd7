/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The consumers of one device's ring (protocol: ring.h): threads that hand its
 * chunks to a sink, each with a stream of its own. They make no CUDA call.
 *
 * A chunk is taken out of the ring, and the room it had given back, before what
 * was taken is coded or written: producers wait for neither while other
 * consumers keep up. They never stop taking chunks while producers may run: what
 * the sink does not want is counted as lost, so that kernels do not wait.
 */
#ifndef CT_HOST_RT_DRAIN_CONSUMERS_H
#define CT_HOST_RT_DRAIN_CONSUMERS_H

#include "host-rt/drain/ring.h"

/* next, lost: where to begin. Sets progress. 0 or a negative error. */
int ct_consumers_start(struct ct_consumers *consumers);

/* Every ticket below head has been taken and written, or is counted as lost. From their threads
 * or while they run. */
bool ct_consumers_have_written(const struct ct_consumers *consumers, uint64_t head);

/* Chunks below head are to be written as soon as they are taken. Running; any thread. */
void ct_consumers_want(struct ct_consumers *consumers, uint64_t head);

/* Chunks will come soon: a consumer that sleeps for long wakes up. Running; any thread. */
void ct_consumers_expect(struct ct_consumers *consumers);

/* Wait until every ticket below head has been taken. Only when all of them are
 * shipped, or never will be. False: nothing has moved for patience_ns. */
bool ct_consumers_wait(struct ct_consumers *consumers, uint64_t head, uint64_t patience_ns);

/* Join the threads; then take what is still ready, and write it. With salvage,
 * producers died and tickets may be missing between those that arrived, and up to
 * head: these are counted as lost, unless aborted. A thread that does not end
 * within the patience is abandoned, and what is not written is lost. Harmless if
 * not running. */
void ct_consumers_stop(struct ct_consumers *consumers, bool salvage, uint64_t head);

#endif
