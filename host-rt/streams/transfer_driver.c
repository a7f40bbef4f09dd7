/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of copies as the driver's calls describe them. */
#include "host-rt/streams/transfer_driver.h"

/* One end of a copy. */
struct end {
	CUmemorytype type;
	const void *host;
	CUdeviceptr device;
	size_t x, y, z, pitch, height;
};

static struct ct_rows rows_of(const struct end *end)
{
	const char *start =
	    end->type == CU_MEMORYTYPE_HOST ? end->host : (const char *)(uintptr_t)end->device;

	if (end->type == CU_MEMORYTYPE_ARRAY)
		return (struct ct_rows){NULL, 0};
	return (struct ct_rows){start + (end->z * end->height + end->y) * end->pitch + end->x,
				end->pitch};
}

static enum cudaMemcpyKind direction_of(CUmemorytype from, CUmemorytype to)
{
	bool host = from == CU_MEMORYTYPE_HOST;

	if (from == CU_MEMORYTYPE_UNIFIED || to == CU_MEMORYTYPE_UNIFIED)
		return cudaMemcpyDefault;
	if (to == CU_MEMORYTYPE_HOST)
		return host ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost;
	return host ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
}

static struct ct_transfer between(const struct end *to, const struct end *from, size_t width,
				  size_t height, size_t depth, CUstream stream)
{
	struct ct_transfer transfer = {.stream = stream};

	if (to->type == CU_MEMORYTYPE_ARRAY && from->type == CU_MEMORYTYPE_ARRAY)
		return transfer;
	transfer = ct_transfer_rows(rows_of(to), rows_of(from), width, height,
				    direction_of(from->type, to->type), stream);
	transfer.event.depth = depth;
	transfer.event.target_slice = to->pitch * to->height;
	transfer.event.source_slice = from->pitch * from->height;
	return transfer;
}

struct ct_transfer ct_transfer_driver_2d(const CUDA_MEMCPY2D *c, CUstream stream)
{
	struct end to, from;

	if (!c)
		return (struct ct_transfer){.stream = stream};
	to = (struct end){.type = c->dstMemoryType,
			  .host = c->dstHost,
			  .device = c->dstDevice,
			  .x = c->dstXInBytes,
			  .y = c->dstY,
			  .pitch = c->dstPitch};
	from = (struct end){.type = c->srcMemoryType,
			    .host = c->srcHost,
			    .device = c->srcDevice,
			    .x = c->srcXInBytes,
			    .y = c->srcY,
			    .pitch = c->srcPitch};
	return between(&to, &from, c->WidthInBytes, c->Height, 1, stream);
}

struct ct_transfer ct_transfer_driver_3d(const CUDA_MEMCPY3D *c, CUstream stream)
{
	struct end to, from;

	if (!c)
		return (struct ct_transfer){.stream = stream};
	to = (struct end){c->dstMemoryType, c->dstHost, c->dstDevice, c->dstXInBytes,
			  c->dstY,          c->dstZ,    c->dstPitch,  c->dstHeight};
	from = (struct end){c->srcMemoryType, c->srcHost, c->srcDevice, c->srcXInBytes,
			    c->srcY,          c->srcZ,    c->srcPitch,  c->srcHeight};
	return between(&to, &from, c->WidthInBytes, c->Height, c->Depth, stream);
}
