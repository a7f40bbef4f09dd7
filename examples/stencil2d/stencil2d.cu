/* SPDX-License-Identifier: Apache-2.0 */
/* Heat on a square chip: five-point stencil with a power source; the edge keeps its temperature. */
#include "../example.h"
#include <utility>

#ifndef STEPS
#define STEPS 4
#endif
static const int TILE = 16;

/* fmaf throughout: host and device round alike. */
__host__ __device__ static float heat_cell(float centre, float north, float south, float west,
					   float east, float power)
{
	float flow = fmaf(-4.0f, centre, (north + south) + (west + east));

	return fmaf(0.125f, flow, fmaf(0.5f, power, centre));
}

__global__ void heat(float *out, const float *in, const float *power, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	int i = y * n + x;

	if (x >= n || y >= n)
		return;
	if (x == 0 || y == 0 || x == n - 1 || y == n - 1)
		out[i] = in[i];
	else
		out[i] = heat_cell(in[i], in[i - n], in[i + n], in[i - 1], in[i + 1], power[i]);
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
	dim3 blocks(divide_up(n, TILE), divide_up(n, TILE));

	for (int step = 0; step < STEPS; step++) {
		heat<<<blocks, block>>>(next, now, source, n);
		CHECK(cudaGetLastError());
		std::swap(now, next);
	}
	CHECK(cudaMemcpy(result.data(), now, bytes, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(now));
	CHECK(cudaFree(next));
	CHECK(cudaFree(source));

	reference(grid, power, n);
	return example_finish("stencil2d", result, grid);
}
