/* SPDX-License-Identifier: Apache-2.0 */
/* Two translation units, each with a static kernel `step`: this one squares, smooth.cu filters. */
#include "../example.h"
#include "smooth.h"
#include <algorithm>
#include <utility>

static const int THREADS = 64;
static const int ROUNDS = 2;

static __global__ void step(int *data, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		data[i] = data[i] % 100 * (data[i] % 100);
}

static void reference(std::vector<int> &data)
{
	int n = (int)data.size();
	std::vector<int> next(n);

	for (int round = 0; round < ROUNDS; round++) {
		for (int &value : data)
			value = value % 100 * (value % 100);
		for (int i = 0; i < n; i++) {
			next[i] = 0;
			for (int tap = 0; tap < TAPS; tap++) {
				int from = std::min(std::max(i + tap - TAPS / 2, 0), n - 1);

				next[i] += WEIGHTS[tap] * data[from];
			}
		}
		data = next;
	}
}

int main(int argc, char **argv)
{
	int n = example_size(argc, argv, 300, 1);
	size_t bytes = n * sizeof(int);
	std::vector<int> data(n), result(n);
	int *now, *next;
	unsigned seed = 9;

	for (int &value : data)
		value = example_random(&seed, 1000);
	CHECK(cudaMalloc(&now, bytes));
	CHECK(cudaMalloc(&next, bytes));
	CHECK(cudaMemcpy(now, data.data(), bytes, cudaMemcpyHostToDevice));
	for (int round = 0; round < ROUNDS; round++) {
		step<<<divide_up(n, THREADS), THREADS>>>(now, n);
		CHECK(cudaGetLastError());
		smooth(next, now, n);
		std::swap(now, next);
	}
	CHECK(cudaMemcpy(result.data(), now, bytes, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(now));
	CHECK(cudaFree(next));

	reference(data);
	return example_finish("two-units", result, data);
}
