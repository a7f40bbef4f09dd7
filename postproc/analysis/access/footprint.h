/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes that the launches' sites touched, each once: bits in pages, from which the shuffle of
 * pieces (engine.h) has them when pages run out, and at the end. So what is touched again and again
 * goes through the shuffle once. A bit is a word of four bytes where a request touches whole ones,
 * as nearly all do, else a byte. Of one thread.
 */
#ifndef CT_POSTPROC_ANALYSIS_ACCESS_FOOTPRINT_H
#define CT_POSTPROC_ANALYSIS_ACCESS_FOOTPRINT_H

#include "postproc/analysis/access/engine.h"
#include "postproc/analysis/access/request.h"

struct ct_access_footprint;

/* page_bytes: for pages; some 1.4 MiB of it all take in any case. */
int ct_access_footprint_open(struct ct_access_footprint **out, struct ct_shuffle *pieces,
			     uint32_t writer, uint64_t page_bytes);
void ct_access_footprint_close(struct ct_access_footprint *footprint); /* NULL is allowed */
/* Extents of a request. 0, -ENOMEM, or an error of the shuffle. */
int ct_access_footprint_add(struct ct_access_footprint *footprint,
			    const struct ct_access_request *request, uint32_t launch,
			    uint32_t group, uint32_t site);
/* Passes on what pages hold. */
int ct_access_footprint_finish(struct ct_access_footprint *footprint);

#endif
