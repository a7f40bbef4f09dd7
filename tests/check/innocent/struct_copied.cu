// SPDX-License-Identifier: Apache-2.0
// Structures of which one field was written are copied on the device; only this field is read.
#include <cstdio>

struct cell {
	float mass;
	float unused[3];
};

__global__ void write(cell *c)
{
	c[threadIdx.x].mass = 1.f + threadIdx.x;
}

__global__ void read(const cell *c, float *out)
{
	out[threadIdx.x] = c[threadIdx.x].mass;
}

int main()
{
	const int n = 32;
	cell *a, *b;
	float *out;

	cudaMalloc(&a, n * sizeof(cell));
	cudaMalloc(&b, n * sizeof(cell));
	cudaMalloc(&out, n * sizeof(float));
	write<<<1, n>>>(a);
	cudaMemcpy(b, a, n * sizeof(cell), cudaMemcpyDeviceToDevice);
	read<<<1, n>>>(b, out);
	cudaDeviceSynchronize();
	cudaFree(a);
	cudaFree(b);
	cudaFree(out);
	puts("done");
	return 0;
}
