/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heat on a square chip, as in stencil2d, with deep halos: a block loads a tile,
 * goes DEPTH steps in shared memory and stores the inner cells. The part of the
 * tile that is right shrinks by one cell per side and step.
 */
#include "../example.h"
#include <utility>

#ifndef STEPS
#define STEPS 4
#endif
#ifndef DEPTH
#define DEPTH 2
#endif
static const int TILE = 16;
static const int INNER = TILE - 2 * DEPTH; /* side of what a block is responsible for */

/* fmaf throughout: host and device round alike. */
__host__ __device__ static float heat_cell(float centre, float north, float south, float west,
					   float east, float power)
{
	float flow = fmaf(-4.0f, centre, (north + south) + (west + east));

	return fmaf(0.125f, flow, fmaf(0.5f, power, centre));
}

/* Whether 0 <= i - margin and i + margin < size. */
__device__ static bool within(int i, int size, int margin)
{
	return i >= margin && i < size - margin;
}

__global__ void heat_tiles(float *out, const float *in, const float *power, int n)
{
	__shared__ float cell[2][TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * INNER - DEPTH + tx;
	int y = blockIdx.y * INNER - DEPTH + ty;
	bool inside = within(x, n, 0) && within(y, n, 0);
	bool edge = !within(x, n, 1) || !within(y, n, 1);
	float source = 0;

	cell[0][ty][tx] = 0;
	if (inside) {
		cell[0][ty][tx] = in[y * n + x];
		source = power[y * n + x];
	}
	for (int step = 0; step < DEPTH; step++) {
		const float(*from)[TILE] = cell[step & 1];

		__syncthreads();
		if (within(tx, TILE, step + 1) && within(ty, TILE, step + 1))
			cell[~step & 1][ty][tx] =
			    edge ? from[ty][tx]
				 : heat_cell(from[ty][tx], from[ty - 1][tx], from[ty + 1][tx],
					     from[ty][tx - 1], from[ty][tx + 1], source);
	}
	if (inside && within(tx, TILE, DEPTH) && within(ty, TILE, DEPTH))
		out[y * n + x] = cell[DEPTH & 1][ty][tx];
}

static void reference(std::vector<float> &grid, const std::vector<float> &power, int n)
{
	std::vector<float> next = grid;

	for (int step = 0; step < STEPS; step++) {
		for (int y = 1; y < n - 1; y++)
			for (int x = 1; x < n - 1; x++) {
				int i = y * n + x;

				next[i] = heat_cell(grid[i], grid[i - n], grid[i + n], grid[i - 1],
						    grid[i + 1], power[i]);
			}
		std::swap(grid, next);
	}
}

int main(int argc, char **argv)
{
	int n = example_size(argc, argv, 64, 3);
	size_t bytes = (size_t)n * n * sizeof(float);
	std::vector<float> grid(n * n), power(n * n), result(n * n);
	float *now, *next, *source;
	unsigned seed = 1;

	for (int i = 0; i < n * n; i++) {
		grid[i] = 300.0f + example_random(&seed, 40);
		power[i] = example_random(&seed, 100) / 64.0f;
	}
	CHECK(cudaMalloc(&now, bytes));
	CHECK(cudaMalloc(&next, bytes));
	CHECK(cudaMalloc(&source, bytes));
	CHECK(cudaMemcpy(now, grid.data(), bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(source, power.data(), bytes, cudaMemcpyHostToDevice));

	dim3 block(TILE, TILE);
	dim3 blocks(divide_up(n, INNER), divide_up(n, INNER));

	static_assert(STEPS % DEPTH == 0, "launches go DEPTH steps each");
	static_assert(INNER > 0, "a tile has inner cells");
	for (int step = 0; step < STEPS; step += DEPTH) {
		heat_tiles<<<blocks, block>>>(next, now, source, n);
		CHECK(cudaGetLastError());
		std::swap(now, next);
	}
	CHECK(cudaMemcpy(result.data(), now, bytes, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(now));
	CHECK(cudaFree(next));
	CHECK(cudaFree(source));

	reference(grid, power, n);
	return example_finish("hotspot2d", result, grid);
}
