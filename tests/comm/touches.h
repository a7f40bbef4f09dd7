/* SPDX-License-Identifier: Apache-2.0 */
/* Every access of every thread of a trace, in memory, in the order of supersteps. */
#ifndef CT_TEST_TOUCHES_H
#define CT_TEST_TOUCHES_H

#include "tests/comm/before.h"

struct touch {
	uint32_t superstep, cta, warp, sm;
	uint64_t record; /* lanes of one record have the same; ascends in a warp */
	uint64_t address, bytes;
	const struct ct_unit *unit;
	uint32_t site;
	bool reads, writes;
};

struct touches {
	struct touch *touch; /* by superstep, then record */
	size_t count, room;
	uint64_t records;
	const struct before *before;
};

/* Lost or damaged records are left out. A negative error of the scan. */
int touches_load(struct touches *touches, struct ct_trace *trace, const struct before *before);
void touches_fini(struct touches *touches);

#endif
