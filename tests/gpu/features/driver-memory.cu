/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the driver API is an object of the trace, linked or asked for at run time. */
#include "feature.h"
#include <cuda.h>

__global__ void add(int *data)
{
	data[threadIdx.x] += 1;
}

static void need_driver(CUresult result, const char *what)
{
	need((cudaError_t)result, what);
}

#define DO(call) need_driver(call, #call)

static void linked(CUstream stream)
{
	static char registered[8192];
	CUdeviceptr plain, managed, rows, ordered;
	void *pinned, *flagged;
	size_t pitch;

	DO(cuMemAlloc(&plain, 1024));
	DO(cuMemAllocManaged(&managed, 2048, CU_MEM_ATTACH_GLOBAL));
	DO(cuMemAllocPitch(&rows, &pitch, 512, 4, 4));
	DO(cuMemAllocAsync(&ordered, 3072, stream));
	DO(cuMemAllocHost(&pinned, 4096));
	DO(cuMemHostAlloc(&flagged, 5120, 0));
	DO(cuMemHostRegister(registered, sizeof(registered), 0));
	add<<<1, 64>>>((int *)plain);
	DO(cuMemHostUnregister(registered));
	DO(cuMemFreeHost(pinned));
	DO(cuMemFreeHost(flagged));
	DO(cuMemFreeAsync(ordered, stream));
	DO(cuMemFree(rows));
	DO(cuMemFree(managed));
	DO(cuMemFree(plain));
}

/* version: of CUDA, whose function it is. */
template <typename Function> Function driver_call(const char *name, unsigned version)
{
	cudaDriverEntryPointQueryResult found;
	void *function = NULL;

	(void)cudaGetDriverEntryPointByVersion(name, &function, version, cudaEnableDefault, &found);
	return (Function)function;
}

static void asked()
{
	auto allocate = driver_call<CUresult (*)(CUdeviceptr *, size_t)>("cuMemAlloc", 12000);
	auto release = driver_call<CUresult (*)(CUdeviceptr)>("cuMemFree", 12000);
	auto first = driver_call<CUresult (*)(unsigned *, unsigned)>("cuMemAlloc", 2000);
	unsigned low = 0;
	CUdeviceptr data;

	DO(allocate(&data, 6144));
	DO(release(data));
	DO(cuGetProcAddress("cuMemAlloc", (void **)&allocate, 12000, CU_GET_PROC_ADDRESS_DEFAULT,
			    NULL));
	DO(allocate(&data, 7168));
	DO(cuMemFree(data));
	/* Its addresses have 32 bits: it is not the function that we know. */
	if (first)
		(void)first(&low, 16);
	(void)cudaGetLastError();
}

int main()
{
	cudaStream_t stream;

	need(cudaStreamCreate(&stream), "cudaStreamCreate");
	linked(stream);
	asked();
	need(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
	return finish();
}
