/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel that calls device code of a library. */
#ifndef NVIDIA_FLAGS
#error "flags for NVIDIA's compiler are missing"
#endif
extern __device__ int scale(int x);
int four();
__global__ void kernel(int *p)
{
	*p = scale(*p);
}
int main()
{
	int *p;
	cudaMallocManaged(&p, sizeof(*p));
	*p = four();
	kernel<<<1, 1>>>(p);
	cudaDeviceSynchronize();
	printf("separate %d\n", *p);
	return *p != 12;
}
