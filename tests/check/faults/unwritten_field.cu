// SPDX-License-Identifier: Apache-2.0
// Particles get positions and no velocities.
#include <cstdio>

struct particle {
	float3 position;
	float3 velocity;
};

__global__ void place(particle *p, int n)
{
	int i = threadIdx.x;

	if (i < n)
		p[i].position = make_float3(i, 2 * i, 3 * i);
}

__global__ void move(particle *p, int n, float dt)
{
	int i = threadIdx.x;

	if (i < n)
		p[i].position.x += dt * p[i].velocity.x; // check: uninitialized-read
}

int main()
{
	const int n = 50;
	particle *p;

	cudaMalloc(&p, n * sizeof(particle));
	place<<<1, 64>>>(p, n);
	move<<<1, 64>>>(p, n, 0.1f);
	cudaDeviceSynchronize();
	cudaFree(p);
	puts("done");
	return 0;
}
