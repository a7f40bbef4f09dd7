// SPDX-License-Identifier: Apache-2.0
// Only the first half of a structure is copied.
#include <cstdio>

struct settings {
	int width, height;
	float scale, offset;
};

__global__ void apply(const settings *s, float *out)
{
	int i = threadIdx.x;

	if (i < s->width)
		out[i] = i * s->scale; // check: uninitialized-read
}

int main()
{
	settings host = {32, 1, 2.f, 1.f}, *s;
	float *out;

	cudaMalloc(&s, sizeof(settings));
	cudaMalloc(&out, 32 * sizeof(float));
	cudaMemcpy(s, &host, sizeof(s), cudaMemcpyHostToDevice);
	apply<<<1, 32>>>(s, out);
	cudaDeviceSynchronize();
	cudaFree(s);
	cudaFree(out);
	puts("done");
	return 0;
}
