// SPDX-License-Identifier: Apache-2.0
// The last node of a list has no next one.
#include <cstdio>

struct node {
	int value;
	node *next;
};

__global__ void sum_pairs(const node *head, int *out)
{
	int sum = 0;

	for (const node *at = head; at; at = at->next)
		sum += at->value * at->next->value; // check: no-memory
	*out = sum;
}

int main()
{
	const int count = 4;
	node host[count], *nodes;
	int *out;

	cudaMalloc(&nodes, sizeof(host));
	cudaMalloc(&out, sizeof(int));
	for (int i = 0; i < count; i++) {
		host[i].value = i;
		host[i].next = i < count - 1 ? nodes + i + 1 : nullptr;
	}
	cudaMemcpy(nodes, host, sizeof(host), cudaMemcpyHostToDevice);
	sum_pairs<<<1, 1>>>(nodes, out);
	printf("%d\n", cudaDeviceSynchronize() != cudaSuccess);
	cudaFree(nodes);
	cudaFree(out);
	return 0;
}
