/* SPDX-License-Identifier: Apache-2.0 */
/* Entries on their way to a shuffle: those of one key that come soon after one another are joined
 * before they go there. Of one thread. */
#ifndef CT_ACCESS_HELD_H
#define CT_ACCESS_HELD_H

#include "postproc/analysis/access/engine.h"

#define CT_ACCESS_KINDS 1024u /* of entries; further ones share a number */

struct ct_access_held;

/* join: brings the values of an entry to those of another with its key. */
int ct_access_held_open(struct ct_access_held **out, struct ct_shuffle *shuffle, uint32_t writer,
			void (*join)(uint64_t to[2], const uint64_t from[2]));
void ct_access_held_close(struct ct_access_held *held); /* NULL is allowed */
/* kind: of sites, say; where entries of a kind rarely meet others, they are not held.
 * Entries with the same first word of their keys, and of atomics the same second one, go to one
 * partition. 0, or an error of the shuffle. */
int ct_access_held_add(struct ct_access_held *held, const struct ct_access_entry *entry,
		       uint32_t partition, uint32_t kind);
/* Passes on what is held. */
int ct_access_held_finish(struct ct_access_held *held);

/* Bits of either; sums of the first words and the least of the second ones. */
void ct_access_join_bytes(uint64_t to[2], const uint64_t from[2]);
void ct_access_join_lanes(uint64_t to[2], const uint64_t from[2]);

#endif
