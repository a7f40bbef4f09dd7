// SPDX-License-Identifier: Apache-2.0
// A vector type of the device, passed by value: its append() does not look at the capacity.
#include <cstdio>

struct device_vector {
	int *items;
	int *count;
	int capacity;

	__device__ void append(int value)
	{
		int at = atomicAdd(count, 1);

		items[at] = value; // check: out-of-bounds
	}
};

__global__ void select_even(const int *in, int n, device_vector out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n && in[i] % 2 == 0)
		out.append(in[i]);
}

int main()
{
	const int n = 256;
	int host[n], *in, found;
	device_vector out;

	for (int i = 0; i < n; i++)
		host[i] = i;
	cudaMalloc(&in, sizeof(host));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	out.capacity = 100;
	cudaMalloc(&out.items, out.capacity * sizeof(int));
	cudaMalloc(&out.count, sizeof(int));
	cudaMemset(out.count, 0, sizeof(int));
	select_even<<<2, 128>>>(in, n, out);
	cudaMemcpy(&found, out.count, sizeof(int), cudaMemcpyDeviceToHost);
	printf("%d\n", found);
	cudaFree(in);
	cudaFree(out.items);
	cudaFree(out.count);
	return 0;
}
