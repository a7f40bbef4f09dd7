/* SPDX-License-Identifier: Apache-2.0 */
/* Answers what ct-ptxas asks about a unit's PTX. */
#ifndef CT_DRIVER_PTXAS_TEXT_H
#define CT_DRIVER_PTXAS_TEXT_H

#include <stdbool.h>

enum ct_ptx_sharing_kind {
	CT_PTX_ALONE,  /* clones share nothing */
	CT_PTX_APART,  /* functions with names for it are compiled apart (split.h) */
	CT_PTX_SHARED, /* all is relocatable: clones call __ct_enter_far of hooks.def */
};

/* The pass has decided this for this unit: how many registers the least of its clones leaves to
 * what they share, which is what .maxnreg, .maxntid and .minnctapersm of kernels __ct_… allow, at
 * most 64, as 1024 threads have to be possible. */
struct ct_ptx_sharing {
	enum ct_ptx_sharing_kind kind;
	int registers;
	int registers_of_all; /* what the least of all kernels leaves */
	bool clones;          /* there are clones */
	bool points;          /* there are calls through pointers */
};

/* 0 or -errno if the file cannot be read. */
int ct_ptx_sharing(const char *path, struct ct_ptx_sharing *sharing);

#endif
