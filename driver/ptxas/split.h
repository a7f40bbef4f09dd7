/* SPDX-License-Identifier: Apache-2.0 */
/* A unit's PTX in two: functions that are compiled apart, and the rest. */
#ifndef CT_DRIVER_PTXAS_SPLIT_H
#define CT_DRIVER_PTXAS_SPLIT_H

#include <stdbool.h>
#include <stddef.h>

/* Functions whose names begin so are compiled apart; what they call, and kernels may call as well,
 * has the other (llvm-pass/device/runtime.cpp). They use no variables. */
#define CT_PTX_NAME_APART "ct_apart_"
#define CT_PTX_NAME_NEAR "ct_near_"

/* Without comments, and with labels that say nothing of the unit, so that a function of the runtime
 * has one text in all units. */
struct ct_ptx_function {
	char *name;
	char *head; /* ".func …" up to the body */
	char *body; /* with its braces; NULL: declared only */
	bool is_apart;
};

/* Zero-initialise. */
struct ct_ptx_functions {
	char *header; /* lines .version, .target and .address_size */
	struct ct_ptx_function *items;
	size_t count;
	int apart; /* so many are defined and compiled apart */
};

/* Writes to the file rest the PTX with functions apart declared as external. functions gets these,
 * and those near. 0, or -errno if a file cannot be read or written; call fini in any case. */
int ct_ptx_split(const char *path, const char *rest, struct ct_ptx_functions *functions);
void ct_ptx_functions_fini(struct ct_ptx_functions *functions);

#endif
