/* SPDX-License-Identifier: Apache-2.0 */
/* The device's counting (device-rt/count.cuh), run on the host by a warp of fibers. */
#ifndef CT_TEST_DEVICE_COUNT_H
#define CT_TEST_DEVICE_COUNT_H

#include <cudatrace/counts.h>
#include <cudatrace/record.h>

#ifdef __cplusplus
extern "C" {
#endif

struct count_case {
	struct ct_counts_area *area;
	uint32_t unit; /* of the kernel, in the area's units */
	uint64_t site;
	uint32_t mask;
	uint32_t is_event;
	uint32_t is_range;   /* bytes may differ from lane to lane */
	uint64_t iterations; /* 0: not a loop; else by all lanes, no event or range, a site without
				tag */
	uint64_t step;
	uint64_t fan, drift; /* how much larger the step of each lane is; of each member */
	uint32_t members;    /* of a group or loop, besides the first; no event or range, a site
				without tag */
	uint64_t distance[CT_GROUP_MEMBERS - 1];
	uint64_t address[CT_WARP_LANES], bytes[CT_WARP_LANES];
};

void device_count(const struct count_case *which);

/* Tier blocks (device-rt/blocks.cuh): what the lanes of mask, each running the block so many times,
 * add to struct ct_counts_site[] at counters. */
enum block_way { BLOCK_ONCE, BLOCK_TIMES, BLOCK_STEPS };
struct block_case {
	uint64_t counters;
	uint32_t site;
	uint32_t mask;
	uint32_t way;
	uint64_t others;               /* of BLOCK_ONCE, as of __ct_block */
	uint64_t times[CT_WARP_LANES]; /* of BLOCK_TIMES, _STEPS */
	uint64_t scale; /* of BLOCK_STEPS: all of that so often, which a sum can hold */
};

void device_block(const struct block_case *which);

#ifdef __cplusplus
}
#endif

#endif
