// SPDX-License-Identifier: Apache-2.0
// Products of a sparse matrix and a vector, and how often each size of the result occurs. Things
// are wrong with it, which `ctrun profile` finds (docs/profile.md): a thread has a row (-DFIX_ROWS
// fixes it), counts meet at few addresses (-DFIX_COUNTS), the result is set to zero and then
// written whole
// (-DFIX_ZEROS), and waited for twice (-DFIX_WAIT).
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

#define BINS 8

struct Matrix {
	int rows;
	const int *first, *column;
	const float *value;
};

#ifndef FIX_ROWS
__global__ void multiply(Matrix a, const float *x, float *y)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	if (row >= a.rows)
		return;
	for (int i = a.first[row]; i < a.first[row + 1]; i++)
		sum += a.value[i] * x[a.column[i]];
	y[row] = sum;
}
#else
__global__ void multiply(Matrix a, const float *x, float *y)
{
	int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	float sum = 0;

	if (row >= a.rows)
		return;
	for (int i = a.first[row] + lane; i < a.first[row + 1]; i += 32)
		sum += a.value[i] * x[a.column[i]];
	for (int step = 16; step; step /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, step);
	if (lane == 0)
		y[row] = sum;
}
#endif

__device__ int bin_of(float y)
{
	return y < 0 ? 0 : y >= BINS ? BINS - 1 : (int)y;
}

__global__ void histogram(const float *y, int rows, unsigned *count)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
#ifndef FIX_COUNTS

	if (row < rows)
		atomicAdd(&count[bin_of(y[row])], 1);
#else
	__shared__ unsigned part[BINS];

	if (threadIdx.x < BINS)
		part[threadIdx.x] = 0;
	__syncthreads();
	if (row < rows)
		atomicAdd(&part[bin_of(y[row])], 1);
	__syncthreads();
	if (threadIdx.x < BINS)
		atomicAdd(&count[threadIdx.x], part[threadIdx.x]);
#endif
}

template <class T> static T *sent(const std::vector<T> &host)
{
	T *device;

	CHECK(cudaMalloc(&device, sizeof(T) * host.size()));
	CHECK(cudaMemcpy(device, host.data(), sizeof(T) * host.size(), cudaMemcpyHostToDevice));
	return device;
}

static Matrix make(int rows, int per_row)
{
	std::vector<int> first(rows + 1), column(rows * per_row);
	std::vector<float> value(rows * per_row);

	for (int row = 0; row < rows; row++) {
		first[row + 1] = first[row] + per_row;
		for (int i = 0; i < per_row; i++) {
			column[row * per_row + i] = (row + i * 37) % rows;
			value[row * per_row + i] = 1.0f / per_row * (1 + (row + i) % 5);
		}
	}
	return {rows, sent(first), sent(column), sent(value)};
}

int main(int argc, char **argv)
{
	int rows = argc > 1 ? atoi(argv[1]) : 4096, rounds = argc > 2 ? atoi(argv[2]) : 20;
	Matrix a = make(rows, 64);
	std::vector<float> start(rows);
	std::vector<unsigned> counts(BINS);
	float *x, *y;
	unsigned *count;

	for (int i = 0; i < rows; i++)
		start[i] = 0.5f + i % 1021 * 0.002f;
	x = sent(start);
	CHECK(cudaMalloc(&y, sizeof(float) * rows));
	CHECK(cudaMalloc(&count, sizeof(unsigned) * BINS));
	for (int i = 0; i < rounds; i++) {
#ifndef FIX_ROWS
		multiply<<<(rows + 127) / 128, 128>>>(a, x, y);
#else
		multiply<<<(rows + 3) / 4, 128>>>(a, x, y);
#endif
#ifndef FIX_WAIT
		CHECK(cudaDeviceSynchronize());
#endif
		CHECK(cudaMemset(count, 0, sizeof(unsigned) * BINS));
		histogram<<<(rows + 255) / 256, 256>>>(y, rows, count);
		CHECK(cudaGetLastError());
	}
	CHECK(cudaMemcpy(counts.data(), count, sizeof(unsigned) * BINS, cudaMemcpyDeviceToHost));
	for (unsigned n : counts)
		printf("%u ", n);
	printf("\n");
	return 0;
}
