/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which branches the lanes of a warp have parted at and not met again behind, so that each block
 * that some of them execute can be put down to the branches that the others left it at.
 *
 * A branch at which lanes part is over for those that are together with all of its lanes again, or
 * with a lane that it did not have. Branches within one another have fewer lanes each, so there are
 * at most 31 of them.
 */
#ifndef CT_POSTPROC_ANALYSIS_BRANCHES_IDLE_H
#define CT_POSTPROC_ANALYSIS_BRANCHES_IDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CT_BRANCHES_NONE UINT32_MAX

/* A branch that lanes have parted at. */
struct ct_branches_parting {
	uint32_t site;
	uint32_t lanes;    /* that were at it together; 0: the place is free */
	uint32_t at;       /* lanes that have parted at no branch since */
	uint32_t outer;    /* index of the one around it, or CT_BRANCHES_NONE */
	uint32_t children; /* of which it is the outer one */
};

/* Zero-initialise. */
struct ct_branches_idle {
	struct ct_branches_parting *list;
	size_t count, room;
	uint32_t *parted; /* sites at which the warp has parted, each once */
	size_t parted_count, parted_room;
};

/* Lanes execute a block together: partings that are over for them end. */
void ct_branches_idle_meet(struct ct_branches_idle *idle, uint32_t lanes);

/* Some of the lanes that were at a branch together go on without the others. *is_first: the warp
 * has not parted at the site before. 0 or -ENOMEM */
int ct_branches_idle_part(struct ct_branches_idle *idle, uint32_t site, uint32_t lanes,
			  bool *is_first);

/* For each branch that lanes of those executing a block have been left at, the innermost first:
 * how many lanes it had, and how many of them are there. */
int ct_branches_idle_each(const struct ct_branches_idle *idle, uint32_t lanes,
			  int (*tell)(void *user, uint32_t site, uint32_t all, uint32_t there),
			  void *user);

void ct_branches_idle_fini(struct ct_branches_idle *idle);

#endif
