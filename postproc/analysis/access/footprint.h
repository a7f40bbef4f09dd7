/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes that the launches' sites touched, each once: bits in a table of blocks, as many as there is
 * memory for, from which the shuffle of pieces (engine.h) has them when the table is full, and at
 * the end. So what is touched again and again goes through the shuffle once; the table stays in the
 * cache where nothing comes back, and is left out where nothing meets in it. Of one thread.
 */
#ifndef CT_ACCESS_FOOTPRINT_H
#define CT_ACCESS_FOOTPRINT_H

#include "postproc/analysis/access/engine.h"
#include "postproc/analysis/access/request.h"

#define CT_ACCESS_TABLE_LEAST ((uint64_t)512 << 10)

struct ct_access_footprint;

/* table_bytes: for the table, at most and at least CT_ACCESS_TABLE_LEAST. */
int ct_access_footprint_open(struct ct_access_footprint **out, struct ct_shuffle *pieces,
			     uint32_t writer, uint64_t table_bytes);
void ct_access_footprint_close(struct ct_access_footprint *footprint); /* NULL is allowed */
/* Extents of a request. 0, -ENOMEM, or an error of the shuffle. */
int ct_access_footprint_add(struct ct_access_footprint *footprint,
			    const struct ct_access_request *request, uint32_t launch,
			    uint32_t group, uint32_t site);
/* Passes on what the table holds. */
int ct_access_footprint_finish(struct ct_access_footprint *footprint);

#endif
