/* SPDX-License-Identifier: Apache-2.0 */
/* Copy and fill calls of the CUDA runtime API. */
#include "cpu-target/runtime/memory/copy.h"
#include "cpu-target/runtime/api/api.h"
#include "cpu-target/runtime/api/submit.h"
#include "cpu-target/runtime/base/device.h"
#include "cpu-target/runtime/memory/memory.h"
#include "cpu-target/runtime/module/symbol.h"
#include "cpu-target/runtime/stream/stream.h"

static cudaError_t copy_1d(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
			   cudaStream_t stream, int wait)
{
	struct ct_copy copy = {
	    .to = {to, bytes, bytes},
	    .from = {(char *)from, bytes, bytes},
	    .width = bytes,
	    .height = 1,
	    .depth = 1,
	    .kind = kind,
	};
	cudaError_t error = ct_submit_copy(&copy, stream, wait);

	return wait ? ct_api_synchronised(error) : ct_api_result(error);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
	return copy_1d(to, from, bytes, kind, cudaStreamLegacy, 1);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
			    cudaStream_t stream)
{
	return copy_1d(to, from, bytes, kind, stream, 0);
}

static int are_devices(int one, int other)
{
	return one >= 0 && other >= 0 && one < ct_device_number() && other < ct_device_number();
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
	if (!are_devices(to_device, from_device))
		return ct_error_set(cudaErrorInvalidDevice);
	return copy_1d(to, from, bytes, cudaMemcpyDeviceToDevice, cudaStreamLegacy, 1);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
				size_t bytes, cudaStream_t stream)
{
	if (!are_devices(to_device, from_device))
		return ct_error_set(cudaErrorInvalidDevice);
	return copy_1d(to, from, bytes, cudaMemcpyDeviceToDevice, stream, 0);
}

static cudaError_t copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch,
			   size_t width, size_t height, enum cudaMemcpyKind kind,
			   cudaStream_t stream, int wait)
{
	struct ct_copy copy = {
	    .to = {to, to_pitch, to_pitch * height},
	    .from = {(char *)from, from_pitch, from_pitch * height},
	    .width = width,
	    .height = height,
	    .depth = 1,
	    .kind = kind,
	};
	cudaError_t error = ct_submit_copy(&copy, stream, wait);

	return wait ? ct_api_synchronised(error) : ct_api_result(error);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
			 size_t width, size_t height, enum cudaMemcpyKind kind)
{
	return copy_2d(to, to_pitch, from, from_pitch, width, height, kind, cudaStreamLegacy, 1);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
			      size_t width, size_t height, enum cudaMemcpyKind kind,
			      cudaStream_t stream)
{
	return copy_2d(to, to_pitch, from, from_pitch, width, height, kind, stream, 0);
}

static cudaError_t copy_3d(const struct cudaMemcpy3DParms *p, cudaStream_t stream, int wait)
{
	struct ct_copy copy;
	cudaError_t error = ct_copy_of_3d(p, &copy);

	if (!error)
		error = ct_submit_copy(&copy, stream, wait);
	return wait ? ct_api_synchronised(error) : ct_api_result(error);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *parameters)
{
	return copy_3d(parameters, cudaStreamLegacy, 1);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parameters, cudaStream_t stream)
{
	return copy_3d(parameters, stream, 0);
}

static cudaError_t fill(struct ct_box to, struct cudaExtent extent, int value, cudaStream_t stream)
{
	struct ct_fill fill = {
	    to, extent.width, extent.height, extent.depth, (unsigned)value, 1,
	};

	return ct_api_result(ct_submit_fill(&fill, stream));
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
	return fill((struct ct_box){to, bytes, bytes}, (struct cudaExtent){bytes, 1, 1}, value,
		    stream);
}

/* As on GPUs (docs/validation.md): who sets managed or pinned memory waits for it. */
static cudaError_t after_fill(const void *to, cudaError_t error)
{
	if (error || ct_memory_find(to).kind == CT_MEMORY_DEVICE)
		return error;
	return ct_api_synchronised(ct_stream_wait(cudaStreamLegacy));
}

cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
	return after_fill(to, cudaMemsetAsync(to, value, bytes, cudaStreamLegacy));
}

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
			      cudaStream_t stream)
{
	return fill((struct ct_box){to, pitch, pitch * height},
		    (struct cudaExtent){width, height, 1}, value, stream);
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height)
{
	return after_fill(to, cudaMemset2DAsync(to, pitch, value, width, height, cudaStreamLegacy));
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr to, int value, struct cudaExtent extent,
			      cudaStream_t stream)
{
	return fill(ct_box_at(&to, &(struct cudaPos){0, 0, 0}), extent, value, stream);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr to, int value, struct cudaExtent extent)
{
	return after_fill(to.ptr, cudaMemset3DAsync(to, value, extent, cudaStreamLegacy));
}

static cudaError_t copy_to_symbol(const void *symbol, const void *from, size_t bytes, size_t offset,
				  enum cudaMemcpyKind kind, cudaStream_t stream, int wait)
{
	char *to;
	cudaError_t error = ct_symbol_inside(symbol, bytes, offset, &to);

	if (!error && kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice &&
	    kind != cudaMemcpyDefault)
		error = cudaErrorInvalidMemcpyDirection;
	return error ? ct_error_set(error) : copy_1d(to, from, bytes, kind, stream, wait);
}

static cudaError_t copy_from_symbol(void *to, const void *symbol, size_t bytes, size_t offset,
				    enum cudaMemcpyKind kind, cudaStream_t stream, int wait)
{
	char *from;
	cudaError_t error = ct_symbol_inside(symbol, bytes, offset, &from);

	if (!error && kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice &&
	    kind != cudaMemcpyDefault)
		error = cudaErrorInvalidMemcpyDirection;
	return error ? ct_error_set(error) : copy_1d(to, from, bytes, kind, stream, wait);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
			       enum cudaMemcpyKind kind)
{
	return copy_to_symbol(symbol, from, bytes, offset, kind, cudaStreamLegacy, 1);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
				    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return copy_to_symbol(symbol, from, bytes, offset, kind, stream, 0);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
				 enum cudaMemcpyKind kind)
{
	return copy_from_symbol(to, symbol, bytes, offset, kind, cudaStreamLegacy, 1);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
				      enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return copy_from_symbol(to, symbol, bytes, offset, kind, stream, 0);
}

cudaError_t cudaGetSymbolAddress(void **address, const void *symbol)
{
	size_t bytes;

	if (!address)
		return ct_error_set(cudaErrorInvalidValue);
	return ct_api_result(ct_symbol_variable(symbol, address, &bytes));
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol)
{
	void *address;

	if (!bytes)
		return ct_error_set(cudaErrorInvalidValue);
	return ct_api_result(ct_symbol_variable(symbol, &address, bytes));
}
