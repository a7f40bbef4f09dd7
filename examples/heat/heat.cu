// SPDX-License-Identifier: Apache-2.0
// Heat in a plate whose edge is kept at given temperatures: steps of Jacobi, and every few of them
// the mean temperature of each row, which the host watches. Three things are wrong with it, which
// `ctrun profile` finds (docs/profile.md); -DFIX_MEANS, -DFIX_COPY and -DFIX_WAIT fix them.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                \
	do {                                                                                       \
		cudaError_t status = (call);                                                       \
		if (status != cudaSuccess) {                                                       \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                         \
				cudaGetErrorString(status));                                       \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

__global__ void step(const float *u, float *next, const float *conductivity, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x >= n || y >= n)
		return;
	if (x == 0 || y == 0 || x == n - 1 || y == n - 1) {
		next[y * n + x] = u[y * n + x];
		return;
	}
	float sum = u[y * n + x - 1] + u[y * n + x + 1] + u[(y - 1) * n + x] + u[(y + 1) * n + x];
	float here = u[y * n + x];
	next[y * n + x] = here + conductivity[y * n + x] * 0.25f * (sum - 4 * here);
}

#ifndef FIX_MEANS
// A thread adds up a row.
__global__ void row_means(const float *u, float *mean, int n)
{
	int y = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	if (y >= n)
		return;
	for (int x = 0; x < n; x++)
		sum += u[y * n + x];
	mean[y] = sum / n;
}
#else
// A warp adds up a row.
__global__ void row_means(const float *u, float *mean, int n)
{
	int y = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	float sum = 0;

	if (y >= n)
		return;
	for (int x = lane; x < n; x += 32)
		sum += u[y * n + x];
	for (int step = 16; step; step /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, step);
	if (lane == 0)
		mean[y] = sum / n;
}
#endif

struct Plate {
	int n;
	std::vector<float> temperature, conductivity, means;
	float *u, *next, *conductivity_on_device, *means_on_device;
};

static void set_up(Plate &plate, int n)
{
	plate.n = n;
	plate.temperature.assign((size_t)n * n, 20.0f);
	for (int x = 0; x < n; x++) {
		plate.temperature[x] = 100.0f;
		plate.temperature[(size_t)(n - 1) * n + x] = 60.0f * x / n;
	}
	plate.conductivity.resize((size_t)n * n);
	for (size_t i = 0; i < plate.conductivity.size(); i++)
		plate.conductivity[i] = 0.5f + 0.4f * sinf((i / n) * 0.01f) * cosf((i % n) * 0.02f);
	plate.means.resize(n);
	CHECK(cudaMalloc(&plate.u, sizeof(float) * n * n));
	CHECK(cudaMalloc(&plate.next, sizeof(float) * n * n));
	CHECK(cudaMalloc(&plate.conductivity_on_device, sizeof(float) * n * n));
	CHECK(cudaMalloc(&plate.means_on_device, sizeof(float) * n));
	CHECK(cudaMemcpy(plate.u, plate.temperature.data(), sizeof(float) * n * n,
			 cudaMemcpyHostToDevice));
}

static void advance(Plate &plate, bool is_first)
{
	int n = plate.n;
	dim3 block(32, 8), grid((n + 31) / 32, (n + 7) / 8);

#ifdef FIX_COPY
	if (is_first)
#endif
		CHECK(cudaMemcpy(plate.conductivity_on_device, plate.conductivity.data(),
				 sizeof(float) * n * n, cudaMemcpyHostToDevice));
	step<<<grid, block>>>(plate.u, plate.next, plate.conductivity_on_device, n);
#ifndef FIX_WAIT
	CHECK(cudaDeviceSynchronize());
#endif
	(void)is_first;
	std::swap(plate.u, plate.next);
}

static double watch(Plate &plate)
{
	int n = plate.n;
	double sum = 0;

#ifndef FIX_MEANS
	row_means<<<(n + 127) / 128, 128>>>(plate.u, plate.means_on_device, n);
#else
	row_means<<<(n + 3) / 4, 128>>>(plate.u, plate.means_on_device, n);
#endif
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(plate.means.data(), plate.means_on_device, sizeof(float) * n,
			 cudaMemcpyDeviceToHost));
	for (float mean : plate.means)
		sum += mean;
	return sum / n;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 512, steps = argc > 2 ? atoi(argv[2]) : 40;
	double mean = 0;
	Plate plate;

	set_up(plate, n);
	for (int i = 0; i < steps; i++) {
		advance(plate, i == 0);
		if (i % 4 == 3)
			mean = watch(plate);
	}
	CHECK(cudaMemcpy(plate.temperature.data(), plate.u, sizeof(float) * n * n,
			 cudaMemcpyDeviceToHost));
	printf("mean temperature %.4f, in the middle %.4f\n", mean,
	       plate.temperature[(size_t)n / 2 * n + n / 2]);
	CHECK(cudaFree(plate.u));
	CHECK(cudaFree(plate.next));
	CHECK(cudaFree(plate.conductivity_on_device));
	CHECK(cudaFree(plate.means_on_device));
	return 0;
}
