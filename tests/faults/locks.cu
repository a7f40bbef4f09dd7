/* SPDX-License-Identifier: Apache-2.0 */
/* locks: calls of all kinds that take locks of the runtime within each other. Prints its sum. */
#include "feature.h"
#include <cstdlib>
#include <thread>

#define NEED(call) need(call, #call)

enum { COUNT = 1 << 16 };

__global__ void add(unsigned *data, unsigned more)
{
	data[blockIdx.x * blockDim.x + threadIdx.x] += more;
}

/* It copies from and to these: pageable blocks that the library of --uses is given, and pinned
 * ones */
static void work(unsigned *sum)
{
	unsigned *device, *pinned, *pageable = (unsigned *)malloc(COUNT * sizeof(unsigned));
	cudaStream_t stream;
	cudaEvent_t event;
	cudaGraph_t graph;
	cudaGraphExec_t exec;

	for (int i = 0; i < COUNT; i++)
		pageable[i] = 1;
	NEED(cudaStreamCreate(&stream));
	NEED(cudaEventCreate(&event));
	NEED(cudaMalloc(&device, COUNT * sizeof(unsigned)));
	NEED(cudaMallocHost(&pinned, COUNT * sizeof(unsigned)));
	NEED(cudaMemcpyAsync(device, pageable, COUNT * sizeof(unsigned), cudaMemcpyHostToDevice,
			     stream));
	for (int i = 0; i < 3; i++) {
		add<<<COUNT / 256, 256, 0, stream>>>(device, 1);
		NEED(cudaEventRecord(event, stream));
	}
	NEED(cudaEventSynchronize(event));
	NEED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
	add<<<COUNT / 256, 256, 0, stream>>>(device, 2);
	NEED(cudaMemcpyAsync(pinned, device, COUNT * sizeof(unsigned), cudaMemcpyDeviceToHost,
			     stream));
	NEED(cudaStreamEndCapture(stream, &graph));
	NEED(cudaGraphInstantiate(&exec, graph, 0));
	NEED(cudaGraphLaunch(exec, stream));
	NEED(cudaLaunchHostFunc(
	    stream, [](void *user) { ++*(unsigned *)user; }, sum));
	NEED(cudaStreamSynchronize(stream));
	*sum += pinned[COUNT / 2];
	NEED(cudaMemcpy(pageable, device, COUNT * sizeof(unsigned), cudaMemcpyDeviceToHost));
	*sum += pageable[COUNT - 1];
	NEED(cudaGraphExecDestroy(exec));
	NEED(cudaGraphDestroy(graph));
	NEED(cudaFreeHost(pinned));
	NEED(cudaFree(device));
	NEED(cudaEventDestroy(event));
	NEED(cudaStreamDestroy(stream));
	free(pageable);
}

int main()
{
	unsigned first = 0, second = 0;
	std::thread other(work, &first);

	other.join();
	work(&second);
	printf("%u\n", first + second);
	return 0;
}
