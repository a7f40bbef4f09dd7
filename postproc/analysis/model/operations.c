/* SPDX-License-Identifier: Apache-2.0 */
/* Adds up and compares what blocks do to memory. */
#include "postproc/analysis/model/operations.h"
#include "postproc/analysis/model/kernel.h"

#include <math.h>

#define FIRST_WEAK CT_OPERATIONS_SPECIAL /* from here on the assembler may have more or less */
#define WEAK 0.25
#define UNROLLED_MOST 256.0

void ct_operations_add(struct ct_operations *operations, uint32_t class, uint32_t space,
		       double bytes, double times)
{
	bool is_shared = space == CT_SPACE_SHARED;

	switch (class) {
	case CT_IN_LOAD:
		if (space != CT_SPACE_CONSTANT && space != CT_SPACE_LOCAL)
			operations
			    ->of[is_shared ? CT_OPERATIONS_SHARED_LOADED : CT_OPERATIONS_LOADED] +=
			    bytes * times;
		break;
	case CT_IN_STORE:
		if (space != CT_SPACE_LOCAL)
			operations
			    ->of[is_shared ? CT_OPERATIONS_SHARED_STORED : CT_OPERATIONS_STORED] +=
			    bytes * times;
		break;
	case CT_IN_ATOMIC:
		operations->of[CT_OPERATIONS_ATOMICS] += times;
		break;
	case CT_IN_BARRIER:
		operations->of[CT_OPERATIONS_BARRIERS] += times;
		break;
	case CT_IN_SFU:
	case CT_IN_DIVIDE32:
	case CT_IN_DIVIDE64:
		operations->of[CT_OPERATIONS_SPECIAL] += times;
		break;
	case CT_IN_FP16:
	case CT_IN_FP32:
	case CT_IN_FP64:
	case CT_IN_FMA16:
	case CT_IN_FMA32:
	case CT_IN_FMA64:
		operations->of[CT_OPERATIONS_FLOATS] += times;
		break;
	default:
		break;
	}
}

void ct_operations_sum(struct ct_operations *to, const struct ct_operations *from, double times)
{
	for (int k = 0; k < CT_OPERATIONS_KINDS; k++)
		to->of[k] += from->of[k] * times;
}

/* How far apart u turns of ours and one of the machine's are: 0 the same, 1 nothing in common. */
double ct_operations_apart(const struct ct_operations *ours, double u,
			   const struct ct_operations *machines)
{
	double sum = 0, all = 0;

	for (int k = 0; k < CT_OPERATIONS_KINDS; k++) {
		double a = ours->of[k] * u, b = machines->of[k], weight = k < FIRST_WEAK ? 1 : WEAK;

		if (a + b <= 0)
			continue;
		sum += weight * fabs(a - b) / (a + b);
		all += weight;
	}
	return all > 0 ? sum / all : 1;
}

/* The number of turns that bring both nearest; *u. */
double ct_operations_compare(const struct ct_operations *ours, const struct ct_operations *machines,
			     double *u)
{
	double best = 1;

	*u = 1;
	for (int k = 0; k < CT_OPERATIONS_KINDS; k++) {
		double turns = ours->of[k] > 0 ? round(machines->of[k] / ours->of[k]) : 0, far;

		if (turns < 1 || turns > UNROLLED_MOST)
			continue;
		far = ct_operations_apart(ours, turns, machines);
		if (far < best) {
			best = far;
			*u = turns;
		}
	}
	return best;
}
