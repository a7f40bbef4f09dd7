/* SPDX-License-Identifier: Apache-2.0 */
/* Two streams: with an event between them, without one, and after a wait of the host. */
#include "run.h"

__global__ void put(int *a)
{
	a[blockIdx.x * 32 + threadIdx.x] = 1;
}

/* Reads the other CTA's part. */
__global__ void take(const int *a, int *b)
{
	b[blockIdx.x * 32 + threadIdx.x] = a[(1 - blockIdx.x) * 32 + threadIdx.x];
}

int main()
{
	cudaStream_t one, two;
	cudaEvent_t event;
	int *a, *b, *c, *d;

	must(cudaMalloc(&a, 2 * 32 * sizeof(int)));
	must(cudaMalloc(&b, 2 * 32 * sizeof(int)));
	must(cudaMalloc(&c, 2 * 32 * sizeof(int)));
	must(cudaMalloc(&d, 2 * 32 * sizeof(int)));
	must(cudaStreamCreate(&one));
	must(cudaStreamCreate(&two));
	must(cudaEventCreate(&event));

	put<<<2, 32, 0, one>>>(a);
	must(cudaEventRecord(event, one));
	must(cudaStreamWaitEvent(two, event, 0));
	take<<<2, 32, 0, two>>>(a, b);

	put<<<2, 32, 0, one>>>(c);
	take<<<2, 32, 0, two>>>(c, d);

	must(cudaDeviceSynchronize());
	take<<<2, 32, 0, two>>>(c, b);
	return finish();
}
