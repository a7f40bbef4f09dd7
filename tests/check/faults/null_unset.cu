// SPDX-License-Identifier: Apache-2.0
// A structure was cleared by memset, and its pointer never set.
#include <cstdio>

struct job {
	const float *in;
	float *out;
	int n;
};

__global__ void run(job *j)
{
	int i = threadIdx.x;

	if (i < j->n)
		j->out[i] = j->in[i]; // check: no-memory
}

int main()
{
	job host = {}, *device;
	float *out;

	cudaMalloc(&out, 64 * sizeof(float));
	cudaMalloc(&device, sizeof(job));
	cudaMemset(device, 0, sizeof(job));
	host.out = out;
	host.n = 64;
	cudaMemcpy(device, &host, sizeof(job), cudaMemcpyHostToDevice);
	run<<<1, 64>>>(device);
	printf("%d\n", cudaDeviceSynchronize() != cudaSuccess);
	cudaFree(out);
	cudaFree(device);
	return 0;
}
