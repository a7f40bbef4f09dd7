// SPDX-License-Identifier: Apache-2.0
// The digits of a number, in a buffer for nine of them: of 2^32 - 1 there are ten.
#include <cstdio>

__device__ __noinline__ int digits_of(unsigned value, char *digits)
{
	int count = 0;

	do
		digits[count++] = (char)('0' + value % 10); // check: none yet, local-out-of-bounds
	while (value /= 10);
	return count;
}

__global__ void reversed(const unsigned *in, unsigned *out, int n)
{
	char digits[9];
	unsigned sum = 0;

	if (threadIdx.x >= n)
		return;
	int count = digits_of(in[threadIdx.x], digits);
	for (int i = 0; i < min(count, 9); i++)
		sum = 10 * sum + (digits[i] - '0');
	out[threadIdx.x] = sum;
}

int main()
{
	unsigned host[4] = {7, 4294967295u, 123456, 42}, *in, *out;

	cudaMalloc(&in, sizeof(host));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	cudaMalloc(&out, sizeof(host));
	reversed<<<1, 32>>>(in, out, 4);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
