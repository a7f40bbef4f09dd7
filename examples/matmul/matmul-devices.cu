/* SPDX-License-Identifier: Apache-2.0 */
/*
 * matmul on several devices: each has a block of rows of the product and of the left matrix, and
 * all of the right one; nothing is exchanged but with the host.
 *
 *   matmul-devices [SIZE [DEVICES]]    as many devices as there are, at most DEVICES
 *
 * What all of it took, done a second time, is reported on stderr.
 */
#include "../example.h"
#include <chrono>

static const int TILE = 16;

__global__ void matmul(float *c, const float *a, const float *b, int n, int rows)
{
	__shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
	int x = threadIdx.x, y = threadIdx.y;
	int column = blockIdx.x * TILE + x;
	int row = blockIdx.y * TILE + y;
	float sum = 0;

	for (int first = 0; first < n; first += TILE) {
		bool has_a = row < rows && first + x < n;
		bool has_b = column < n && first + y < n;

		tile_a[y][x] = has_a ? a[row * n + first + x] : 0;
		tile_b[y][x] = has_b ? b[(first + y) * n + column] : 0;
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += tile_a[y][k] * tile_b[k][x];
		__syncthreads();
	}
	if (row < rows && column < n)
		c[row * n + column] = sum;
}

static std::vector<float> reference(const float *a, const float *b, int n)
{
	std::vector<float> c((size_t)n * n);

	for (int row = 0; row < n; row++)
		for (int k = 0; k < n; k++)
			for (int column = 0; column < n; column++)
				c[row * n + column] += a[row * n + k] * b[k * n + column];
	return c;
}

struct part {
	int first, rows;
	float *a, *b, *c;
	cudaStream_t stream;
};

static void make_part(part &p, int device, int devices, int n)
{
	p.first = (int)((long)n * device / devices);
	p.rows = (int)((long)n * (device + 1) / devices) - p.first;
	CHECK(cudaSetDevice(device));
	CHECK(cudaMalloc(&p.a, (size_t)p.rows * n * sizeof(float)));
	CHECK(cudaMalloc(&p.b, (size_t)n * n * sizeof(float)));
	CHECK(cudaMalloc(&p.c, (size_t)p.rows * n * sizeof(float)));
	CHECK(cudaStreamCreateWithFlags(&p.stream, cudaStreamNonBlocking));
}

static void run(const std::vector<part> &parts, float *c, const float *a, const float *b, int n)
{
	for (size_t d = 0; d < parts.size(); d++) {
		const part &p = parts[d];
		size_t at = (size_t)p.first * n, bytes = (size_t)p.rows * n * sizeof(float);

		CHECK(cudaSetDevice((int)d));
		CHECK(cudaMemcpyAsync(p.a, a + at, bytes, cudaMemcpyHostToDevice, p.stream));
		CHECK(cudaMemcpyAsync(p.b, b, (size_t)n * n * sizeof(float), cudaMemcpyHostToDevice,
				      p.stream));
		matmul<<<dim3(divide_up(n, TILE), divide_up(p.rows, TILE)), dim3(TILE, TILE), 0,
			 p.stream>>>(p.c, p.a, p.b, n, p.rows);
		CHECK(cudaGetLastError());
		CHECK(cudaMemcpyAsync(c + at, p.c, bytes, cudaMemcpyDeviceToHost, p.stream));
	}
	for (const part &p : parts)
		CHECK(cudaStreamSynchronize(p.stream));
}

int main(int argc, char **argv)
{
	int n = example_size(argc, argv, 64, 1), wanted = argc > 2 ? atoi(argv[2]) : 2, devices = 0;
	size_t count = (size_t)n * n;
	std::vector<part> parts;
	float *a, *b, *c;
	unsigned seed = 3;

	CHECK(cudaGetDeviceCount(&devices));
	devices = wanted < devices ? wanted : devices;
	if (devices < 1 || devices > n) {
		fprintf(stderr, "matmul-devices: DEVICES is at least 1\n");
		return 1;
	}
	CHECK(cudaMallocHost(&a, count * sizeof(float)));
	CHECK(cudaMallocHost(&b, count * sizeof(float)));
	CHECK(cudaMallocHost(&c, count * sizeof(float)));
	for (size_t i = 0; i < count; i++) {
		a[i] = (float)example_random(&seed, 8);
		b[i] = (float)example_random(&seed, 8);
	}
	parts.resize(devices);
	for (int d = 0; d < devices; d++)
		make_part(parts[d], d, devices, n);
	run(parts, c, a, b, n);

	auto begin = std::chrono::steady_clock::now();
	run(parts, c, a, b, n);
	std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
	fprintf(stderr, "matmul-devices: %d devices in %.6f s\n", devices, seconds.count());

	std::vector<float> result(c, c + count), expected = EXAMPLE_EXPECTED(reference(a, b, n));
	for (const part &p : parts) {
		CHECK(cudaFree(p.a));
		CHECK(cudaFree(p.b));
		CHECK(cudaFree(p.c));
	}
	CHECK(cudaFreeHost(a));
	CHECK(cudaFreeHost(b));
	CHECK(cudaFreeHost(c));
	return example_finish("matmul-devices", result, expected);
}
