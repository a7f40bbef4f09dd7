// SPDX-License-Identifier: Apache-2.0
// More objects than tier counts has room for, and then fewer again.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void set(int *to, int value)
{
	to[threadIdx.x] = value;
}

static void check(cudaError_t error)
{
	if (error != cudaSuccess) {
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
		exit(1);
	}
}

int main()
{
	std::vector<int *> objects(9000);
	int *first;

	check(cudaMalloc(&first, 32 * sizeof(int)));
	set<<<1, 32>>>(first, 1);
	for (int *&object : objects)
		check(cudaMalloc(&object, 32 * sizeof(int)));
	set<<<1, 32>>>(first, 2);
	for (size_t i = 500; i < objects.size(); i++)
		check(cudaFree(objects[i]));
	set<<<1, 32>>>(objects[499], 3);
	check(cudaDeviceSynchronize());
	for (size_t i = 0; i < 500; i++)
		check(cudaFree(objects[i]));
	check(cudaFree(first));
	printf("objects: ok\n");
	return 0;
}
