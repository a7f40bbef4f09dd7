/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of copies and memsets: bytes, rows, slices, parts of pitched memory. */
#include "host-rt/streams/transfer_shape.h"

/* The CPU target has no arrays. */
#pragma weak cudaArrayGetInfo

struct ct_transfer ct_transfer_rows(struct ct_rows to, struct ct_rows from, size_t width,
				    size_t height, enum cudaMemcpyKind direction,
				    cudaStream_t stream)
{
	return (struct ct_transfer){
	    .event = {.kind = from.start ? CT_TRANSFER_COPY : CT_TRANSFER_SET,
		      .target = ct_transfer_address(to.start),
		      .source = ct_transfer_address(from.start),
		      .width = width,
		      .height = height,
		      .depth = 1,
		      .target_row = to.pitch,
		      .source_row = from.pitch},
	    .direction = direction,
	    .stream = stream,
	};
}

struct ct_transfer ct_transfer_linear(const void *to, const void *from, size_t bytes,
				      enum cudaMemcpyKind direction, cudaStream_t stream)
{
	return ct_transfer_rows((struct ct_rows){to, bytes}, (struct ct_rows){from, bytes}, bytes,
				1, direction, stream);
}

struct ct_transfer ct_transfer_to_symbol(const void *symbol, size_t offset, const void *from,
					 size_t bytes, enum cudaMemcpyKind direction,
					 cudaStream_t stream)
{
	struct ct_transfer transfer = ct_transfer_linear(NULL, from, bytes, direction, stream);

	transfer.to_symbol = symbol;
	transfer.event.target = offset;
	return transfer;
}

struct ct_transfer ct_transfer_from_symbol(const void *to, const void *symbol, size_t offset,
					   size_t bytes, enum cudaMemcpyKind direction,
					   cudaStream_t stream)
{
	struct ct_transfer transfer = ct_transfer_linear(to, NULL, bytes, direction, stream);

	transfer.event.kind = CT_TRANSFER_COPY;
	transfer.from_symbol = symbol;
	transfer.event.source = offset;
	return transfer;
}

struct ct_transfer ct_transfer_fill_rows(struct ct_rows to, size_t width, size_t height,
					 cudaStream_t stream)
{
	return ct_transfer_rows(to, (struct ct_rows){NULL, 0}, width, height,
				cudaMemcpyDeviceToDevice, stream);
}

struct ct_transfer ct_transfer_fill(const void *to, size_t bytes, cudaStream_t stream)
{
	return ct_transfer_fill_rows((struct ct_rows){to, bytes}, bytes, 1, stream);
}

struct ct_transfer ct_transfer_fill_slices(struct cudaPitchedPtr to, struct cudaExtent extent,
					   cudaStream_t stream)
{
	struct ct_rows rows = {to.ptr, to.pitch};
	struct ct_transfer transfer =
	    ct_transfer_fill_rows(rows, extent.width, extent.height, stream);

	transfer.event.depth = extent.depth;
	transfer.event.target_slice = to.pitch * to.ysize;
	return transfer;
}

struct ct_transfer ct_transfer_of_value(struct ct_transfer fill, uint32_t value,
					uint32_t value_bytes)
{
	fill.event.value = value_bytes == 4 ? value : value & ((1u << 8 * value_bytes) - 1);
	fill.event.value_bytes = value_bytes;
	return fill;
}

static struct ct_rows rows_at(const struct cudaPitchedPtr *pointer, const struct cudaPos *at)
{
	const char *start = pointer->ptr;

	if (start)
		start += at->z * pointer->pitch * pointer->ysize + at->y * pointer->pitch + at->x;
	return (struct ct_rows){start, pointer->pitch};
}

/* 0 if it is not known. */
static size_t element_bytes(cudaArray_t array)
{
	struct cudaChannelFormatDesc format;
	struct cudaExtent extent;
	unsigned flags;

	if (!cudaArrayGetInfo || cudaArrayGetInfo(&format, &extent, &flags, array) != cudaSuccess)
		return 0;
	return (size_t)(format.x + format.y + format.z + format.w) / 8;
}

/* An extent is in elements of the array, if there is one, else in bytes. */
struct ct_transfer ct_transfer_slices(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
	struct ct_transfer transfer = {.stream = stream};
	cudaArray_t array;
	size_t width;

	if (!p || (p->srcArray && p->dstArray))
		return transfer;
	array = p->srcArray ? p->srcArray : p->dstArray;
	width = p->extent.width * (array ? element_bytes(array) : 1);
	transfer =
	    ct_transfer_rows(rows_at(&p->dstPtr, &p->dstPos), rows_at(&p->srcPtr, &p->srcPos),
			     width, p->extent.height, p->kind, stream);
	transfer.event.depth = p->extent.depth;
	transfer.event.target_slice = p->dstPtr.pitch * p->dstPtr.ysize;
	transfer.event.source_slice = p->srcPtr.pitch * p->srcPtr.ysize;
	return transfer;
}

struct ct_transfer ct_transfer_between_devices(const struct cudaMemcpy3DPeerParms *p,
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
