// SPDX-License-Identifier: Apache-2.0
// Device printf, flushed by the wait: needed.
#include <cstdio>
__global__ void hello()
{
	printf("hello from %d\n", threadIdx.x);
}
int main()
{
	hello<<<1, 4>>>();
	cudaDeviceSynchronize();
	return 0;
}
