// SPDX-License-Identifier: Apache-2.0
// An array grows, and a structure in device memory still has the pointer to the old one.
#include <cstdio>

struct state {
	int *items;
	int count;
};

__global__ void sum(const state *s, int *out)
{
	int sum = 0;

	for (int i = 0; i < s->count; i++)
		sum += s->items[i]; // check: use-after-free
	*out = sum;
}

static int *grow(int *old, int count, int more)
{
	int *grown;

	cudaMalloc(&grown, more * sizeof(int));
	cudaMemset(grown, 0, more * sizeof(int));
	cudaMemcpy(grown, old, count * sizeof(int), cudaMemcpyDeviceToDevice);
	cudaFree(old);
	return grown;
}

int main()
{
	state host = {nullptr, 32}, *device;
	int *items, *out;

	cudaMalloc(&items, 32 * sizeof(int));
	cudaMemset(items, 0, 32 * sizeof(int));
	host.items = items;
	cudaMalloc(&device, sizeof(state));
	cudaMemcpy(device, &host, sizeof(state), cudaMemcpyHostToDevice);
	cudaMalloc(&out, sizeof(int));
	items = grow(items, 32, 64);
	sum<<<1, 1>>>(device, out);
	cudaDeviceSynchronize();
	cudaFree(items);
	cudaFree(device);
	cudaFree(out);
	puts("done");
	return 0;
}
