/* SPDX-License-Identifier: Apache-2.0 */
/* Heat in a stack of layers: seven-point stencil, each thread walks one column upwards. */
#include "../example.h"
#include <utility>

#ifndef LAYERS
#define LAYERS 4
#endif
#ifndef STEPS
#define STEPS 3
#endif
#ifndef WIDTH
#define WIDTH 32
#endif
static const int HEIGHT = 4;

struct cell {
	float centre, west, east, north, south, below, above;
};

__host__ __device__ static float heat_cell(struct cell c, float power)
{
	float sum = ((c.west + c.east) + (c.north + c.south)) + (c.below + c.above);

	return fmaf(0.0625f, fmaf(-6.0f, c.centre, sum), fmaf(0.25f, power, c.centre));
}

/* A neighbour outside the chip counts as the cell itself: nothing is loaded for it. */
__global__ void heat3d(float *out, const float *in, const float *power, int n, int layers)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	int i = y * n + x;
	struct cell c;

	if (x >= n || y >= n)
		return;
	c.centre = c.below = in[i];
	for (int z = 0; z < layers; z++, i += n * n) {
		c.west = x > 0 ? in[i - 1] : c.centre;
		c.east = x < n - 1 ? in[i + 1] : c.centre;
		c.north = y > 0 ? in[i - n] : c.centre;
		c.south = y < n - 1 ? in[i + n] : c.centre;
		c.above = z < layers - 1 ? in[i + n * n] : c.centre;
		out[i] = heat_cell(c, power[i]);
		c.below = c.centre;
		c.centre = c.above;
	}
}

static float at(const std::vector<float> &grid, int n, int x, int y, int z, float outside)
{
	if (x < 0 || y < 0 || z < 0 || x >= n || y >= n || z >= LAYERS)
		return outside;
	return grid[(z * n + y) * n + x];
}

static void reference(std::vector<float> &grid, const std::vector<float> &power, int n)
{
	std::vector<float> next(grid.size());

	for (int step = 0; step < STEPS; step++) {
		for (int i = 0; i < n * n * LAYERS; i++) {
			int x = i % n, y = i / n % n, z = i / n / n;
			float own = grid[i];
			struct cell c = {own,
					 at(grid, n, x - 1, y, z, own),
					 at(grid, n, x + 1, y, z, own),
					 at(grid, n, x, y - 1, z, own),
					 at(grid, n, x, y + 1, z, own),
					 at(grid, n, x, y, z - 1, own),
					 at(grid, n, x, y, z + 1, own)};

			next[i] = heat_cell(c, power[i]);
		}
		std::swap(grid, next);
	}
}

int main(int argc, char **argv)
{
	int n = example_size(argc, argv, 32, 2);
	size_t cells = (size_t)n * n * LAYERS, bytes = cells * sizeof(float);
	std::vector<float> grid(cells), power(cells), result(cells);
	float *now, *next, *source;
	unsigned seed = 2;

	for (size_t i = 0; i < cells; i++) {
		grid[i] = 300.0f + example_random(&seed, 40);
		power[i] = example_random(&seed, 100) / 64.0f;
	}
	CHECK(cudaMalloc(&now, bytes));
	CHECK(cudaMalloc(&next, bytes));
	CHECK(cudaMalloc(&source, bytes));
	CHECK(cudaMemcpy(now, grid.data(), bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(source, power.data(), bytes, cudaMemcpyHostToDevice));

	dim3 block(WIDTH, HEIGHT);
	dim3 blocks(divide_up(n, WIDTH), divide_up(n, HEIGHT));

	for (int step = 0; step < STEPS; step++) {
		heat3d<<<blocks, block>>>(next, now, source, n, LAYERS);
		CHECK(cudaGetLastError());
		std::swap(now, next);
	}
	CHECK(cudaMemcpy(result.data(), now, bytes, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(now));
	CHECK(cudaFree(next));
	CHECK(cudaFree(source));

	reference(grid, power, n);
	return example_finish("stencil3d", result, grid);
}
