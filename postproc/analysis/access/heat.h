/* SPDX-License-Identifier: Apache-2.0 */
/* Which parts of objects accesses move most: sectors of requests by 64ths of an object, of all
 * objects of a group together. */
#ifndef CT_POSTPROC_ANALYSIS_ACCESS_HEAT_H
#define CT_POSTPROC_ANALYSIS_ACCESS_HEAT_H

#include "base/buffer.h"
#include "postproc/analysis/access/request.h"

#define CT_ACCESS_HEAT_BINS 64u

/* By group, of those that were accessed; else NULL. */
struct ct_access_heat {
	uint64_t **sectors;
	uint32_t groups;
};

/* 0 or -ENOMEM; ct_access_heat_fini frees in either case. */
int ct_access_heat_init(struct ct_access_heat *heat, uint32_t groups);
void ct_access_heat_fini(struct ct_access_heat *heat);

/* The extents of a request that is in one object, from begin, whose bytes times scale are bins. */
int ct_access_heat_add(struct ct_access_heat *heat, uint32_t group,
		       const struct ct_access_request *request, uint64_t begin, double scale);
int ct_access_heat_join(struct ct_access_heat *heat, const struct ct_access_heat *from);
/* As bytes for another process of the same trace, appended, and back. 0, -ENOMEM, -EPROTO. */
int ct_access_heat_pack(const struct ct_access_heat *heat, struct ct_buffer *bytes);
int ct_access_heat_unpack(struct ct_access_heat *heat, const void *bytes, size_t count);

/* Sectors of a group in all. */
uint64_t ct_access_heat_sum(const struct ct_access_heat *heat, uint32_t group);

#endif
