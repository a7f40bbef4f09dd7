/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Breadth-first search by levels. expand reads only what earlier levels wrote
 * and marks the nodes it finds; advance makes the marked ones the next
 * frontier. So it does not matter in which order threads run.
 *
 * The graph: node i has edges to DEGREE * i + 1 and on, modulo n, under shuffled
 * names; with RANDOM_EDGES, DEGREE edges to anywhere.
 */
#include "../example.h"

#ifndef THREADS
#define THREADS 128
#endif
#ifndef DEGREE
#define DEGREE 2
#endif
#ifndef RANDOM_EDGES
#define RANDOM_EDGES 0
#endif

struct graph {
	std::vector<int> first; /* n + 1: where a node's edges begin in target */
	std::vector<int> target;
	int root;
};

__global__ void expand(char *frontier, char *found, int *cost, const char *visited,
		       const int *first, const int *target, int n)
{
	int node = blockIdx.x * blockDim.x + threadIdx.x;

	if (node >= n || !frontier[node])
		return;
	frontier[node] = 0;
	int next = cost[node] + 1;
	int end = first[node + 1];

	for (int edge = first[node]; edge < end; edge++) {
		int other = target[edge];

		if (!visited[other]) {
			cost[other] = next;
			found[other] = 1;
		}
	}
}

__global__ void advance(char *frontier, char *found, char *visited, unsigned *count, int n)
{
	int node = blockIdx.x * blockDim.x + threadIdx.x;

	if (node >= n || !found[node])
		return;
	frontier[node] = 1;
	visited[node] = 1;
	found[node] = 0;
	atomicAdd(count, 1);
}

/* Names go round in steps of an odd number that shares no factor with n. */
static struct graph make_graph(int n)
{
	struct graph graph;
	int step = n / 3 * 2 + 1, other = n;
	unsigned seed = 6;

	for (;; step++) {
		int a = step, b = n;

		while (b) {
			other = a % b;
			a = b;
			b = other;
		}
		if (a == 1)
			break;
	}
	auto name = [=](long long i) { return (int)((i % n * step + 7) % n); };

	graph.first.resize(n + 1);
	graph.target.resize(n * DEGREE);
	graph.root = name(0);
	for (int i = 0; i <= n; i++)
		graph.first[i] = i * DEGREE;
	for (long long i = 0; i < n; i++)
		for (int edge = 0; edge < DEGREE; edge++)
			graph.target[name(i) * DEGREE + edge] = RANDOM_EDGES
								    ? (int)example_random(&seed, n)
								    : name(DEGREE * i + 1 + edge);
	return graph;
}

static std::vector<int> reference(const struct graph &graph, int n)
{
	std::vector<int> cost(n, -1), queue(1, graph.root);

	cost[graph.root] = 0;
	for (size_t at = 0; at < queue.size(); at++) {
		int node = queue[at];

		for (int edge = graph.first[node]; edge < graph.first[node + 1]; edge++) {
			int other = graph.target[edge];

			if (cost[other] >= 0)
				continue;
			cost[other] = cost[node] + 1;
			queue.push_back(other);
		}
	}
	return cost;
}

template <typename T> static T *on_device(const std::vector<T> &data)
{
	T *copy;

	CHECK(cudaMalloc(&copy, data.size() * sizeof(T)));
	CHECK(cudaMemcpy(copy, data.data(), data.size() * sizeof(T), cudaMemcpyHostToDevice));
	return copy;
}

int main(int argc, char **argv)
{
	int n = example_size(argc, argv, 1000, 2);
	int blocks = divide_up(n, THREADS);
	struct graph graph = make_graph(n);
	std::vector<int> start(n, -1), result(n);
	std::vector<char> mask(n, 0);
	unsigned size = 1, none = 0;

	int *first = on_device(graph.first);
	int *target = on_device(graph.target);
	char *found = on_device(mask);
	start[graph.root] = 0;
	mask[graph.root] = 1;
	int *cost = on_device(start);
	char *frontier = on_device(mask);
	char *visited = on_device(mask);
	unsigned *count;

	CHECK(cudaMalloc(&count, sizeof(*count)));
	while (size > 0) {
		CHECK(cudaMemcpy(count, &none, sizeof(none), cudaMemcpyHostToDevice));
		expand<<<blocks, THREADS>>>(frontier, found, cost, visited, first, target, n);
		CHECK(cudaGetLastError());
		advance<<<blocks, THREADS>>>(frontier, found, visited, count, n);
		CHECK(cudaGetLastError());
		CHECK(cudaMemcpy(&size, count, sizeof(size), cudaMemcpyDeviceToHost));
	}
	CHECK(cudaMemcpy(result.data(), cost, n * sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(first));
	CHECK(cudaFree(target));
	CHECK(cudaFree(found));
	CHECK(cudaFree(cost));
	CHECK(cudaFree(frontier));
	CHECK(cudaFree(visited));
	CHECK(cudaFree(count));
	return example_finish("bfs", result, reference(graph, n));
}
