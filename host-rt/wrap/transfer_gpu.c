/* SPDX-License-Identifier: Apache-2.0 */
/* Wrapped copies that the CPU target does not have: arrays, slices between devices, batches. */
#include "host-rt/wrap/transfer.h"

#define ROWS(pointer, pitch) ((struct ct_rows){pointer, pitch})
#define ARRAY ROWS(NULL, 0)

static struct ct_transfer between_devices(const struct cudaMemcpy3DPeerParms *p,
					  cudaStream_t stream)
{
	struct cudaMemcpy3DParms parameters = {.kind = cudaMemcpyDeviceToDevice};

	if (!p)
		return ct_transfer_slices(NULL, stream);
	parameters.srcArray = p->srcArray;
	parameters.srcPos = p->srcPos;
	parameters.srcPtr = p->srcPtr;
	parameters.dstArray = p->dstArray;
	parameters.dstPos = p->dstPos;
	parameters.dstPtr = p->dstPtr;
	parameters.extent = p->extent;
	return ct_transfer_slices(&parameters, stream);
}

CT_TRANSFER_PTDS(cudaMemcpy2DToArray,
		 (cudaArray_t array, size_t x, size_t y, const void *from, size_t pitch,
		  size_t width, size_t height, enum cudaMemcpyKind kind),
		 (array, x, y, from, pitch, width, height, kind),
		 synchronous(ct_transfer_rows(ARRAY, ROWS(from, pitch), width, height, kind, NULL)))
CT_TRANSFER_PTSZ(cudaMemcpy2DToArrayAsync,
		 (cudaArray_t array, size_t x, size_t y, const void *from, size_t pitch,
		  size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream),
		 (array, x, y, from, pitch, width, height, kind, stream),
		 ct_transfer_rows(ARRAY, ROWS(from, pitch), width, height, kind, stream))
CT_TRANSFER_PTDS(cudaMemcpy2DFromArray,
		 (void *to, size_t pitch, cudaArray_const_t array, size_t x, size_t y, size_t width,
		  size_t height, enum cudaMemcpyKind kind),
		 (to, pitch, array, x, y, width, height, kind),
		 synchronous(ct_transfer_rows(ROWS(to, pitch), ARRAY, width, height, kind, NULL)))
CT_TRANSFER_PTSZ(cudaMemcpy2DFromArrayAsync,
		 (void *to, size_t pitch, cudaArray_const_t array, size_t x, size_t y, size_t width,
		  size_t height, enum cudaMemcpyKind kind, cudaStream_t stream),
		 (to, pitch, array, x, y, width, height, kind, stream),
		 ct_transfer_rows(ROWS(to, pitch), ARRAY, width, height, kind, stream))

CT_TRANSFER_PTDS(cudaMemcpy3DPeer, (const struct cudaMemcpy3DPeerParms *parameters), (parameters),
		 between_devices(parameters, NULL))
CT_TRANSFER_PTSZ(cudaMemcpy3DPeerAsync,
		 (const struct cudaMemcpy3DPeerParms *parameters, cudaStream_t stream),
		 (parameters, stream), between_devices(parameters, stream))

CT_TRANSFER_PTDS(cudaMemcpyToArray,
		 (cudaArray_t array, size_t x, size_t y, const void *from, size_t bytes,
		  enum cudaMemcpyKind kind),
		 (array, x, y, from, bytes, kind),
		 synchronous(ct_transfer_linear(NULL, from, bytes, kind, NULL)))
CT_TRANSFER_PTSZ(cudaMemcpyToArrayAsync,
		 (cudaArray_t array, size_t x, size_t y, const void *from, size_t bytes,
		  enum cudaMemcpyKind kind, cudaStream_t stream),
		 (array, x, y, from, bytes, kind, stream),
		 ct_transfer_linear(NULL, from, bytes, kind, stream))
CT_TRANSFER_PTDS(cudaMemcpyFromArray,
		 (void *to, cudaArray_const_t array, size_t x, size_t y, size_t bytes,
		  enum cudaMemcpyKind kind),
		 (to, array, x, y, bytes, kind),
		 synchronous(ct_transfer_linear(to, NULL, bytes, kind, NULL)))
CT_TRANSFER_PTSZ(cudaMemcpyFromArrayAsync,
		 (void *to, cudaArray_const_t array, size_t x, size_t y, size_t bytes,
		  enum cudaMemcpyKind kind, cudaStream_t stream),
		 (to, array, x, y, bytes, kind, stream),
		 ct_transfer_linear(to, NULL, bytes, kind, stream))

/* A transfer for each of its copies. */
static cudaError_t batch_done(cudaError_t error, void *const *to, const void *const *from,
			      const size_t *bytes, size_t count, cudaStream_t stream,
			      bool per_thread)
{
	for (size_t i = 0; error == cudaSuccess && i < count; i++) {
		struct ct_transfer transfer =
		    ct_transfer_linear(to[i], from[i], bytes[i], cudaMemcpyDefault, stream);

		transfer.call = "cudaMemcpyBatchAsync";
		transfer.per_thread = per_thread;
		ct_transfer_done(&transfer, error);
	}
	return error;
}

cudaError_t __wrap_cudaMemcpyBatchAsync(void *const *to, const void *const *from,
					const size_t *bytes, size_t count,
					struct cudaMemcpyAttributes *attributes, size_t *indices,
					size_t attribute_count, cudaStream_t stream)
{
	cudaError_t error = __real_cudaMemcpyBatchAsync(to, from, bytes, count, attributes, indices,
							attribute_count, stream);

	return batch_done(error, to, from, bytes, count, stream, false);
}

cudaError_t __wrap_cudaMemcpyBatchAsync_ptsz(void *const *to, const void *const *from,
					     const size_t *bytes, size_t count,
					     struct cudaMemcpyAttributes *attributes,
					     size_t *indices, size_t attribute_count,
					     cudaStream_t stream)
{
	cudaError_t error = __real_cudaMemcpyBatchAsync_ptsz(to, from, bytes, count, attributes,
							     indices, attribute_count, stream);

	return batch_done(error, to, from, bytes, count, stream, true);
}
