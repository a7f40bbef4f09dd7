// SPDX-License-Identifier: Apache-2.0
// Each block takes the sum of all before it from the block before, which announces it by a flag.
#include <cstdio>

struct slot {
	int flag;
	int sum;
};

__global__ void scan(const int *in, int *out, volatile slot *slots, unsigned *ticket)
{
	__shared__ int sums[32];
	__shared__ unsigned block;
	__shared__ int before;
	int t = threadIdx.x;

	if (t == 0)
		block = atomicAdd(ticket, 1u);
	__syncthreads();
	int value = in[block * 32 + t];
	for (int lanes = 1; lanes < 32; lanes *= 2) {
		int other = __shfl_up_sync(0xffffffff, value, lanes);

		if (t >= lanes)
			value += other;
	}
	sums[t] = value;
	__syncthreads();
	if (t == 0) {
		int sum = 0;

		if (block > 0) {
			while (slots[block - 1].flag == 0)
				;
			__threadfence();
			sum = slots[block - 1].sum;
		}
		before = sum;
		slots[block].sum = sum + sums[31];
		__threadfence();
		slots[block].flag = 1;
	}
	__syncthreads();
	out[block * 32 + t] = before + value;
}

int main()
{
	const int n = 256;
	int host[n], *in, *out;
	slot *slots;
	unsigned *ticket;

	for (int i = 0; i < n; i++)
		host[i] = 1;
	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&out, sizeof(host));
	cudaMalloc(&slots, n / 32 * sizeof(slot));
	cudaMalloc(&ticket, sizeof(unsigned));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	cudaMemset(slots, 0, n / 32 * sizeof(slot));
	cudaMemset(ticket, 0, sizeof(unsigned));
	scan<<<n / 32, 32>>>(in, out, slots, ticket);
	cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
	printf("%d\n", host[n - 1]);
	cudaFree(in);
	cudaFree(out);
	cudaFree(slots);
	cudaFree(ticket);
	return 0;
}
