// SPDX-License-Identifier: Apache-2.0
// The predecessor of 0, in eight bits without a sign, is 255.
#include <cstdint>
#include <cstdio>

__global__ void previous(const uint8_t *state, const int *table, int *out, int n)
{
	int i = threadIdx.x;

	if (i < n) {
		uint8_t before = state[i] - 1;

		out[i] = table[before]; // check: out-of-bounds
	}
}

int main()
{
	const int n = 32, states = 200;
	uint8_t host[n], *state;
	int *table, *out;

	for (int i = 0; i < n; i++)
		host[i] = (uint8_t)(i % 8);
	cudaMalloc(&state, n);
	cudaMalloc(&table, states * sizeof(int));
	cudaMalloc(&out, n * sizeof(int));
	cudaMemcpy(state, host, n, cudaMemcpyHostToDevice);
	cudaMemset(table, 0, states * sizeof(int));
	previous<<<1, n>>>(state, table, out, n);
	cudaDeviceSynchronize();
	cudaFree(state);
	cudaFree(table);
	cudaFree(out);
	puts("done");
	return 0;
}
