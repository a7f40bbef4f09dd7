/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that was done to some addresses, in the order of supersteps (seed 001, B.3). */
#ifndef CT_POSTPROC_ANALYSIS_COMM_HISTORY_HISTORY_H
#define CT_POSTPROC_ANALYSIS_COMM_HISTORY_HISTORY_H

#include "postproc/analysis/comm/comm.h"

/* Where bytes that were read come from. */
enum ct_origin {
	CT_ORIGIN_NONE = 0,      /* a store, or nothing that was seen wrote them */
	CT_ORIGIN_CTA = 1,       /* a CTA in an earlier superstep */
	CT_ORIGIN_HOST = 2,      /* a copy or memset */
	CT_ORIGIN_OWN = 3,       /* the same warp in this superstep */
	CT_ORIGIN_UNORDERED = 4, /* a superstep that may run at the same time */
	CT_ORIGIN_MIXED = 5,     /* bytes of several origins; that of the first byte is reported */
};

/* A thread's access, or what a copy or memset did, cut to the range asked for. */
struct ct_history_entry {
	uint32_t superstep;
	uint32_t warp, sm, lane; /* of an access */
	uint64_t cta;
	uint64_t access; /* ascends with the accesses of a warp; the same for all lanes of one */
	uint64_t address, bytes;
	uint8_t reads, writes;
	const struct ct_unit *unit; /* NULL: of the host */
	uint32_t site;
	/* These are of a read: */
	enum ct_origin origin;
	uint32_t source_superstep; /* of the first byte that was read; CT_NO_SUPERSTEP: none */
	uint32_t source_cta;       /* the smallest id */
	uint32_t sources;          /* CTAs that wrote this byte there */
};

struct ct_history;

#define CT_HISTORY_BYTES_MAX 65536u

/* Follows what touches [first, last], at most CT_HISTORY_BYTES_MAX bytes; comm is prepared, and
 * outlives it. Filled by a pass with ct_history_analysis, beside the one of comm (ct_comm_run):
 * of several ranks rank 0 has the history then. why: one line on failure. */
int ct_history_open(struct ct_history **out, struct ct_comm *comm, uint64_t first, uint64_t last,
		    char *why, size_t why_bytes);
extern const struct ct_analysis ct_history_analysis; /* its job: a struct ct_history */
void ct_history_close(struct ct_history *history);   /* NULL is allowed */

/* By superstep, CTA and warp, then in program order; those of supersteps that
 * pass the filter. fn's nonzero value stops and is returned. */
int ct_history_each(struct ct_history *history,
		    int (*fn)(void *user, const struct ct_history_entry *operation), void *user);

#endif
