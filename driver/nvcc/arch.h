/* SPDX-License-Identifier: Apache-2.0 */
/* Architectures as nvcc's options name them: -arch, -code, -gencode. */
#ifndef CT_DRIVER_NVCC_ARCH_H
#define CT_DRIVER_NVCC_ARCH_H

#include "driver/base/args.h"
#include <stdio.h>

struct ct_nvcc_arch {
	const char *name; /* "90a" */
	bool is_virtual;  /* was compiled for: is in __CUDA_ARCH_LIST__ */
	bool has_binary, has_ptx;
};

/* By number, each once. */
struct ct_nvcc_archs {
	unsigned toolkit; /* CUDA_VERSION, which says what there is; 0: not known, so the newest */
	struct ct_nvcc_arch list[32];
	size_t count;
};

/* The architectures that arch names; codes: of -code or code=, none: arch says all. Returns 0, or
 * -EINVAL with one line in why. */
int ct_nvcc_archs_add(struct ct_nvcc_archs *archs, const char *arch, const struct ct_args *codes,
		      char *why, size_t why_bytes);

/* The argument of -gencode. As ct_nvcc_archs_add. */
int ct_nvcc_archs_add_gencode(struct ct_nvcc_archs *archs, const char *text, char *why,
			      size_t why_bytes);

/* Take out those that are older than this number (700), their names to dropped: "sm_60, sm_61". */
void ct_nvcc_archs_drop_older(struct ct_nvcc_archs *archs, unsigned number, char *dropped,
			      size_t dropped_bytes);

/* nvcc compiles for this if nothing says more. */
#define CT_NVCC_ARCH_DEFAULT "75"

/* The number of a name: 900 of "90a". */
unsigned ct_nvcc_arch_number(const char *name);

/* One a line, "sm_90" or "compute_90", those that are for one GPU alone left out. */
void ct_nvcc_archs_print_known(FILE *out, unsigned toolkit, bool codes, bool virtuals);

#endif
