/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps what was touched of a block of 512 bytes (engine.h): words of four bytes, and single
 * ones. */
#ifndef CT_POSTPROC_ANALYSIS_ACCESS_TOUCHED_H
#define CT_POSTPROC_ANALYSIS_ACCESS_TOUCHED_H

#include "postproc/analysis/access/engine.h"

struct ct_access_touched {
	uint64_t words[2];
	bool has_bytes; /* else they are 0, and not looked at */
	uint64_t bytes[2 * CT_ACCESS_QUARTERS];
};

/* Distinct ones. */
struct ct_access_touched_sums {
	uint64_t bytes, sectors;
	uint64_t lines[2]; /* of 64; of 128 bytes */
};

void ct_access_touched_add(struct ct_access_touched *touched, const struct ct_access_entry *entry);
void ct_access_touched_join(struct ct_access_touched *to, const struct ct_access_touched *from);
void ct_access_touched_clear(struct ct_access_touched *touched);
struct ct_access_touched_sums ct_access_touched_sums(const struct ct_access_touched *touched);

#endif
