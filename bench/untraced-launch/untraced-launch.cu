/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a launch costs, by kernel: `untraced-launch [LAUNCHES]` prints the median
 * device time (events) and the median host time of the launch call, in µs. The
 * first launch of each kernel warms up and does not count.
 */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

static const int N = 1 << 22; /* elements of stream */
static const int SIDE = 2048; /* of stencil's grid */
static const int MATRIX = 512;
static const int TILE = 16;

#define CHECK(call)                                                                                \
	do {                                                                                       \
		cudaError_t error = (call);                                                        \
		if (error) {                                                                       \
			fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));             \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

__global__ void tiny(float *a)
{
	if (threadIdx.x == 0)
		a[0] += 1;
}

__global__ void stream(float *c, const float *a, const float *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		c[i] = a[i] + 3 * b[i];
}

__global__ void stencil(float *out, const float *in, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	int i = y * n + x;

	if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
		out[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
}

__global__ void matmul(float *c, const float *a, const float *b, int n)
{
	__shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
	int x = threadIdx.x, y = threadIdx.y;
	int column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
	float sum = 0;

	for (int first = 0; first < n; first += TILE) {
		tile_a[y][x] = a[row * n + first + x];
		tile_b[y][x] = b[(first + y) * n + column];
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += tile_a[y][k] * tile_b[k][x];
		__syncthreads();
	}
	c[row * n + column] = sum;
}

static double median(std::vector<double> &values)
{
	std::sort(values.begin(), values.end());
	return values[values.size() / 2];
}

template <typename Launch> static void measure(const char *name, int launches, Launch launch)
{
	std::vector<double> device, host;
	cudaEvent_t begin, end;

	CHECK(cudaEventCreate(&begin));
	CHECK(cudaEventCreate(&end));
	for (int i = 0; i <= launches; i++) {
		float ms;

		CHECK(cudaEventRecord(begin));
		auto called = std::chrono::steady_clock::now();
		launch();
		auto returned = std::chrono::steady_clock::now();
		CHECK(cudaGetLastError());
		CHECK(cudaEventRecord(end));
		CHECK(cudaEventSynchronize(end));
		CHECK(cudaEventElapsedTime(&ms, begin, end));
		if (i == 0)
			continue;
		device.push_back(ms * 1e3);
		host.push_back(
		    std::chrono::duration<double, std::micro>(returned - called).count());
	}
	printf("%s %.3f %.3f\n", name, median(device), median(host));
	CHECK(cudaEventDestroy(begin));
	CHECK(cudaEventDestroy(end));
}

int main(int argc, char **argv)
{
	int launches = argc > 1 ? atoi(argv[1]) : 200;
	dim3 square(TILE, TILE);
	dim3 grid(SIDE / TILE, SIDE / TILE), tiles(MATRIX / TILE, MATRIX / TILE);
	float *a, *b, *c;

	if (launches < 1)
		return 1;
	CHECK(cudaMalloc(&a, N * sizeof(float)));
	CHECK(cudaMalloc(&b, N * sizeof(float)));
	CHECK(cudaMalloc(&c, N * sizeof(float)));
	CHECK(cudaMemset(a, 0, N * sizeof(float)));
	CHECK(cudaMemset(b, 0, N * sizeof(float)));
	measure("tiny", launches, [=] { tiny<<<1, 32>>>(a); });
	measure("stream", launches, [=] { stream<<<N / 256, 256>>>(c, a, b, N); });
	measure("stencil", launches, [=] { stencil<<<grid, square>>>(c, a, SIDE); });
	measure("matmul", launches, [=] { matmul<<<tiles, square>>>(c, a, b, MATRIX); });
	CHECK(cudaFree(a));
	CHECK(cudaFree(b));
	CHECK(cudaFree(c));
	return 0;
}
