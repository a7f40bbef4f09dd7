// SPDX-License-Identifier: Apache-2.0
// The grid waits for itself between two phases of a cooperative launch.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void smooth(const float *in, float *middle, float *out, int n)
{
	cg::grid_group grid = cg::this_grid();
	int i = grid.thread_rank();

	if (i < n)
		middle[i] = 2 * in[i];
	grid.sync();
	if (i < n)
		out[i] = middle[i ? i - 1 : 0] + middle[i < n - 1 ? i + 1 : i];
}

int main()
{
	int n = 120;
	float host[120] = {}, *in, *middle, *out;

	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&middle, sizeof(host));
	cudaMalloc(&out, sizeof(host));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	void *arguments[] = {&in, &middle, &out, &n};
	cudaLaunchCooperativeKernel((const void *)smooth, dim3(2), dim3(64), arguments, 0, 0);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(middle);
	cudaFree(out);
	puts("done");
	return 0;
}
