/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel and its launch, for a library. */
int four();
__global__ void twice(int *p)
{
	*p *= 2;
}
int run()
{
	int *p, result = four();
	cudaMalloc(&p, sizeof(*p));
	cudaMemcpy(p, &result, sizeof(*p), cudaMemcpyHostToDevice);
	twice<<<1, 1>>>(p);
	cudaMemcpy(&result, p, sizeof(*p), cudaMemcpyDeviceToHost);
	return result;
}
