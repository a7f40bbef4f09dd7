// SPDX-License-Identifier: Apache-2.0
// The guard of a vector addition lets one thread more pass.
#include <cstdio>
#include <cstdlib>

__global__ void add(const float *a, const float *b, float *c, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i <= n)
		c[i] = a[i] + b[i]; // check: out-of-bounds
}

int main()
{
	const int n = 1000;
	size_t bytes = n * sizeof(float);
	float *a, *b, *c, *h = (float *)malloc(bytes);

	for (int i = 0; i < n; i++)
		h[i] = i;
	cudaMalloc(&a, bytes);
	cudaMalloc(&b, bytes);
	cudaMalloc(&c, bytes);
	cudaMemcpy(a, h, bytes, cudaMemcpyHostToDevice);
	cudaMemcpy(b, h, bytes, cudaMemcpyHostToDevice);
	add<<<(n + 255) / 256, 256>>>(a, b, c, n);
	cudaMemcpy(h, c, bytes, cudaMemcpyDeviceToHost);
	printf("%g\n", h[n - 1]);
	cudaFree(a);
	cudaFree(b);
	cudaFree(c);
	free(h);
	return 0;
}
