/* SPDX-License-Identifier: Apache-2.0 */
/* Regions and pauses, before and after the trace is opened, in two threads. */
#include <cstdio>
#include <cuda_runtime.h>
#include <cudatrace/cudatrace.h>
#include <thread>

__global__ void count(int *value)
{
	atomicAdd(value, 1);
}

static int *value;

static void launch()
{
	count<<<1, 1>>>(value);
}

static void others()
{
	ct_region_begin("other");
	launch(); /* 5 */
	ct_region_end("other");
	launch(); /* 6 */
}

int main()
{
	int result = -1;

	ct_region_begin("before");
	ct_pause();
	cudaMalloc(&value, sizeof(*value));
	cudaMemset(value, 0, sizeof(*value));
	launch(); /* 1 */
	ct_resume();
	launch(); /* 2 */
	ct_region_end("before");
	ct_region_begin("outer");
	ct_region_begin(NULL);
	launch();               /* 3 */
	ct_region_end("outer"); /* not the innermost */
	launch();               /* 4 */
	cudaDeviceSynchronize();
	std::thread(others).join();
	ct_region_end(NULL);
	ct_region_end("outer");
	ct_region_end("outer"); /* in no region any more */
	ct_pause();
	ct_pause();
	ct_resume();
	launch(); /* 7 */
	ct_resume();
	ct_resume(); /* not paused any more */
	launch();    /* 8 */
	cudaMemcpy(&result, value, sizeof(result), cudaMemcpyDeviceToHost);
	printf("%d launches\n", result);
	return result != 8;
}
