/* SPDX-License-Identifier: Apache-2.0 */
/* A launch within the region of a library that another compiler has built. */
extern "C" void enter_library(void);
extern "C" void leave_library(void);

__global__ void nothing()
{
}

int main()
{
	enter_library();
	nothing<<<1, 1>>>();
	leave_library();
	return cudaDeviceSynchronize() != cudaSuccess;
}
