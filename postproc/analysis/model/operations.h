/* SPDX-License-Identifier: Apache-2.0 */
/* Counts what stretches of code do that an assembler keeps: bytes that a lane loads and stores,
 * atomics, barriers, and, with less weight, special functions and floating-point operations. */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_OPERATIONS_H
#define CT_POSTPROC_ANALYSIS_MODEL_OPERATIONS_H

#include <stdint.h>

enum ct_operations_kind {
	CT_OPERATIONS_LOADED,
	CT_OPERATIONS_STORED,
	CT_OPERATIONS_SHARED_LOADED,
	CT_OPERATIONS_SHARED_STORED,
	CT_OPERATIONS_ATOMICS,
	CT_OPERATIONS_BARRIERS,
	CT_OPERATIONS_SPECIAL,
	CT_OPERATIONS_FLOATS,
	CT_OPERATIONS_KINDS
};

struct ct_operations {
	double of[CT_OPERATIONS_KINDS];
};

/* Instructions of a class (instructions.def); space, bytes: of accesses. */
void ct_operations_add(struct ct_operations *operations, uint32_t class, uint32_t space,
		       double bytes, double times);
void ct_operations_sum(struct ct_operations *to, const struct ct_operations *from, double times);

/* How far apart u turns of ours and one of the machine's are: 0 the same, 1 nothing in common. */
double ct_operations_apart(const struct ct_operations *ours, double u,
			   const struct ct_operations *machines);
/* The number of turns that bring both nearest (*u), and how far apart they are then. */
double ct_operations_compare(const struct ct_operations *ours, const struct ct_operations *machines,
			     double *u);

#endif
