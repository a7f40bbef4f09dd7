/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tier counts: which area a launch counts in, what stands around it in its
 * stream, and the COUNT and TOUCHED events that come of it.
 *
 *   take    with the decision: an area that no other launch uses meanwhile
 *   begin   the area's objects are those of now
 *           (the launch)
 *   end     the area is reduced; or the launch failed
 *   (read)  now and then, and when everything is done: entries become events
 *
 * One area per stream, as its launches follow one another; an area whose
 * launches are all read serves any stream. Kernel nodes of executable graphs keep theirs.
 */
#ifndef CT_HOST_RT_COUNTS_COUNTS_H
#define CT_HOST_RT_COUNTS_COUNTS_H

#include "host-rt/drain/drain.h"
#include <stdbool.h>

struct ct_counts_slot;

/* One launch uses this, of tier counts or blocks; all zero: of another tier. */
struct ct_counts_use {
	struct ct_counts_slot *slot;
	uint32_t unit;
	/* Fields of struct ct_launch. */
	uint32_t flags;
	uint64_t counters, row_bytes;
};

/* A device has this for counts, beside the producers' memory: for sessions of this tier. */
extern const struct ct_drain_extension ct_counts_extension;

/* An area for a kernel of this unit. stream: its id, or what else its launches follow one another
 * in; keep: nothing else gets it. Session's lock held, quiet section, device current, its drain
 * ready. NULL, or why there is none. */
const char *ct_counts_take(struct ct_drain *drain, uint64_t stream, bool keep, uint64_t unit_id,
			   uint32_t unit_arch, struct ct_counts_use *use);

/* Around the launch; without the session's lock, device current. Between them the area is the
 * thread's. launched: the launch was accepted. */
void ct_counts_begin(const struct ct_counts_use *use, cudaStream_t stream);
void ct_counts_end(const struct ct_counts_use *use, cudaStream_t stream, uint32_t launch,
		   bool launched);

#endif
