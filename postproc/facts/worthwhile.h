/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is worth an advice. A figure of any size is a fact, which tables show; an advice is said
 * only if following it could gain a share of the kernel and of the run that somebody would notice,
 * and of something that takes time at all. All analyses ask for the same (docs/access.md).
 */
#ifndef CT_POSTPROC_FACTS_WORTHWHILE_H
#define CT_POSTPROC_FACTS_WORTHWHILE_H

#include <stdbool.h>

/* Sectors, wavefronts, issue slots, atomics: fewer are less than one for each SM of a small device
 * and take no time whatever the rest is. */
#define CT_WORTHWHILE_EVENTS 64.0
/* The share of what its kernel has of the same: times of two runs differ by as much. */
#define CT_WORTHWHILE_KERNEL 0.1
/* The share of what all kernels have of it. */
#define CT_WORTHWHILE_RUN 0.02

/* Issue slots that idle lanes take, or requests that full warps would not need, of all of the
 * kernel. Lanes part in every program: at its boundaries, in its epilogue, in the last steps of a
 * reduction, whose tree within one of two warps leaves about a quarter idle. More than that is
 * somebody's choice: without it the kernel could be 1.4 times as fast. One lane that works alone
 * mostly does what is the warp's to do once, an atomic or the store of a result; it is a matter
 * where no less than half is waiting for it, so that the kernel could be twice as fast. */
#define CT_WORTHWHILE_LANES 0.3
#define CT_WORTHWHILE_ONE_LANE 0.5

/* An advice that spares so many of the events of its kernel, and of those of the run. */
static inline bool ct_is_worthwhile(double spared, double kernel, double run)
{
	return spared >= CT_WORTHWHILE_EVENTS && spared >= CT_WORTHWHILE_KERNEL * kernel &&
	       spared >= CT_WORTHWHILE_RUN * run;
}

#endif
