// SPDX-License-Identifier: Apache-2.0
// A structure with an array is a kernel's argument.
#include <cstdio>

struct tables {
	int *rows[4];
	int lengths[4];
};

__global__ void fill(const tables t)
{
	int which = threadIdx.y;

	if (threadIdx.x < t.lengths[which])
		t.rows[which][threadIdx.x] = which;
}

int main()
{
	tables t;

	for (int i = 0; i < 4; i++) {
		t.lengths[i] = 10 + 5 * i;
		cudaMalloc(&t.rows[i], t.lengths[i] * sizeof(int));
	}
	fill<<<1, dim3(32, 4)>>>(t);
	cudaDeviceSynchronize();
	for (int i = 0; i < 4; i++)
		cudaFree(t.rows[i]);
	puts("done");
	return 0;
}
