// SPDX-License-Identifier: Apache-2.0
// Two buffers in turns: the border of the second one was never set.
#include <cstdio>
#include <utility>

__global__ void relax(const float *in, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i > 0 && i < n - 1)
		out[i] = 0.5f * (in[i - 1] + in[i + 1]); // check: uninitialized-read
}

int main()
{
	const int n = 130;
	float host[n] = {1.f}, *from, *to;

	cudaMalloc(&from, sizeof(host));
	cudaMalloc(&to, sizeof(host));
	cudaMemcpy(from, host, sizeof(host), cudaMemcpyHostToDevice);
	for (int step = 0; step < 4; step++) {
		relax<<<2, 65>>>(from, to, n);
		std::swap(from, to);
	}
	cudaDeviceSynchronize();
	cudaFree(from);
	cudaFree(to);
	puts("done");
	return 0;
}
