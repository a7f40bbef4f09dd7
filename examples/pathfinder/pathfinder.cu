/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cheapest way down a grid, by dynamic programming. Each launch goes DEPTH rows
 * down: a block loads its columns and a halo of DEPTH on either side, and the
 * part of it that is right shrinks by one column per side and row.
 */
#include "../example.h"
#include <algorithm>
#include <climits>
#include <utility>

#ifndef THREADS
#define THREADS 64
#endif
#ifndef DEPTH
#define DEPTH 4
#endif
#ifndef ROWS
#define ROWS 21 /* the first row and DEPTH * 5 more */
#endif
static const int OUTPUT = THREADS - 2 * DEPTH; /* columns a block is responsible for */

__global__ void descend(int *next, const int *now, const int *wall, int columns)
{
	__shared__ int cost[2][THREADS];
	int t = threadIdx.x;
	int column = blockIdx.x * OUTPUT - DEPTH + t;
	bool inside = column >= 0 && column < columns;

	cost[0][t] = inside ? now[column] : INT_MAX;
	for (int row = 0; row < DEPTH; row++) {
		const int *from = cost[row & 1];

		__syncthreads();
		if (t > row && t < THREADS - 1 - row) {
			int best = min(from[t], min(from[t - 1], from[t + 1]));

			cost[~row & 1][t] = inside ? best + wall[row * columns + column] : INT_MAX;
		}
	}
	if (inside && t >= DEPTH && t < THREADS - DEPTH)
		next[column] = cost[DEPTH & 1][t];
}

static std::vector<int> reference(const std::vector<int> &wall, int columns)
{
	std::vector<int> now(wall.begin(), wall.begin() + columns), next(columns);

	for (int row = 1; row < ROWS; row++) {
		for (int x = 0; x < columns; x++) {
			int best = now[x];

			best = x > 0 ? std::min(best, now[x - 1]) : best;
			best = x < columns - 1 ? std::min(best, now[x + 1]) : best;
			next[x] = best + wall[row * columns + x];
		}
		std::swap(now, next);
	}
	return now;
}

int main(int argc, char **argv)
{
	int columns = example_size(argc, argv, 500, 1);
	size_t bytes = columns * sizeof(int);
	std::vector<int> wall(ROWS * columns), result(columns);
	int *now, *next, *grid;
	unsigned seed = 5;

	for (int &cost : wall)
		cost = example_random(&seed, 10);
	CHECK(cudaMalloc(&now, bytes));
	CHECK(cudaMalloc(&next, bytes));
	CHECK(cudaMalloc(&grid, bytes * ROWS));
	CHECK(cudaMemcpy(now, wall.data(), bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(grid, wall.data(), bytes * ROWS, cudaMemcpyHostToDevice));

	static_assert((ROWS - 1) % DEPTH == 0, "launches go DEPTH rows down each");
	for (int row = 1; row < ROWS; row += DEPTH) {
		descend<<<divide_up(columns, OUTPUT), THREADS>>>(next, now, grid + row * columns,
								 columns);
		CHECK(cudaGetLastError());
		std::swap(now, next);
	}
	CHECK(cudaMemcpy(result.data(), now, bytes, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(now));
	CHECK(cudaFree(next));
	CHECK(cudaFree(grid));
	return example_finish("pathfinder", result, reference(wall, columns));
}
