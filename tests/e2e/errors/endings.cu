/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ways for a program to end. `endings HOW` launches `fill` three times on
 * COUNT numbers, synchronised unless HOW begins with "async-", then ends:
 *
 *   return, async-return   return from main
 *   exit, async-exit       exit(), two functions down
 *   reset                  cudaDeviceReset, then return
 *   kill                   no end of its own: waits to be killed
 *   trap, assert, fault    a kernel that fails; says which error came back
 */
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <unistd.h>

static const int COUNT = 1 << 15;
static const int LAUNCHES = 3;

__global__ void fill(int *data, int value, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		data[i] = value;
}

__global__ void break_by_trap(int *data)
{
	data[threadIdx.x] = 1;
	if (threadIdx.x == 5)
		__trap();
}

__global__ void break_by_assert(int *data)
{
	data[threadIdx.x] = 1;
	assert(threadIdx.x != 5);
}

__global__ void break_by_fault(int *data, int *nowhere)
{
	data[threadIdx.x] = 1;
	nowhere[threadIdx.x] = 1;
}

static void check(cudaError_t error)
{
	if (!error)
		return;
	printf("endings: %s\n", cudaGetErrorName(error));
	exit(3);
}

static void leave()
{
	printf("endings: exit\n");
	exit(0);
}

/* Time for the leftovers of earlier launches to reach the host: not every
 * synchronisation fetches them. */
static void conclude()
{
	for (int i = 0; i < 2; i++) {
		usleep(20000);
		check(cudaDeviceSynchronize());
	}
}

/* The trace must come to hold what was stored though nothing more is called. */
static void wait_for_a_kill()
{
	conclude();
	alarm(300); /* of whoever is forgotten */
	for (;;)
		pause();
}

static void launch_broken(const char *how, int *data)
{
	conclude();
	if (!strcmp(how, "trap"))
		break_by_trap<<<1, 32>>>(data);
	else if (!strcmp(how, "assert"))
		break_by_assert<<<1, 32>>>(data);
	else
		break_by_fault<<<1, 32>>>(data, nullptr);
	check(cudaGetLastError());
	check(cudaDeviceSynchronize());
	printf("endings: the error was not reported\n");
	exit(4);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "return";
	bool waits = strncmp(how, "async-", 6) != 0;
	int *data;

	check(cudaMalloc(&data, COUNT * sizeof(int)));
	for (int launch = 0; launch < LAUNCHES; launch++) {
		fill<<<COUNT / 256, 256>>>(data, launch, COUNT);
		check(cudaGetLastError());
		if (waits)
			check(cudaDeviceSynchronize());
	}
	how += waits ? 0 : 6;
	if (!strcmp(how, "exit"))
		leave();
	if (!strcmp(how, "kill"))
		wait_for_a_kill();
	if (!strcmp(how, "reset"))
		check(cudaDeviceReset());
	else if (strcmp(how, "return"))
		launch_broken(how, data);
	printf("endings: return\n");
	return 0;
}
