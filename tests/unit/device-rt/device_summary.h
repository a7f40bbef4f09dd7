/* SPDX-License-Identifier: Apache-2.0 */
/* The device's summaries of values (device-rt/summary.cuh), made on the host by a warp of fibers.
 */
#ifndef CT_TEST_DEVICE_SUMMARY_H
#define CT_TEST_DEVICE_SUMMARY_H

#include <cudatrace/counts.h>
#include <cudatrace/record.h>
#include <cudatrace/summary.h>

#ifdef __cplusplus
extern "C" {
#endif

/* By which code, where the value is a single element: that of all tiers, that of a body for one
 * tier, that of groups in it. */
enum summary_way { SUMMARY_ANY, SUMMARY_INLINE, SUMMARY_GROUP };

#define SUMMARY_MEMBERS 3u

/* A value of each lane of mask, as __ct_value reports it; of a group, those of its members, by
 * sites from this one on. */
struct summary_case {
	struct ct_counts_area *area;
	uint32_t unit; /* of the kernel, in the area's units */
	uint64_t site;
	uint32_t mask, element, bytes;
	enum summary_way way;
	uint64_t low[CT_WARP_LANES], high[CT_WARP_LANES], address[CT_WARP_LANES];
	uint64_t member[SUMMARY_MEMBERS][CT_WARP_LANES], distance[SUMMARY_MEMBERS];
};

void device_summary(const struct summary_case *which);

#ifdef __cplusplus
}
#endif

#endif
