/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA arrays: their calls of the CUDA runtime API, copies among them. */
#include "cpu-target/runtime/memory/array.h"
#include "cpu-target/runtime/api/api.h"
#include "cpu-target/runtime/api/submit.h"
#include "cpu-target/runtime/stream/stream.h"

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format,
			      struct cudaExtent extent, unsigned flags)
{
	cudaError_t error = ct_error_sticky();

	if (!array || !format)
		return ct_error_set(cudaErrorInvalidValue);
	return ct_error_set(error ? error : ct_array_new(array, format, extent, flags));
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format,
			    size_t width, size_t height, unsigned flags)
{
	if (flags & (cudaArrayLayered | cudaArrayCubemap))
		return ct_error_set(cudaErrorInvalidValue);
	return cudaMalloc3DArray(array, format, (struct cudaExtent){width, height, 0}, flags);
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
	cudaError_t error;

	if (!array)
		return ct_api_result(cudaSuccess);
	error = ct_stream_wait_all();
	return ct_api_synchronised(error ? error : ct_array_delete(array));
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *format, struct cudaExtent *extent,
			     unsigned *flags, cudaArray_t array)
{
	if (ct_array_check(array))
		return ct_error_set(cudaErrorInvalidValue);
	if (format)
		*format = array->format;
	if (extent)
		*extent = array->extent;
	if (flags)
		*flags = array->flags;
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *format, cudaArray_const_t array)
{
	if (!format || ct_array_check(array))
		return ct_error_set(cudaErrorInvalidValue);
	*format = array->format;
	return ct_api_result(cudaSuccess);
}

/* Rows of width bytes; those of an array do not end beyond its own. */
static int fits(cudaArray_const_t array, size_t x, size_t y, size_t width, size_t height)
{
	const struct ct_cpu_image *image = &array->image;

	return x <= image->pitch && width <= image->pitch - x && y <= image->height &&
	       height <= image->height - y;
}

static cudaError_t copy(const struct ct_copy *c, cudaStream_t stream, int wait)
{
	cudaError_t error = ct_submit_copy(c, stream, wait);

	return wait ? ct_api_synchronised(error) : ct_api_result(error);
}

static cudaError_t to_array(cudaArray_t array, size_t x, size_t y, const void *from, size_t pitch,
			    size_t width, size_t height, enum cudaMemcpyKind kind,
			    cudaStream_t stream, int wait)
{
	struct ct_copy c = {.from = {(char *)from, pitch, pitch * height},
			    .width = width,
			    .height = height,
			    .depth = 1,
			    .kind = kind};

	if (ct_array_check(array) || !fits(array, x, y, width, height))
		return ct_error_set(cudaErrorInvalidValue);
	c.to = ct_array_box(array, x, y);
	return copy(&c, stream, wait);
}

static cudaError_t from_array(void *to, size_t pitch, cudaArray_const_t array, size_t x, size_t y,
			      size_t width, size_t height, enum cudaMemcpyKind kind,
			      cudaStream_t stream, int wait)
{
	struct ct_copy c = {.to = {to, pitch, pitch * height},
			    .width = width,
			    .height = height,
			    .depth = 1,
			    .kind = kind};

	if (ct_array_check(array) || !fits(array, x, y, width, height))
		return ct_error_set(cudaErrorInvalidValue);
	c.from = ct_array_box(array, x, y);
	return copy(&c, stream, wait);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t array, size_t x, size_t y, const void *from,
				size_t pitch, size_t width, size_t height, enum cudaMemcpyKind kind)
{
	return to_array(array, x, y, from, pitch, width, height, kind, cudaStreamLegacy, 1);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t array, size_t x, size_t y, const void *from,
				     size_t pitch, size_t width, size_t height,
				     enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return to_array(array, x, y, from, pitch, width, height, kind, stream, 0);
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t array, size_t x,
				  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind)
{
	return from_array(to, pitch, array, x, y, width, height, kind, cudaStreamLegacy, 1);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t array, size_t x,
				       size_t y, size_t width, size_t height,
				       enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return from_array(to, pitch, array, x, y, width, height, kind, stream, 0);
}

/* Bytes that go on in the next row; there is no gap between rows, so they are one. */
static cudaError_t run_of(cudaArray_const_t array, size_t x, size_t y, size_t bytes,
			  struct ct_box *box)
{
	const struct ct_cpu_image *image;

	if (ct_array_check(array))
		return cudaErrorInvalidValue;
	image = &array->image;
	if (!fits(array, x, y, 0, 0) || x > (image->height - y) * image->pitch ||
	    bytes > (image->height - y) * image->pitch - x)
		return cudaErrorInvalidValue;
	*box = ct_array_box(array, x, y);
	return cudaSuccess;
}

static cudaError_t run_to(cudaArray_t array, size_t x, size_t y, const void *from, size_t bytes,
			  enum cudaMemcpyKind kind, cudaStream_t stream, int wait)
{
	struct ct_copy c = {.from = {(char *)from, bytes, bytes},
			    .width = bytes,
			    .height = 1,
			    .depth = 1,
			    .kind = kind};
	cudaError_t error = run_of(array, x, y, bytes, &c.to);

	return error ? ct_error_set(error) : copy(&c, stream, wait);
}

static cudaError_t run_from(void *to, cudaArray_const_t array, size_t x, size_t y, size_t bytes,
			    enum cudaMemcpyKind kind, cudaStream_t stream, int wait)
{
	struct ct_copy c = {
	    .to = {to, bytes, bytes}, .width = bytes, .height = 1, .depth = 1, .kind = kind};
	cudaError_t error = run_of(array, x, y, bytes, &c.from);

	return error ? ct_error_set(error) : copy(&c, stream, wait);
}

cudaError_t cudaMemcpyToArray(cudaArray_t array, size_t x, size_t y, const void *from, size_t bytes,
			      enum cudaMemcpyKind kind)
{
	return run_to(array, x, y, from, bytes, kind, cudaStreamLegacy, 1);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t array, size_t x, size_t y, const void *from,
				   size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return run_to(array, x, y, from, bytes, kind, stream, 0);
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t array, size_t x, size_t y, size_t bytes,
				enum cudaMemcpyKind kind)
{
	return run_from(to, array, x, y, bytes, kind, cudaStreamLegacy, 1);
}

cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t array, size_t x, size_t y,
				     size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return run_from(to, array, x, y, bytes, kind, stream, 0);
}
