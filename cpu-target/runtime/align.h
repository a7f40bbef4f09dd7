/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Join the accesses that the lanes of a warp made one after another into the
 * warp-level accesses that a GPU would have made. Pure: queues in, groups out.
 *
 * Fibers run one lane at a time, so each lane has a queue of its accesses in
 * program order. The rule: look at the first access of every lane, take the
 * smallest site (sites are numbered in program order), join all lanes that are
 * at that site. A lane that can still run must have an access before anything
 * is taken, because it might come to an earlier site; a lane that waits at a
 * barrier or a warp operation, or has exited, holds nobody back.
 *
 * The smallest site alone would let a lane run through a loop on its own:
 *
 *	for (...)		lane 0:  3 5 | 3 5 | ...
 *		if (x[i])  // 3	lane 1:  3 7 | 3 7 | ...
 *			y[i];  // 5
 *		else
 *			z[i];  // 7
 *
 * After site 5 lane 0 is back at 3, lane 1 still at 7. So a group that came
 * back to its site lets those lanes go first that are about to come back to
 * the same site: they are one iteration behind.
 */
#ifndef CT_CPU_ALIGN_H
#define CT_CPU_ALIGN_H

#include <cudatrace/record.h>
#include <stdint.h>

#define CT_ALIGN_CAPACITY 128u /* accesses per lane; a power of two */

struct ct_align_access {
	uint64_t address;
	uint32_t site;
	uint32_t bytes;
};

struct ct_align_lane {
	uint32_t taken; /* accesses taken so far; position of the first queued one */
	uint32_t count; /* queued */
	uint32_t last;  /* site of the access taken last */
};

#define CT_ALIGN_EMPTY UINT32_MAX

struct ct_align_warp {
	uint32_t first[CT_WARP_LANES]; /* site of each lane's first access, or CT_ALIGN_EMPTY */
	struct ct_align_lane lane[CT_WARP_LANES];
	/* Padded by a cache line: rows must not start in the same cache set. */
	struct ct_align_access queue[CT_WARP_LANES][CT_ALIGN_CAPACITY + 4];
};

/* One warp-level access. address is defined for the lanes of mask. */
struct ct_align_group {
	uint32_t site;
	uint32_t bytes;
	uint32_t mask;
	uint64_t address[CT_WARP_LANES];
};

/* All queues empty. */
void ct_align_reset(struct ct_align_warp *warp);

/* Appends an access of a lane whose queue is not full. */
static inline void ct_align_push(struct ct_align_warp *warp, unsigned lane, uint32_t site,
				 uint32_t bytes, uint64_t address)
{
	struct ct_align_lane *l = &warp->lane[lane];
	uint32_t slot = (l->taken + l->count) & (CT_ALIGN_CAPACITY - 1);

	if (!l->count++)
		warp->first[lane] = site;
	warp->queue[lane][slot] = (struct ct_align_access){address, site, bytes};
}

static inline int ct_align_is_full(const struct ct_align_warp *warp, unsigned lane)
{
	return warp->lane[lane].count == CT_ALIGN_CAPACITY;
}

/* Takes the next group, given the mask of lanes that can still run. Returns 1,
 * or 0 if there is none or a running lane must go on first. If a running lane's
 * queue is full and no running lane's is empty, there is always a group or a
 * running lane with room that must go on. */
int ct_align_next(struct ct_align_warp *warp, uint32_t running, struct ct_align_group *group);

#endif
