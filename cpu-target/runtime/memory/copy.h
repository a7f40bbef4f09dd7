/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and fills of boxes of bytes: one shape for the 1D, 2D and 3D calls. */
#ifndef CT_CPU_TARGET_RUNTIME_MEMORY_COPY_H
#define CT_CPU_TARGET_RUNTIME_MEMORY_COPY_H

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

/* Is there no byte in it? */
int ct_copy_is_empty(const struct ct_copy *copy);
int ct_fill_is_empty(const struct ct_fill *fill);

/* Are the boxes in memory that the direction allows? cudaSuccess for what is empty. */
cudaError_t ct_copy_check(const struct ct_copy *copy);
cudaError_t ct_fill_check(const struct ct_fill *fill);

/* The box that begins at a position of pitched memory. */
struct ct_box ct_box_at(const struct cudaPitchedPtr *pointer, const struct cudaPos *position);

/* Translates the parameters of a 3D copy. */
cudaError_t ct_copy_of_3d(const struct cudaMemcpy3DParms *parameters, struct ct_copy *copy);

/* At once, without checks. */
void ct_copy_run(const struct ct_copy *copy);
void ct_fill_run(const struct ct_fill *fill);

/* Queues a copy that was checked and is not empty, in stream order. wait: return when it is done,
 * as no copy on a device does. Copies from or to pageable memory return when that memory may be
 * used again; fills never wait. */
cudaError_t ct_copy_queue(const struct ct_copy *copy, cudaStream_t stream, int wait);
cudaError_t ct_fill_queue(const struct ct_fill *fill, cudaStream_t stream);

#endif
