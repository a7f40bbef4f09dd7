/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and memsets of every shape: what they move, and what the trace says of each. */
#include "feature.h"

enum { N = 256, BYTES = 4096 };

__device__ int table[N];

__global__ void add(int *data)
{
	data[threadIdx.x] += table[threadIdx.x];
}

static char host[BYTES];

static void contiguous(char *a, char *b, char *pinned, cudaStream_t stream)
{
	need(cudaMemset(a, 1, BYTES), "cudaMemset");
	need(cudaMemsetAsync(b + 8, 2, 100, stream), "cudaMemsetAsync");
	need(cudaMemcpy(host, a, 1000, cudaMemcpyDeviceToHost), "to pageable memory");
	check("to pageable memory", host[0] == 1 && host[999] == 1 && host[1000] == 0);
	need(cudaMemcpy(pinned, a, 1001, cudaMemcpyDefault), "to pinned memory");
	need(cudaMemcpy(a + 1, host, 1002, cudaMemcpyHostToDevice), "from pageable memory");
	need(cudaMemcpy(a + 2, pinned, 1003, cudaMemcpyHostToDevice), "from pinned memory");
	need(cudaMemcpy(b, a + 3, 1004, cudaMemcpyDeviceToDevice), "on the device");
	need(cudaMemcpy(pinned, host, 1005, cudaMemcpyHostToHost), "on the host");
	need(cudaMemcpyAsync(a, b, 2001, cudaMemcpyDeviceToDevice, stream), "async");
	need(cudaMemcpyAsync(pinned, a, 2002, cudaMemcpyDeviceToHost, stream), "async to pinned");
	need(cudaMemcpyAsync(host, a, 2003, cudaMemcpyDefault, stream), "async to pageable");
	need(cudaMemcpyAsync(a, pinned, 2004, cudaMemcpyHostToDevice, stream), "async from pinned");
	need(cudaMemcpyPeer(a, 0, b, 0, 2005), "cudaMemcpyPeer");
	need(cudaMemcpyPeerAsync(b, 0, a, 0, 2006, stream), "cudaMemcpyPeerAsync");
	need(cudaMemcpy(a, b, 0, cudaMemcpyDeviceToDevice), "nothing");
	check("refused", cudaMemcpy(a, NULL, 7, cudaMemcpyDeviceToDevice) != cudaSuccess);
	check("last error", cudaGetLastError() != cudaSuccess);
}

static void variables(char *a, char *pinned, cudaStream_t stream)
{
	need(cudaMemcpyToSymbol(table, pinned, 64, 16), "cudaMemcpyToSymbol");
	need(cudaMemcpyToSymbolAsync(table, a, 65, 32, cudaMemcpyDeviceToDevice, stream), "async");
	need(cudaMemcpyFromSymbol(pinned, table, 66, 48), "cudaMemcpyFromSymbol");
	need(cudaMemcpyFromSymbolAsync(pinned, table, 67, 3, cudaMemcpyDeviceToHost, stream),
	     "async");
}

static void rows(char *a, char *b, cudaStream_t stream)
{
	cudaPitchedPtr pitched = make_cudaPitchedPtr(a, 128, 100, 6);
	cudaMemcpy3DParms box = {};

	need(cudaMemset2D(a, 128, 3, 100, 7), "cudaMemset2D");
	need(cudaMemset2DAsync(a + 3, 256, 4, 90, 8, stream), "cudaMemset2DAsync");
	need(cudaMemset3D(pitched, 5, make_cudaExtent(80, 5, 3)), "cudaMemset3D");
	need(cudaMemset3DAsync(pitched, 6, make_cudaExtent(81, 6, 2), stream), "cudaMemset3DAsync");
	need(cudaMemcpy2D(host, 100, a, 128, 99, 5, cudaMemcpyDeviceToHost), "cudaMemcpy2D");
	need(cudaMemcpy2DAsync(b, 64, a, 128, 60, 4, cudaMemcpyDeviceToDevice, stream), "2DAsync");
	box.srcPtr = pitched;
	box.dstPtr = make_cudaPitchedPtr(host, 50, 50, 10);
	box.srcPos = make_cudaPos(4, 2, 1);
	box.dstPos = make_cudaPos(1, 1, 1);
	box.extent = make_cudaExtent(40, 4, 2);
	box.kind = cudaMemcpyDeviceToHost;
	need(cudaMemcpy3D(&box), "cudaMemcpy3D");
	box.dstPtr = make_cudaPitchedPtr(b, 64, 64, 8);
	box.kind = cudaMemcpyDefault;
	need(cudaMemcpy3DAsync(&box, stream), "cudaMemcpy3DAsync");
}

int main()
{
	char *a, *b, *pinned, *managed;
	cudaStream_t stream;

	need(cudaMalloc((void **)&a, BYTES), "cudaMalloc");
	need(cudaMalloc((void **)&b, BYTES), "cudaMalloc");
	need(cudaMallocHost((void **)&pinned, BYTES), "cudaMallocHost");
	need(cudaMallocManaged((void **)&managed, BYTES), "cudaMallocManaged");
	need(cudaStreamCreate(&stream), "cudaStreamCreate");
	contiguous(a, b, pinned, stream);
	need(cudaMemcpy(managed, a, 3001, cudaMemcpyDefault), "to managed memory");
	variables(a, pinned, stream);
	rows(a, b, stream);
	need(cudaMemcpyAsync(a, b, 3002, cudaMemcpyDeviceToDevice, 0), "default stream");
	need(cudaMemsetAsync(a, 0, 3003, cudaStreamPerThread), "the thread's stream");
	add<<<1, N, 0, stream>>>((int *)a);
	add<<<1, N>>>((int *)a);
	return finish();
}
