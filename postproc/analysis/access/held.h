/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics on their way to their shuffle (engine.h): lanes of one launch, site and address are
 * counted in pages before they go there, when these run out, and at the end. Of one thread. */
#ifndef CT_POSTPROC_ANALYSIS_ACCESS_HELD_H
#define CT_POSTPROC_ANALYSIS_ACCESS_HELD_H

#include "postproc/analysis/access/engine.h"
#include "postproc/analysis/access/sorted.h"

struct ct_access_held;

/* page_bytes: for pages; some hundred KiB they take in any case. */
int ct_access_held_open(struct ct_access_held **out, struct ct_shuffle *atomics, uint32_t writer,
			uint64_t page_bytes);
void ct_access_held_close(struct ct_access_held *held); /* NULL is allowed */
/* Where lanes of a request meet; sites of which addresses rarely come again are not counted. 0,
 * -ENOMEM, or an error of the shuffle. */
int ct_access_held_add(struct ct_access_held *held, const struct ct_access_meeting *meeting,
		       uint32_t count, uint32_t launch, uint32_t site);
/* Passes on what is held. */
int ct_access_held_finish(struct ct_access_held *held);

/* Values of entries with one key: sums of the first words and the least of the second ones. */
static inline void ct_access_join_lanes(uint64_t to[2], const uint64_t from[2])
{
	to[0] += from[0];
	to[1] = from[1] < to[1] ? from[1] : to[1];
}

#endif
