/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and fills of boxes of bytes: one shape for the 1D, 2D and 3D calls. */
#ifndef CT_CPU_COPY_H
#define CT_CPU_COPY_H

#include <cuda_runtime_api.h>

struct ct_box {
	char *start;
	size_t pitch; /* bytes from row to row */
	size_t slice; /* bytes from plane to plane */
};

struct ct_copy {
	struct ct_box to, from;
	size_t width, height, depth; /* bytes, rows, planes */
	enum cudaMemcpyKind kind;
};

struct ct_fill {
	struct ct_box to;
	size_t width, height, depth; /* bytes, rows, planes */
	unsigned value;
	unsigned element_bytes; /* of value: 1, 2 or 4; divides width */
};

/* The checks of the calls below that concern the memory. */
cudaError_t ct_copy_check(const struct ct_copy *copy);
cudaError_t ct_fill_check(const struct ct_fill *fill);

/* What the parameters of a 3D copy mean. */
cudaError_t ct_copy_of_3d(const struct cudaMemcpy3DParms *parameters, struct ct_copy *copy);

/* At once, without checks. */
void ct_copy_run(const struct ct_copy *copy);
void ct_fill_run(const struct ct_fill *fill);

/* Check, then copy in stream order. wait: return when it is done. Copies from
 * or to pageable memory return when that memory may be used again. */
cudaError_t ct_copy_submit(const struct ct_copy *copy, cudaStream_t stream, int wait);

/* Check, then fill in stream order, without waiting. */
cudaError_t ct_fill_submit(const struct ct_fill *fill, cudaStream_t stream);

#endif
