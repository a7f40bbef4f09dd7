// SPDX-License-Identifier: Apache-2.0
// Memory is freed in another stream, which waits for the kernel that uses it.
#include <cstdio>

__global__ void fill(int *x)
{
	x[threadIdx.x] = 1;
}

int main()
{
	cudaStream_t work, release;
	cudaEvent_t done;
	int *x;

	cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking);
	cudaStreamCreateWithFlags(&release, cudaStreamNonBlocking);
	cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
	cudaMallocAsync((void **)&x, 64 * sizeof(int), work);
	fill<<<1, 64, 0, work>>>(x);
	cudaEventRecord(done, work);
	cudaStreamWaitEvent(release, done, 0);
	cudaFreeAsync(x, release);
	cudaDeviceSynchronize();
	cudaEventDestroy(done);
	cudaStreamDestroy(work);
	cudaStreamDestroy(release);
	puts("done");
	return 0;
}
