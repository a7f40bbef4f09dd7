// SPDX-License-Identifier: Apache-2.0
// One allocation, from which the program takes its arrays one after the other.
#include <cstdio>

struct arena {
	char *base;
	size_t used;

	template <typename T> T *take(size_t count)
	{
		T *taken = (T *)(base + used);

		used += (count * sizeof(T) + 255) / 256 * 256;
		return taken;
	}
};

__global__ void squares(const int *in, long long *out, int n)
{
	int i = threadIdx.x;

	if (i < n)
		out[i] = (long long)in[i] * in[i];
}

int main()
{
	const int n = 70;
	int host[n];
	arena a = {nullptr, 0};

	for (int i = 0; i < n; i++)
		host[i] = i;
	cudaMalloc(&a.base, 1 << 14);
	int *in = a.take<int>(n);
	long long *out = a.take<long long>(n);
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	squares<<<1, 96>>>(in, out, n);
	cudaDeviceSynchronize();
	cudaFree(a.base);
	puts("done");
	return 0;
}
