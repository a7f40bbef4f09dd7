/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over the requests of a site: what all of them took, and which patterns they had. */
#ifndef CT_POSTPROC_ANALYSIS_ACCESS_FIGURES_H
#define CT_POSTPROC_ANALYSIS_ACCESS_FIGURES_H

#include "postproc/analysis/access/request.h"

#include <stdbool.h>

/* Requests by how many sectors they take: 1, 2, 3-4, 5-8, 9-16, 17-32, more. */
#define CT_ACCESS_SPREADS 7u

/* Counts the requests with a pattern that has figures; both 0 without such requests. */
struct ct_access_span {
	int64_t least, most;
};

/* Sums of whole numbers, least and greatest: the order of requests does not matter. */
struct ct_access_figures {
	uint64_t requests, lanes;             /* lanes: of all requests together */
	uint64_t asked, used;                 /* bytes, as of a request */
	uint64_t sectors, ideal;              /* of global memory */
	uint64_t pattern[CT_ACCESS_PATTERNS]; /* requests */
	uint64_t spread[CT_ACCESS_SPREADS];   /* requests */
	struct ct_access_span misaligned, stride, row;
	/* Describes STRIDED requests in known objects: the first lane's place in the object
	 * modulo the stride, and how many there are. */
	struct ct_access_span member;
	uint64_t members;
	/* Atomics: lanes at the address of most lanes, summed, and the most. */
	uint64_t contended, most_contended;
	/* Shared memory, loads and stores (docs/shared-memory.md): requests that are counted, words
	 * in the bank of most, wavefronts, and those without conflicts. */
	uint64_t banked, ways, wavefronts, ideal_wavefronts;
};

/* A request; is_global: that sectors count of. */
void ct_access_figures_count(struct ct_access_figures *figures,
			     const struct ct_access_request *request, bool is_global);
/* The place of a STRIDED request in its object. */
void ct_access_figures_place(struct ct_access_figures *figures, uint64_t offset, int64_t stride);
void ct_access_figures_add(struct ct_access_figures *to, const struct ct_access_figures *from);

#endif
