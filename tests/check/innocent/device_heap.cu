// SPDX-License-Identifier: Apache-2.0
// A kernel allocates memory itself, and frees it.
#include <cstdio>
#include <cstdlib>

__global__ void scratch(const int *in, int *out, int each)
{
	int *mine = (int *)malloc(each * sizeof(int));
	int sum = 0;

	if (!mine)
		return;
	for (int i = 0; i < each; i++)
		mine[i] = in[threadIdx.x] + i;
	for (int i = 0; i < each; i++)
		sum += mine[each - 1 - i];
	out[threadIdx.x] = sum;
	free(mine);
}

int main()
{
	int *in, *out;

	cudaMalloc(&in, 16 * sizeof(int));
	cudaMalloc(&out, 16 * sizeof(int));
	cudaMemset(in, 0, 16 * sizeof(int));
	scratch<<<1, 16>>>(in, out, 10);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
