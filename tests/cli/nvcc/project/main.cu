/* SPDX-License-Identifier: Apache-2.0 */
/* A program with a kernel of its own beside the library's. */
int run();
__global__ void own(int *p)
{
	*p = 1;
}
int main()
{
	int *p, result = run();
	cudaMallocManaged(&p, sizeof(*p));
	own<<<1, 1>>>(p);
	cudaDeviceSynchronize();
	printf("CUDA %d %d\n", result, *p);
	return result != 8 || *p != 1;
}
