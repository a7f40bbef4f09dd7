/* SPDX-License-Identifier: Apache-2.0 */
/* Tier counts: what lives where when a kernel is launched, and where its sectors have their bits.
 */
#ifndef CT_HOST_RT_COUNTS_OBJECTS_H
#define CT_HOST_RT_COUNTS_OBJECTS_H

#include <cudatrace/counts.h>
#include <stdbool.h>
#include <stdint.h>

/* Does not change once made; freed with its last reference. */
struct ct_counts_snapshot {
	uint64_t version;
	uint32_t references;
	uint32_t count;
	uint32_t shared;    /* as in struct ct_counts_area */
	uint64_t bit_words; /* of each map; 0: too many objects */
	struct ct_counts_object object[];
};

/* Returns the objects of now, referenced; NULL without memory. Session's lock held. */
struct ct_counts_snapshot *ct_counts_snapshot_now(void);
void ct_counts_snapshot_drop(
    struct ct_counts_snapshot *snapshot); /* NULL is allowed; session's lock held */

/* Sort, leave out what newer objects lie on, give each its bits. object: all that live. */
void ct_counts_snapshot_lay_out(struct ct_counts_snapshot *snapshot);

#endif
