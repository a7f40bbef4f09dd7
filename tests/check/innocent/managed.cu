// SPDX-License-Identifier: Apache-2.0
// Managed memory in turns: host, kernel, host.
#include <cstdio>

struct body {
	float3 at;
	float mass;
};

__global__ void fall(body *bodies, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		bodies[i].at.z -= 9.81f * bodies[i].mass;
}

int main()
{
	const int n = 100;
	body *bodies;
	float sum = 0;

	cudaMallocManaged(&bodies, n * sizeof(body));
	for (int i = 0; i < n; i++)
		bodies[i] = {{0, 0, 1.f * i}, 2.f};
	for (int step = 0; step < 2; step++) {
		fall<<<2, 64>>>(bodies, n);
		cudaDeviceSynchronize();
		for (int i = 0; i < n; i++)
			sum += bodies[i].at.z;
	}
	printf("%d\n", sum < 0);
	cudaFree(bodies);
	return 0;
}
