// SPDX-License-Identifier: Apache-2.0
// Results are copied from an array that was freed.
#include <cstdio>

__global__ void ones(float *out)
{
	out[threadIdx.x] = 1.f;
}

int main()
{
	float host[64] = {}, *out;

	cudaMalloc(&out, sizeof(host));
	ones<<<1, 64>>>(out);
	cudaDeviceSynchronize();
	cudaFree(out);
	cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost); // check: use-after-free
	printf("%d\n", host[0] == 1.f);
	return 0;
}
