/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix product through tiles in shared memory. Entries are small integers, so sums are exact. */
#include "../example.h"

static const int TILE = 16;

__global__ void matmul(float *c, const float *a, const float *b, int n)
{
	__shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
	int x = threadIdx.x, y = threadIdx.y;
	int column = blockIdx.x * TILE + x;
	int row = blockIdx.y * TILE + y;
	float sum = 0;

	for (int first = 0; first < n; first += TILE) {
		bool has_a = row < n && first + x < n;
		bool has_b = column < n && first + y < n;

		tile_a[y][x] = has_a ? a[row * n + first + x] : 0;
		tile_b[y][x] = has_b ? b[(first + y) * n + column] : 0;
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += tile_a[y][k] * tile_b[k][x];
		__syncthreads();
	}
	if (row < n && column < n)
		c[row * n + column] = sum;
}

static std::vector<float> reference(const std::vector<float> &a, const std::vector<float> &b, int n)
{
	std::vector<float> c(n * n);

	for (int row = 0; row < n; row++)
		for (int k = 0; k < n; k++)
			for (int column = 0; column < n; column++)
				c[row * n + column] += a[row * n + k] * b[k * n + column];
	return c;
}

int main(int argc, char **argv)
{
	int n = example_size(argc, argv, 64, 1);
	size_t bytes = (size_t)n * n * sizeof(float);
	std::vector<float> a(n * n), b(n * n), result(n * n);
	float *device_a, *device_b, *device_c;
	unsigned seed = 6;

	for (int i = 0; i < n * n; i++) {
		a[i] = (float)example_random(&seed, 16) - 8;
		b[i] = (float)example_random(&seed, 16) - 8;
	}
	CHECK(cudaMalloc(&device_a, bytes));
	CHECK(cudaMalloc(&device_b, bytes));
	CHECK(cudaMalloc(&device_c, bytes));
	CHECK(cudaMemcpy(device_a, a.data(), bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(device_b, b.data(), bytes, cudaMemcpyHostToDevice));

	dim3 block(TILE, TILE);
	dim3 blocks(divide_up(n, TILE), divide_up(n, TILE));

	matmul<<<blocks, block>>>(device_c, device_a, device_b, n);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(result.data(), device_c, bytes, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(device_a));
	CHECK(cudaFree(device_b));
	CHECK(cudaFree(device_c));
	return example_finish("matmul", result, reference(a, b, n));
}
