/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that launch kernels. */
// construct: dynamic parallelism
#include "../features/feature.h"

struct mixed {
	char small;
	double wide;
};

__global__ void leaf(int *data, mixed m, short add)
{
	data[blockIdx.x * blockDim.x + threadIdx.x] += add + m.small + (int)m.wide;
}

__global__ void middle(int *data, int depth)
{
	data[threadIdx.x] += 1;
	if (threadIdx.x == 0 && depth > 0)
		middle<<<1, blockDim.x>>>(data, depth - 1);
}

__global__ void parent(int *data)
{
	mixed m = {3, 4.0};

	if (threadIdx.x == 0) {
		leaf<<<2, 32>>>(data + 64 * blockIdx.x, m, 5);
		middle<<<1, 64>>>(data + 64 * blockIdx.x, 3);
	}
}

__global__ void moves(int *data)
{
	/* CUDA 13.0's library for devices writes 0 whatever it is given. */
	cudaMemsetAsync(data, 0, 64, 0);
	middle<<<1, 16>>>(data, 0);
	cudaMemcpyAsync(data + 16, data, 32, cudaMemcpyDeviceToDevice, 0);
}

int main()
{
	int *data = device_array<int>(256);

	parent<<<4, 32>>>(data);
	check("children and their children end before the grid does",
	      all_equal(data, 256, [](size_t) { return 16; }));
	moves<<<1, 1>>>(data);
	check("copies and fills have their turn",
	      all_equal(data, 32, [](size_t i) { return i < 24 ? 1 : 16; }));
	return finish();
}
