// SPDX-License-Identifier: Apache-2.0
// A list of nodes that one kernel allocates, the next one reads, and the last one frees.
#include <cstdio>
#include <new>

struct node {
	int value;
	node *next;
};

__device__ node *head;

__global__ void push(int count)
{
	for (int i = 0; i < count; i++)
		head = new node{i, head};
}

__global__ void sum(int *out)
{
	int total = 0;

	for (node *at = head; at; at = at->next)
		total += at->value;
	*out = total;
}

__global__ void clear()
{
	while (head) {
		node *next = head->next;

		delete head;
		head = next;
	}
}

int main()
{
	int *out, total;

	cudaMalloc(&out, sizeof(int));
	push<<<1, 1>>>(12);
	sum<<<1, 1>>>(out);
	clear<<<1, 1>>>();
	cudaMemcpy(&total, out, sizeof(int), cudaMemcpyDeviceToHost);
	printf("%d\n", total);
	cudaFree(out);
	return 0;
}
