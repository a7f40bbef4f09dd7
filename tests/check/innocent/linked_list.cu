// SPDX-License-Identifier: Apache-2.0
// Nodes in device memory that point to one another; the last one's pointer is null.
#include <cstdio>

struct node {
	int value;
	node *next;
};

__global__ void link(node *nodes, int n)
{
	int i = threadIdx.x;

	if (i < n) {
		nodes[i].value = i;
		nodes[i].next = i + 1 < n ? &nodes[i + 1] : nullptr;
	}
}

__global__ void sum(const node *head, int *out)
{
	int total = 0;

	while (head) {
		total += head->value;
		head = head->next;
	}
	*out = total;
}

int main()
{
	const int n = 20;
	node *nodes;
	int *out;

	cudaMalloc(&nodes, n * sizeof(node));
	cudaMalloc(&out, sizeof(int));
	link<<<1, 32>>>(nodes, n);
	sum<<<1, 1>>>(nodes, out);
	cudaDeviceSynchronize();
	cudaFree(nodes);
	cudaFree(out);
	puts("done");
	return 0;
}
