/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stencil2d on several devices: each has a block of rows and, above and below it, a row of its
 * neighbour's, which it is sent after each step (a halo exchange).
 *
 *   stencil2d-devices [SIZE [DEVICES [STEPS]]]    as many devices as there are, at most DEVICES
 *
 * What the steps behind the first one took is reported on stderr.
 */
#include "../example.h"
#include <chrono>
#include <utility>

#define TILE 16

__host__ __device__ static float heat_cell(float centre, float north, float south, float west,
					   float east, float power)
{
	float flow = fmaf(-4.0f, centre, (north + south) + (west + east));

	return fmaf(0.125f, flow, fmaf(0.5f, power, centre));
}

/* Rows first … first + rows - 1 of n; arrays begin one row before. */
__global__ void heat(float *out, const float *in, const float *power, int n, int first, int rows)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int row = blockIdx.y * blockDim.y + threadIdx.y, y = first + row, i = (row + 1) * n + x;

	if (x >= n || row >= rows)
		return;
	if (x == 0 || y == 0 || x == n - 1 || y == n - 1)
		out[i] = in[i];
	else
		out[i] = heat_cell(in[i], in[i - n], in[i + n], in[i - 1], in[i + 1], power[i]);
}

static void reference(std::vector<float> &grid, const std::vector<float> &power, int n, int steps)
{
	std::vector<float> next = grid;

	for (int step = 0; step < steps; step++) {
		for (int y = 1; y < n - 1; y++)
			for (int x = 1; x < n - 1; x++) {
				int i = y * n + x;

				next[i] = heat_cell(grid[i], grid[i - n], grid[i + n], grid[i - 1],
						    grid[i + 1], power[i]);
			}
		std::swap(grid, next);
	}
}

struct part {
	int first, rows;
	float *now, *next, *power;
	cudaStream_t stream;
	cudaEvent_t sent; /* its rows are with its neighbours */
};

static void make_part(part &p, int device, int devices, int n, const float *grid,
		      const float *power)
{
	size_t bytes;

	p.first = (int)((long)n * device / devices);
	p.rows = (int)((long)n * (device + 1) / devices) - p.first;
	bytes = (size_t)(p.rows + 2) * n * sizeof(float);
	CHECK(cudaSetDevice(device));
	for (int other = device - 1; other <= device + 1; other += 2) {
		int can = 0;

		if (other >= 0 && other < devices)
			CHECK(cudaDeviceCanAccessPeer(&can, device, other));
		if (can)
			CHECK(cudaDeviceEnablePeerAccess(other, 0));
	}
	CHECK(cudaMalloc(&p.now, bytes));
	CHECK(cudaMalloc(&p.next, bytes));
	CHECK(cudaMalloc(&p.power, bytes));
	CHECK(cudaStreamCreateWithFlags(&p.stream, cudaStreamNonBlocking));
	CHECK(cudaEventCreateWithFlags(&p.sent, cudaEventDisableTiming));

	int above = p.first > 0, below = p.first + p.rows < n;
	size_t from = (size_t)(p.first - above) * n, to = (size_t)(1 - above) * n;
	size_t moved = (size_t)(p.rows + above + below) * n * sizeof(float);

	CHECK(cudaMemcpy(p.now + to, grid + from, moved, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(p.power + to, power + from, moved, cudaMemcpyHostToDevice));
}

static void send_row(const part *parts, int from, int to, int n)
{
	const part &p = parts[from], &q = parts[to];
	const float *row = p.next + (size_t)(to < from ? 1 : p.rows) * n;

	CHECK(cudaMemcpyPeerAsync(q.next + (size_t)(to < from ? q.rows + 1 : 0) * n, to, row, from,
				  n * sizeof(float), p.stream));
}

static void run(part *parts, int devices, int n, int steps)
{
	dim3 block(TILE, TILE);

	for (int step = 0; step < steps; step++) {
		for (int d = 0; d < devices; d++) {
			part &p = parts[d];

			CHECK(cudaSetDevice(d));
			heat<<<dim3(divide_up(n, TILE), divide_up(p.rows, TILE)), block, 0,
			       p.stream>>>(p.next, p.now, p.power, n, p.first, p.rows);
			CHECK(cudaGetLastError());
			if (d > 0)
				send_row(parts, d, d - 1, n);
			if (d + 1 < devices)
				send_row(parts, d, d + 1, n);
			CHECK(cudaEventRecord(p.sent, p.stream));
		}
		/* The next step reads what the neighbours have sent in this one. */
		for (int d = 0; d < devices; d++) {
			CHECK(cudaSetDevice(d));
			for (int other = d - 1; other <= d + 1; other += 2)
				if (other >= 0 && other < devices)
					CHECK(cudaStreamWaitEvent(parts[d].stream,
								  parts[other].sent, 0));
			std::swap(parts[d].now, parts[d].next);
		}
	}
	for (int d = 0; d < devices; d++)
		CHECK(cudaStreamSynchronize(parts[d].stream));
}

int main(int argc, char **argv)
{
	int n = example_size(argc, argv, 64, 3), wanted = argc > 2 ? atoi(argv[2]) : 2;
	int steps = argc > 3 ? atoi(argv[3]) : 4, devices = 0;
	std::vector<float> grid((size_t)n * n), power((size_t)n * n), result((size_t)n * n);
	std::vector<part> parts;
	unsigned seed = 1;

	CHECK(cudaGetDeviceCount(&devices));
	devices = wanted < devices ? wanted : devices;
	if (devices < 1 || devices > n || steps < 1) {
		fprintf(stderr, "stencil2d-devices: DEVICES and STEPS are at least 1\n");
		return 1;
	}
	for (size_t i = 0; i < grid.size(); i++) {
		grid[i] = 300.0f + example_random(&seed, 40);
		power[i] = example_random(&seed, 100) / 64.0f;
	}
	parts.resize(devices);
	for (int d = 0; d < devices; d++)
		make_part(parts[d], d, devices, n, grid.data(), power.data());

	run(parts.data(), devices, n, 1);

	auto begin = std::chrono::steady_clock::now();
	run(parts.data(), devices, n, steps - 1);
	std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
	fprintf(stderr, "stencil2d-devices: %d devices, %d steps in %.6f s\n", devices, steps - 1,
		seconds.count());

	for (const part &p : parts)
		CHECK(cudaMemcpy(result.data() + (size_t)p.first * n, p.now + n,
				 (size_t)p.rows * n * sizeof(float), cudaMemcpyDeviceToHost));
	for (const part &p : parts) {
		CHECK(cudaFree(p.now));
		CHECK(cudaFree(p.next));
		CHECK(cudaFree(p.power));
	}
	reference(grid, power, n, steps);
	return example_finish("stencil2d-devices", result, grid);
}
