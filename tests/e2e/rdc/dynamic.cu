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

int main()
{
	int *data = device_array<int>(256);

	parent<<<4, 32>>>(data);
	check("children and their children end before the grid does",
	      all_equal(data, 256, [](size_t) { return 16; }));
	return finish();
}
