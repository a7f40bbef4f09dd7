/* SPDX-License-Identifier: Apache-2.0 */
/* What stretches of code do that an assembler keeps: bytes that a lane loads and stores, atomics,
 * barriers, and, with less weight, special functions and floating-point operations. */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_DEED_H
#define CT_POSTPROC_ANALYSIS_MODEL_DEED_H

#include <stdint.h>

enum ct_deed_kind {
	CT_DEED_LOADED,
	CT_DEED_STORED,
	CT_DEED_SHARED_LOADED,
	CT_DEED_SHARED_STORED,
	CT_DEED_ATOMICS,
	CT_DEED_BARRIERS,
	CT_DEED_SPECIAL,
	CT_DEED_FLOATS,
	CT_DEED_KINDS
};

struct ct_deed {
	double of[CT_DEED_KINDS];
};

/* Instructions of a class (instructions.def); space, bytes: of accesses. */
void ct_deed_add(struct ct_deed *deed, uint32_t class, uint32_t space, double bytes, double times);
void ct_deed_sum(struct ct_deed *to, const struct ct_deed *from, double times);

/* How far apart u turns of ours and one of the machine's are: 0 the same, 1 nothing in common. */
double ct_deed_apart(const struct ct_deed *ours, double u, const struct ct_deed *machines);
/* The number of turns that bring both nearest (*u), and how far apart they are then. */
double ct_deed_compare(const struct ct_deed *ours, const struct ct_deed *machines, double *u);

#endif
