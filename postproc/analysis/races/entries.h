/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts what a warp accesses into blocks for the shuffle, with its values where the trace has
 * them: these come after the access, which is held until then. Of one thread. */
#ifndef CT_POSTPROC_ANALYSIS_RACES_ENTRIES_H
#define CT_POSTPROC_ANALYSIS_RACES_ENTRIES_H

#include "postproc/analysis/races/block.h"
#include "postproc/shuffle/shuffle.h"

#define CT_RACES_PARTITIONS 256u

struct ct_races_entries;

/* has_values: entries are whole; else the shuffle's end where values begin. 0 or -ENOMEM */
int ct_races_entries_open(struct ct_races_entries **out, struct ct_shuffle *shuffle,
			  uint32_t writer, bool has_values);
void ct_races_entries_close(struct ct_races_entries *entries); /* NULL is allowed */

/* Passes on what is held, and holds this, if it is not NULL: of some lanes, as `like` but for
 * blocks, bytes and values. 0 or an error of the shuffle. */
int ct_races_entries_next(struct ct_races_entries *entries, const struct ct_access *access,
			  uint32_t lanes, const struct ct_races_entry *like);
/* A value of what is held, or of an access that was not. */
void ct_races_entries_value(struct ct_races_entries *entries, const struct ct_value *value);

static inline size_t ct_races_entry_bytes(bool has_values)
{
	return has_values ? sizeof(struct ct_races_entry) : offsetof(struct ct_races_entry, value);
}

#endif
