// SPDX-License-Identifier: Apache-2.0
// A loop that polls makes another number of calls in each run of the program, which counts its runs
// in a file. What comes before it and behind it is the same in all of them, and is found.
#include "burn.h"
constexpr int N = 2048;
__global__ void held(volatile int *gate)
{
	while (threadIdx.x == 0 && !*gate)
		__nanosleep(20000);
}
__global__ void work(float *x, float k, int r)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned z = spin(r, i);
	x[i] = k + i + (z == 7u);
}
static int run_number()
{
	int number = 0;
	FILE *file = fopen("polling.runs", "a+");
	if (!file)
		exit(3);
	while (fgetc(file) != EOF)
		number++;
	fputc('.', file);
	fclose(file);
	return number;
}
// Asks so often, then lets the kernel end.
static void count(long *asked, long times, volatile int *gate)
{
	if (++*asked < times)
		return;
	*gate = 1;
	usleep(2000);
}
static void poll(cudaStream_t s, cudaEvent_t e, volatile int *gate, int *device_gate, long times)
{
	*gate = 0;
	held<<<1, 32, 0, s>>>(device_gate);
	OK(cudaEventRecord(e, s));
	for (long asked = 0; cudaEventQuery(e) == cudaErrorNotReady;)
		count(&asked, times, gate);
	*gate = 0;
	held<<<1, 32, 0, s>>>(device_gate);
	OK(cudaEventRecord(e, s));
	for (long asked = 0;
	     cudaStreamQuery(s) == cudaErrorNotReady && cudaEventQuery(e) == cudaErrorNotReady;)
		count(&asked, times, gate);
}
int main()
{
	static const long polls[] = {1, 6000, 20, 3000};
	const long times = polls[run_number() % 4];
	static float table[N], result[N];
	float *d;
	int *gate, *device_gate;
	cudaStream_t s;
	cudaEvent_t e;
	double sum = 0;
	OK(cudaMalloc(&d, N * 4));
	OK(cudaHostAlloc(&gate, sizeof(*gate), cudaHostAllocMapped));
	OK(cudaHostGetDevicePointer(&device_gate, gate, 0));
	OK(cudaStreamCreate(&s));
	OK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
	for (int k = 0; k < 5; k++) {
		work<<<N / 128, 128>>>(d, k, ROUNDS / 400);
		// problem: unnecessary-synchronization 5 of 5 times
		OK(cudaDeviceSynchronize()); // BEFORE
	}
	poll(s, e, gate, device_gate, times);
	for (int k = 0; k < 8; k++) {
		work<<<N / 128, 128>>>(d, k, ROUNDS / 400);
		// problem: unnecessary-synchronization 8 of 8 times
		OK(cudaDeviceSynchronize()); // BEHIND
	}
	for (int k = 0; k < 4; k++)
		// problem: unnecessary-transfer 3 of 4 times
		OK(cudaMemcpy(d, table, sizeof(table), cudaMemcpyHostToDevice)); // AGAIN
	work<<<N / 128, 128>>>(d, 1, ROUNDS / 400);
	OK(cudaMemcpy(result, d, sizeof(result), cudaMemcpyDeviceToHost)); // NEEDED
	for (float value : result)
		sum += value;
	printf("%.1f\n", sum);
	return 0;
}
