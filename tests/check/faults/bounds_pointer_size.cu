// SPDX-License-Identifier: Apache-2.0
// The size of the pointer is taken for that of the type.
#include <cstdio>

struct particle {
	float position[3];
	float velocity[3];
	float mass;
	int kind;
};

__global__ void reset(particle *particles, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		particles[i].mass = 1; // check: out-of-bounds
}

int main()
{
	const int n = 64;
	particle *particles;

	cudaMalloc(&particles, n * sizeof(particles));
	reset<<<1, n>>>(particles, n);
	printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
	cudaFree(particles);
	return 0;
}
