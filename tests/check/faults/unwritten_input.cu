// SPDX-License-Identifier: Apache-2.0
// The copy of the second input to the device was forgotten.
#include <cstdio>

#define CHECK(call)                                                                                \
	if (cudaError_t e = (call))                                                                \
	printf("%s\n", cudaGetErrorString(e))

__global__ void dot(const float *a, const float *b, float *out, int n)
{
	float sum = 0;

	for (int i = threadIdx.x; i < n; i += 32)
		sum += a[i] * b[i]; // check: uninitialized-read
	for (int lanes = 16; lanes; lanes >>= 1)
		sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
	if (threadIdx.x == 0)
		*out = sum;
}

int main()
{
	const int n = 128;
	float host_a[n] = {}, host_b[n] = {}, *a, *b, *out;

	host_b[0] = 1;
	CHECK(cudaMalloc(&a, sizeof(host_a)));
	CHECK(cudaMalloc(&b, sizeof(host_b)));
	CHECK(cudaMalloc(&out, sizeof(float)));
	CHECK(cudaMemcpy(a, host_a, sizeof(host_a), cudaMemcpyHostToDevice));
	dot<<<1, 32>>>(a, b, out, n);
	CHECK(cudaMemcpy(host_a, out, sizeof(float), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	CHECK(cudaFree(b));
	CHECK(cudaFree(out));
	puts("done");
	return 0;
}
