/* SPDX-License-Identifier: Apache-2.0 */
/* Wrapped copies and memsets of rows and slices, and copies between devices. */
#include "host-rt/wrap/transfer.h"

#define ROWS(pointer, pitch) ((struct ct_rows){pointer, pitch})

CT_TRANSFER_PTDS(cudaMemcpy2D,
		 (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
		  size_t height, enum cudaMemcpyKind kind),
		 (to, to_pitch, from, from_pitch, width, height, kind),
		 synchronous(ct_transfer_rows(ROWS(to, to_pitch), ROWS(from, from_pitch), width,
					      height, kind, NULL)))
CT_TRANSFER_PTSZ(cudaMemcpy2DAsync,
		 (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
		  size_t height, enum cudaMemcpyKind kind, cudaStream_t stream),
		 (to, to_pitch, from, from_pitch, width, height, kind, stream),
		 ct_transfer_rows(ROWS(to, to_pitch), ROWS(from, from_pitch), width, height, kind,
				  stream))
CT_TRANSFER_PTDS(cudaMemcpy3D, (const struct cudaMemcpy3DParms *parameters), (parameters),
		 synchronous(ct_transfer_slices(parameters, NULL)))
CT_TRANSFER_PTSZ(cudaMemcpy3DAsync,
		 (const struct cudaMemcpy3DParms *parameters, cudaStream_t stream),
		 (parameters, stream), ct_transfer_slices(parameters, stream))

/* They do not wait, whatever their names. */
CT_TRANSFER_CALL(cudaMemcpyPeer, , false,
		 (void *to, int to_device, const void *from, int from_device, size_t bytes),
		 (to, to_device, from, from_device, bytes),
		 ct_transfer_linear(to, from, bytes, cudaMemcpyDeviceToDevice, NULL))
CT_TRANSFER_CALL(cudaMemcpyPeerAsync, , false,
		 (void *to, int to_device, const void *from, int from_device, size_t bytes,
		  cudaStream_t stream),
		 (to, to_device, from, from_device, bytes, stream),
		 ct_transfer_linear(to, from, bytes, cudaMemcpyDeviceToDevice, stream))

CT_TRANSFER_PTDS(cudaMemset2D, (void *to, size_t pitch, int value, size_t width, size_t height),
		 (to, pitch, value, width, height),
		 ct_transfer_fill_rows(ROWS(to, pitch), width, height, NULL))
CT_TRANSFER_PTSZ(cudaMemset2DAsync,
		 (void *to, size_t pitch, int value, size_t width, size_t height,
		  cudaStream_t stream),
		 (to, pitch, value, width, height, stream),
		 ct_transfer_fill_rows(ROWS(to, pitch), width, height, stream))
CT_TRANSFER_PTDS(cudaMemset3D, (struct cudaPitchedPtr to, int value, struct cudaExtent extent),
		 (to, value, extent), ct_transfer_fill_slices(to, extent, NULL))
CT_TRANSFER_PTSZ(cudaMemset3DAsync,
		 (struct cudaPitchedPtr to, int value, struct cudaExtent extent,
		  cudaStream_t stream),
		 (to, value, extent, stream), ct_transfer_fill_slices(to, extent, stream))
