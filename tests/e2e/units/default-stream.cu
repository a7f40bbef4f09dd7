/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Built with -fgpu-default-stream=per-thread, beside a unit that is not: whatever is launched
 * without a stream is in the calling thread's own stream, and does not wait for that of another
 * thread.
 */
// construct: option -fgpu-default-stream
// construct: per-thread default stream
#include "../features/feature.h"
#include <thread>

void add_in_legacy_stream(const void *kernel, int *p, int value);

__global__ void wait_for(volatile int *flag, int *seen)
{
	while (!*flag)
		;
	*seen = 1;
}

__global__ void set(volatile int *flag)
{
	*flag = 1;
}

__global__ void add(int *p, int value)
{
	*p = 3 * *p + value;
}

static void launch_in_each_way(int *p)
{
	int value = 2;
	void *arguments[] = {&p, &value};
	cudaLaunchConfig_t config = {};
	cudaGraph_t graph;
	cudaGraphExec_t exec;

	config.gridDim = config.blockDim = dim3(1);
	add<<<1, 1>>>(p, 1);
	need(cudaLaunchKernel(add, 1, 1, arguments), "cudaLaunchKernel");
	need(cudaLaunchKernelEx(&config, add, p, 3), "cudaLaunchKernelEx");
	value = 4;
	need(cudaLaunchCooperativeKernel(add, 1, 1, arguments), "cudaLaunchCooperativeKernel");
	need(cudaStreamBeginCapture(0, cudaStreamCaptureModeThreadLocal), "begin of capture");
	add<<<1, 1>>>(p, 5);
	need(cudaStreamEndCapture(0, &graph), "end of capture");
	need(cudaGraphInstantiate(&exec, graph), "cudaGraphInstantiate");
	need(cudaGraphLaunch(exec, 0), "cudaGraphLaunch");
	add<<<1, 1, 0, cudaStreamPerThread>>>(p, 6);
	add_in_legacy_stream((const void *)add, p, 7);
	add<<<1, 1, 0, cudaStreamLegacy>>>(p, 8);
	add<<<1, 1>>>(p, 9);
	need(cudaStreamSynchronize(0), "cudaStreamSynchronize");
	need(cudaGraphExecDestroy(exec), "cudaGraphExecDestroy");
	need(cudaGraphDestroy(graph), "cudaGraphDestroy");
}

static int digits(int last)
{
	return last ? 3 * digits(last - 1) + last : 0;
}

/* While main's stream is busy. */
static void other_thread(int *flag, int *p, cudaEvent_t event)
{
	int value;

	check("another thread's stream is idle", cudaStreamQuery(0) == cudaSuccess);
	need(cudaMemcpy(&value, p, sizeof(value), cudaMemcpyDeviceToHost), "cudaMemcpy");
	check("a copy waits for its own stream", value == digits(9));
	check("main's stream is busy", cudaEventQuery(event) == cudaErrorNotReady);
	(void)cudaGetLastError();
	set<<<1, 1>>>(flag);
	need(cudaStreamSynchronize(0), "cudaStreamSynchronize");
}

int main()
{
	int *flag, *p;
	cudaEvent_t event;

	/* A kernel that is loaded when it is launched first may have to wait for one that runs. */
	setenv("CUDA_MODULE_LOADING", "EAGER", 1);
	flag = device_array<int>(1);
	p = device_array<int>(2);
	need(cudaEventCreate(&event), "cudaEventCreate");
	launch_in_each_way(p);
	wait_for<<<1, 1>>>(flag, p + 1);
	check("a launch is in the thread's stream", cudaStreamQuery(0) == cudaErrorNotReady);
	(void)cudaGetLastError();
	need(cudaEventRecord(event, 0), "cudaEventRecord");
	std::thread(other_thread, flag, p, event).join();
	need(cudaStreamSynchronize(0), "cudaStreamSynchronize");
	check("both have ended", all_equal(p, 2, [](size_t i) { return i ? 1 : digits(9); }));
	return finish();
}
