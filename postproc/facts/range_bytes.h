/* SPDX-License-Identifier: Apache-2.0 */
/* Joins what the ranges of one access moved, lane by lane, put together from its pieces. */
#ifndef CT_POSTPROC_FACTS_RANGE_BYTES_H
#define CT_POSTPROC_FACTS_RANGE_BYTES_H

#include "trace/read/reader.h"

/* Zero is empty. Room is kept when it is cleared. */
struct ct_range_bytes {
	uint32_t mask; /* lanes of which there is something */
	uint64_t count[CT_WARP_LANES];
	uint64_t room[CT_WARP_LANES];
	uint8_t *data[CT_WARP_LANES];
};

void ct_range_bytes_clear(struct ct_range_bytes *bytes);
void ct_range_bytes_fini(struct ct_range_bytes *bytes);

/* A value of part CT_PART_CONTENT. What would leave a gap is left out, with all behind it. -ENOMEM.
 */
int ct_range_bytes_add(struct ct_range_bytes *bytes, const struct ct_value *value);

#endif
