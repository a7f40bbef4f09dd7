// SPDX-License-Identifier: Apache-2.0
// Managed memory is over-read by the kernel.
#include <cstdio>

__global__ void differences(const int *in, int *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		out[i] = in[i + 1] - in[i]; // check: out-of-bounds
}

int main()
{
	const int n = 1024;
	int *in, *out;

	cudaMallocManaged(&in, n * sizeof(int));
	cudaMallocManaged(&out, n * sizeof(int));
	for (int i = 0; i < n; i++)
		in[i] = i * i;
	differences<<<n / 128, 128>>>(in, out, n);
	cudaDeviceSynchronize();
	printf("%d\n", out[3]);
	cudaFree(in);
	cudaFree(out);
	return 0;
}
