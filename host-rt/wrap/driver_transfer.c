/* SPDX-License-Identifier: Apache-2.0 */
/* Wrapped copies and memsets of the driver, for programs that link its library. */
#include "host-rt/calls/driver.h"
#include "host-rt/calls/real_driver.h"
#include "host-rt/streams/transfer_shape.h"

/* Both wrappers of a call. version, thread: suffixes of its names. */
#define WRAP(name, version, thread, parameters, arguments, ...)                                    \
	CUresult __wrap_##name##version parameters                                                 \
	{                                                                                          \
		CUresult result = CT_DRIVER_CALL(name##version, #name, false, arguments);          \
                                                                                                   \
		return done(__VA_ARGS__, #name, false, result);                                    \
	}                                                                                          \
	CUresult __wrap_##name##version##thread parameters                                         \
	{                                                                                          \
		CUresult result = CT_DRIVER_CALL(name##version##thread, #name, true, arguments);   \
                                                                                                   \
		return done(__VA_ARGS__, #name, true, result);                                     \
	}

#define P(device_pointer) ((const void *)(uintptr_t)(device_pointer))
#define H2D cudaMemcpyHostToDevice
#define D2H cudaMemcpyDeviceToHost
#define D2D cudaMemcpyDeviceToDevice

/* Errors of the driver have the same numbers as the runtime's. */
static CUresult done(struct ct_transfer transfer, const char *call, bool per_thread,
		     CUresult result)
{
	transfer.call = call;
	transfer.per_thread = per_thread;
	return (CUresult)ct_transfer_done(&transfer, (cudaError_t)result);
}

static struct ct_transfer synchronous(struct ct_transfer transfer)
{
	transfer.is_synchronous = true;
	return transfer;
}

/* One end of a copy. */
struct end {
	CUmemorytype type;
	const void *host;
	CUdeviceptr device;
	size_t x, y, z, pitch, height;
};

static struct ct_rows rows_of(const struct end *end)
{
	const char *start = end->type == CU_MEMORYTYPE_HOST ? end->host : P(end->device);

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
		return host ? cudaMemcpyHostToHost : D2H;
	return host ? H2D : D2D;
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

static struct ct_transfer copy_2d(const CUDA_MEMCPY2D *c, CUstream stream)
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

static struct ct_transfer copy_3d(const CUDA_MEMCPY3D *c, CUstream stream)
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

static struct ct_transfer linear(const void *to, const void *from, size_t bytes,
				 enum cudaMemcpyKind direction, CUstream stream)
{
	return ct_transfer_linear(to, from, bytes, direction, stream);
}

static struct ct_transfer fill(CUdeviceptr to, size_t bytes, CUstream stream)
{
	return ct_transfer_fill(P(to), bytes, stream);
}

static struct ct_transfer fill_2d(CUdeviceptr to, size_t pitch, size_t width, size_t height,
				  CUstream stream)
{
	return ct_transfer_fill_rows((struct ct_rows){P(to), pitch}, width, height, stream);
}

WRAP(cuMemcpy, , _ptds, (CUdeviceptr to, CUdeviceptr from, size_t bytes), (to, from, bytes),
     synchronous(linear(P(to), P(from), bytes, cudaMemcpyDefault, NULL)))
WRAP(cuMemcpyAsync, , _ptsz, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream),
     (to, from, bytes, stream), linear(P(to), P(from), bytes, cudaMemcpyDefault, stream))
WRAP(cuMemcpyPeer, , _ptds,
     (CUdeviceptr to, CUcontext there, CUdeviceptr from, CUcontext here, size_t bytes),
     (to, there, from, here, bytes), linear(P(to), P(from), bytes, D2D, NULL))
WRAP(cuMemcpyPeerAsync, , _ptsz,
     (CUdeviceptr to, CUcontext there, CUdeviceptr from, CUcontext here, size_t bytes,
      CUstream stream),
     (to, there, from, here, bytes, stream), linear(P(to), P(from), bytes, D2D, stream))
WRAP(cuMemcpyHtoD, _v2, _ptds, (CUdeviceptr to, const void *from, size_t bytes), (to, from, bytes),
     synchronous(linear(P(to), from, bytes, H2D, NULL)))
WRAP(cuMemcpyHtoDAsync, _v2, _ptsz,
     (CUdeviceptr to, const void *from, size_t bytes, CUstream stream), (to, from, bytes, stream),
     linear(P(to), from, bytes, H2D, stream))
WRAP(cuMemcpyDtoH, _v2, _ptds, (void *to, CUdeviceptr from, size_t bytes), (to, from, bytes),
     synchronous(linear(to, P(from), bytes, D2H, NULL)))
WRAP(cuMemcpyDtoHAsync, _v2, _ptsz, (void *to, CUdeviceptr from, size_t bytes, CUstream stream),
     (to, from, bytes, stream), linear(to, P(from), bytes, D2H, stream))
WRAP(cuMemcpyDtoD, _v2, _ptds, (CUdeviceptr to, CUdeviceptr from, size_t bytes), (to, from, bytes),
     synchronous(linear(P(to), P(from), bytes, D2D, NULL)))
WRAP(cuMemcpyDtoDAsync, _v2, _ptsz,
     (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream), (to, from, bytes, stream),
     linear(P(to), P(from), bytes, D2D, stream))
WRAP(cuMemcpy2D, _v2, _ptds, (const CUDA_MEMCPY2D *copy), (copy), synchronous(copy_2d(copy, NULL)))
WRAP(cuMemcpy2DUnaligned, _v2, _ptds, (const CUDA_MEMCPY2D *copy), (copy),
     synchronous(copy_2d(copy, NULL)))
WRAP(cuMemcpy2DAsync, _v2, _ptsz, (const CUDA_MEMCPY2D *copy, CUstream stream), (copy, stream),
     copy_2d(copy, stream))
WRAP(cuMemcpy3D, _v2, _ptds, (const CUDA_MEMCPY3D *copy), (copy), synchronous(copy_3d(copy, NULL)))
WRAP(cuMemcpy3DAsync, _v2, _ptsz, (const CUDA_MEMCPY3D *copy, CUstream stream), (copy, stream),
     copy_3d(copy, stream))

WRAP(cuMemsetD8, _v2, _ptds, (CUdeviceptr to, unsigned char value, size_t count),
     (to, value, count), fill(to, count, NULL))
WRAP(cuMemsetD16, _v2, _ptds, (CUdeviceptr to, unsigned short value, size_t count),
     (to, value, count), fill(to, 2 * count, NULL))
WRAP(cuMemsetD32, _v2, _ptds, (CUdeviceptr to, unsigned value, size_t count), (to, value, count),
     fill(to, 4 * count, NULL))
WRAP(cuMemsetD8Async, , _ptsz, (CUdeviceptr to, unsigned char value, size_t count, CUstream stream),
     (to, value, count, stream), fill(to, count, stream))
WRAP(cuMemsetD16Async, , _ptsz,
     (CUdeviceptr to, unsigned short value, size_t count, CUstream stream),
     (to, value, count, stream), fill(to, 2 * count, stream))
WRAP(cuMemsetD32Async, , _ptsz, (CUdeviceptr to, unsigned value, size_t count, CUstream stream),
     (to, value, count, stream), fill(to, 4 * count, stream))
WRAP(cuMemsetD2D8, _v2, _ptds,
     (CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height),
     (to, pitch, value, width, height), fill_2d(to, pitch, width, height, NULL))
WRAP(cuMemsetD2D16, _v2, _ptds,
     (CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height),
     (to, pitch, value, width, height), fill_2d(to, pitch, 2 * width, height, NULL))
WRAP(cuMemsetD2D32, _v2, _ptds,
     (CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height),
     (to, pitch, value, width, height), fill_2d(to, pitch, 4 * width, height, NULL))
WRAP(cuMemsetD2D8Async, , _ptsz,
     (CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height,
      CUstream stream),
     (to, pitch, value, width, height, stream), fill_2d(to, pitch, width, height, stream))
WRAP(cuMemsetD2D16Async, , _ptsz,
     (CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height,
      CUstream stream),
     (to, pitch, value, width, height, stream), fill_2d(to, pitch, 2 * width, height, stream))
WRAP(cuMemsetD2D32Async, , _ptsz,
     (CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height, CUstream stream),
     (to, pitch, value, width, height, stream), fill_2d(to, pitch, 4 * width, height, stream))
