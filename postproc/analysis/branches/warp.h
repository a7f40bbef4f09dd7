/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the lanes of one warp are, from the blocks that they enter one after another: which of them
 * wait for their next block behind which branch, in how many functions that were called.
 *
 * A block that its function begins with is entered by a call, which leaves branches of the caller
 * open; one that its function ends with returns to them.
 */
#ifndef CT_POSTPROC_ANALYSIS_BRANCHES_WARP_H
#define CT_POSTPROC_ANALYSIS_BRANCHES_WARP_H

#include "postproc/analysis/branches/idle.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CT_BRANCHES_DEPTH 16u /* functions within one another; deeper ones count as the last */

/* A branch that lanes have not all gone on from. */
struct ct_branches_open {
	uint32_t site;    /* as ct_branches_enter was given */
	uint32_t target;  /* site of the block that lanes entered, if some have */
	uint32_t waiting; /* lanes that have entered none yet */
	uint32_t lanes;   /* at the branch */
	uint8_t depth;
	bool has_target, is_divergent; /* they entered different ones */
	bool goes_back;                /* some entered the branch's own block, or one before it */
};

/* Zero-initialise. */
struct ct_branches_warp {
	uint32_t deep[CT_BRANCHES_DEPTH + 1]; /* lanes in so many functions or more, from 1 on */
	struct ct_branches_open *open;
	size_t count, room;
	struct ct_branches_idle idle;
};

/* A branch that all lanes have gone on from. */
struct ct_branches_taken {
	uint32_t site, lanes;
	bool is_divergent; /* they went to different blocks */
	bool goes_back;    /* some went to the branch's own block, or to one before it */
};

/* Who is given what lanes do. 0 or a negative error, which ct_branches_enter returns */
struct ct_branches_listener {
	int (*take)(void *user, const struct ct_branches_taken *taken);
	/* A warp's lanes part at a site for the first time. */
	int (*part)(void *user, uint32_t site);
	void *user;
};

/* Lanes enter a block; those of a function have sites in their order. flags: CT_SITE_BRANCH,
 * _RETURN, _ENTRY. The listener is given the branches that this ends. 0 or a negative error */
int ct_branches_enter(struct ct_branches_warp *warp, uint32_t site, uint32_t lanes, uint32_t flags,
		      const struct ct_branches_listener *listener);

/* No more blocks come: ends the branches that some lanes have gone on from, the others having come
 * to an end. */
int ct_branches_end(struct ct_branches_warp *warp, const struct ct_branches_listener *listener);

/* No lane is in a function any more: all have come to an end. */
bool ct_branches_is_over(const struct ct_branches_warp *warp);
void ct_branches_warp_fini(struct ct_branches_warp *warp);

#endif
