// SPDX-License-Identifier: Apache-2.0
// launches [COUNT]: launches of a kernel that does next to nothing, one behind the other, a wait
// after each thousand. Prints microseconds per launch.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <cuda_runtime.h>

__global__ void step(int *data)
{
	data[threadIdx.x]++;
}

static double now()
{
	timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

__attribute__((noinline)) static void launch(int *data, int count)
{
	for (int i = 0; i < count; i++)
		step<<<1, 32>>>(data);
	cudaDeviceSynchronize();
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 100000, *data;
	double begin;

	cudaMalloc(&data, 128);
	launch(data, 1000);
	begin = now();
	for (int i = 0; i < count; i += 1000)
		launch(data, 1000);
	printf("%.4f\n", (now() - begin) / count * 1e6);
	return cudaGetLastError() != cudaSuccess;
}
