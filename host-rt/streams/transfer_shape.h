/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What calls and graph nodes move, as a transfer. Arrays have no addresses: a
 * copy into one is to address 0, a copy from one is a CT_TRANSFER_SET, and a
 * copy from one to another moves nothing that a trace could tell.
 */
#ifndef CT_HOST_RT_STREAMS_TRANSFER_SHAPE_H
#define CT_HOST_RT_STREAMS_TRANSFER_SHAPE_H

#include "host-rt/streams/transfer.h"

/* Rows of memory: where the first begins, and bytes from one to the next. */
struct ct_rows {
	const void *start;
	size_t pitch;
};

struct ct_transfer ct_transfer_linear(const void *to, const void *from, size_t bytes,
				      enum cudaMemcpyKind direction, cudaStream_t stream);
struct ct_transfer ct_transfer_rows(struct ct_rows to, struct ct_rows from, size_t width,
				    size_t height, enum cudaMemcpyKind direction,
				    cudaStream_t stream);
/* parameters may be NULL: that moves nothing. */
struct ct_transfer ct_transfer_slices(const struct cudaMemcpy3DParms *parameters,
				      cudaStream_t stream);

struct ct_transfer ct_transfer_between_devices(const struct cudaMemcpy3DPeerParms *parameters,
					       cudaStream_t stream);

/* offset: into the variable */
struct ct_transfer ct_transfer_to_symbol(const void *symbol, size_t offset, const void *from,
					 size_t bytes, enum cudaMemcpyKind direction,
					 cudaStream_t stream);
struct ct_transfer ct_transfer_from_symbol(const void *to, const void *symbol, size_t offset,
					   size_t bytes, enum cudaMemcpyKind direction,
					   cudaStream_t stream);

struct ct_transfer ct_transfer_fill(const void *to, size_t bytes, cudaStream_t stream);
struct ct_transfer ct_transfer_fill_rows(struct ct_rows to, size_t width, size_t height,
					 cudaStream_t stream);
struct ct_transfer ct_transfer_fill_slices(struct cudaPitchedPtr to, struct cudaExtent extent,
					   cudaStream_t stream);
/* Each value_bytes bytes are set to this: 1, 2 or 4. */
struct ct_transfer ct_transfer_of_value(struct ct_transfer fill, uint32_t value,
					uint32_t value_bytes);

#endif
