/* SPDX-License-Identifier: Apache-2.0 */
/* 64-bin histogram of bytes: a partial histogram per block in shared memory, then a merge. */
#include "../example.h"

static const int BINS = 64;
static const int THREADS = 64;
#ifndef BLOCKS
#define BLOCKS 8
#endif

__device__ static void count_word(unsigned *bins, unsigned word)
{
	for (int byte = 0; byte < 4; byte++)
		atomicAdd(&bins[word >> (8 * byte + 2) & (BINS - 1)], 1);
}

/* SIZE counts 16-byte vectors of data. */
__global__ void histogram64(unsigned *partial, const uint4 *data, int size)
{
	__shared__ unsigned bins[BINS];
	int stride = gridDim.x * blockDim.x;

	bins[threadIdx.x] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += stride) {
		uint4 vector = data[i];

		count_word(bins, vector.x);
		count_word(bins, vector.y);
		count_word(bins, vector.z);
		count_word(bins, vector.w);
	}
	__syncthreads();
	partial[blockIdx.x * BINS + threadIdx.x] = bins[threadIdx.x];
}

/* One block per bin. */
__global__ void merge(unsigned *histogram, const unsigned *partial, int count)
{
	__shared__ unsigned sums[THREADS];
	unsigned sum = 0;

	for (int i = threadIdx.x; i < count; i += blockDim.x)
		sum += partial[i * BINS + blockIdx.x];
	sums[threadIdx.x] = sum;
	for (int half = THREADS / 2; half > 0; half /= 2) {
		__syncthreads();
		if (threadIdx.x < half)
			sums[threadIdx.x] += sums[threadIdx.x + half];
	}
	if (threadIdx.x == 0)
		histogram[blockIdx.x] = sums[0];
}

int main(int argc, char **argv)
{
	int kib = example_size(argc, argv, 64, 1);
	int vectors = kib * 1024 / (int)sizeof(uint4);
	std::vector<unsigned char> data(kib * 1024);
	std::vector<unsigned> expected(BINS), result(BINS);
	unsigned *partial, *histogram;
	uint4 *input;
	unsigned seed = 3;

	for (unsigned char &byte : data) {
		byte = (unsigned char)(example_random(&seed, 256) & example_random(&seed, 256));
		expected[byte >> 2]++;
	}
	CHECK(cudaMalloc(&input, data.size()));
	CHECK(cudaMalloc(&partial, BLOCKS * BINS * sizeof(unsigned)));
	CHECK(cudaMalloc(&histogram, BINS * sizeof(unsigned)));
	CHECK(cudaMemcpy(input, data.data(), data.size(), cudaMemcpyHostToDevice));

	static_assert(THREADS == BINS, "a thread clears and stores one bin");
	histogram64<<<BLOCKS, THREADS>>>(partial, input, vectors);
	CHECK(cudaGetLastError());
	merge<<<BINS, THREADS>>>(histogram, partial, BLOCKS);
	CHECK(cudaGetLastError());

	CHECK(
	    cudaMemcpy(result.data(), histogram, BINS * sizeof(unsigned), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(input));
	CHECK(cudaFree(partial));
	CHECK(cudaFree(histogram));
	return example_finish("histogram64", result, expected);
}
