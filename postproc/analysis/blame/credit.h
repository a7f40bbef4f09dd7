/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an instruction at the end of a path of calls is to blame on: in its own function what the
 * unit says of its place, in each caller what becomes of what the callee leaves behind.
 */
#ifndef CT_POSTPROC_ANALYSIS_BLAME_CREDIT_H
#define CT_POSTPROC_ANALYSIS_BLAME_CREDIT_H

#include "postproc/analysis/blame/places.h"

#define CT_BLAME_FRAMES_MAX 128u

/* Variables of a unit, each once. */
struct ct_blame_set {
	uint64_t *of; /* unit << 32 | index in its variables */
	size_t count;
};

/* Frames of a path, the innermost first: a place, then the places of the calls. */
struct ct_blame_chain {
	struct ct_blame_frame frame[CT_BLAME_FRAMES_MAX];
	uint32_t depth;
};

/* Zero-initialise; reused from one to the next. */
struct ct_blame_credit {
	struct ct_blame_set blamed;  /* in all functions of the path, without exits */
	struct ct_blame_set read;    /* likewise: read by the instruction */
	struct ct_blame_set nearest; /* likewise: of each function the first that it flows into */
	uint32_t *share;             /* by place in nearest: it is one of so many */
	/* Exits of the outermost function: what it flows into; into which before any other; which
	 * it reads, and writes. */
	struct ct_blame_set exits, leaving, read_exits, written_exits;
	bool is_known;    /* the unit reports its place */
	bool is_resolved; /* and of all calls */
	bool is_nearest;  /* nearest has variables of the outermost function */
	size_t share_room;
};

/* Functions that the chain does not know are filled in. 0 or -ENOMEM */
int ct_blame_credit_make(struct ct_blame_credit *credit, const struct ct_blame_places *places,
			 const struct ct_unit *units, struct ct_blame_chain *chain);
void ct_blame_credit_fini(struct ct_blame_credit *credit);

#endif
