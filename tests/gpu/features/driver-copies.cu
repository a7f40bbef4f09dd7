/* SPDX-License-Identifier: Apache-2.0 */
/* Copies, memsets, streams and events of the driver API are in the trace like the runtime's. */
#include "feature.h"
#include <cuda.h>

enum { N = 256, BYTES = 4096 };

__global__ void add(int *data)
{
	data[threadIdx.x] += 1;
}

static void need_driver(CUresult result, const char *what)
{
	need((cudaError_t)result, what);
}

#define DO(call) need_driver(call, #call)

static char host[BYTES];

static void contiguous(CUdeviceptr a, CUdeviceptr b, char *pinned, CUstream s, CUstream t)
{
	CUcontext context;

	DO(cuCtxGetCurrent(&context));
	DO(cuMemcpyHtoD(a, host, 1000));
	DO(cuMemcpyDtoH(host, a + 1, 1001));
	DO(cuMemcpyDtoD(b, a + 2, 1002));
	DO(cuMemcpy(b, a, 1003));
	DO(cuMemcpyHtoDAsync(a, pinned, 1004, s));
	DO(cuMemcpyDtoHAsync(pinned, a, 1005, s));
	DO(cuMemcpyDtoDAsync(b, a, 1006, s));
	DO(cuMemcpyAsync((CUdeviceptr)pinned, b, 1007, t));
	DO(cuMemcpyPeer(b, context, a, context, 1008));
	DO(cuMemsetD8(a, 1, 100));
	DO(cuMemsetD16(a, 1, 101));
	DO(cuMemsetD32(a, 1, 102));
	DO(cuMemsetD8Async(a, 1, 103, s));
	DO(cuMemsetD16Async(a, 1, 104, s));
	DO(cuMemsetD32Async(a, 1, 105, s));
	check("refused", cuMemcpyHtoD(0, host, 10) != CUDA_SUCCESS);
}

static void rows(CUdeviceptr a, CUdeviceptr b, CUstream s)
{
	CUDA_MEMCPY2D flat = {};
	CUDA_MEMCPY3D box = {};

	DO(cuMemsetD2D8(a, 128, 1, 60, 4));
	DO(cuMemsetD2D16(a, 128, 1, 30, 5));
	DO(cuMemsetD2D32Async(a, 128, 1, 20, 6, s));
	flat.srcMemoryType = CU_MEMORYTYPE_DEVICE;
	flat.srcDevice = a;
	flat.srcPitch = 128;
	flat.srcXInBytes = 3;
	flat.srcY = 2;
	flat.dstMemoryType = CU_MEMORYTYPE_HOST;
	flat.dstHost = host;
	flat.dstPitch = 64;
	flat.WidthInBytes = 50;
	flat.Height = 7;
	DO(cuMemcpy2D(&flat));
	DO(cuMemcpy2DAsync(&flat, s));
	box.srcMemoryType = CU_MEMORYTYPE_DEVICE;
	box.srcDevice = a;
	box.srcPitch = 64;
	box.srcHeight = 8;
	box.srcZ = 1;
	box.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
	box.dstDevice = b;
	box.dstPitch = 32;
	box.dstHeight = 10;
	box.dstY = 1;
	box.WidthInBytes = 30;
	box.Height = 6;
	box.Depth = 2;
	DO(cuMemcpy3D(&box));
	DO(cuMemcpy3DAsync(&box, s));
}

static void ordered(CUstream s, CUstream t)
{
	CUevent event;

	DO(cuEventCreate(&event, CU_EVENT_DEFAULT));
	DO(cuEventRecord(event, s));
	DO(cuStreamWaitEvent(t, event, 0));
	DO(cuEventSynchronize(event));
	DO(cuEventQuery(event));
	DO(cuStreamSynchronize(s));
	DO(cuStreamQuery(s));
	DO(cuEventDestroy(event));
	DO(cuStreamDestroy(t));
	DO(cuCtxSynchronize());
}

int main()
{
	char *a, *b, *pinned;
	CUstream s, t;

	need(cudaMalloc((void **)&a, BYTES), "cudaMalloc");
	need(cudaMalloc((void **)&b, BYTES), "cudaMalloc");
	need(cudaMallocHost((void **)&pinned, BYTES), "cudaMallocHost");
	DO(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	DO(cuStreamCreateWithPriority(&t, CU_STREAM_DEFAULT, 0));
	contiguous((CUdeviceptr)a, (CUdeviceptr)b, pinned, s, t);
	rows((CUdeviceptr)a, (CUdeviceptr)b, s);
	add<<<1, N>>>((int *)a);
	ordered(s, t);
	return finish();
}
