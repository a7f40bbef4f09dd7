// SPDX-License-Identifier: Apache-2.0
// Threads with a stream each, whose launches are under way at the same time, and objects
// that come and go between them. Every launch reads one object and writes another in full;
// so all figures of tier counts follow from how many there are (run-counts-many.sh).
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

constexpr int Threads = 4, Elements = 1000;

__global__ void copy(const float *from, float *to, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		to[i] = from[i] + 1;
}

static void check(cudaError_t error)
{
	if (error != cudaSuccess) {
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
		exit(1);
	}
}

static void work(int rounds, float *sum)
{
	cudaStream_t stream;
	float *kept, value = 0;

	check(cudaStreamCreate(&stream));
	check(cudaMalloc(&kept, Elements * sizeof(float)));
	check(cudaMemsetAsync(kept, 0, Elements * sizeof(float), stream));
	for (int round = 0; round < rounds; round++) {
		float *passing;

		check(cudaMalloc(&passing, Elements * sizeof(float)));
		copy<<<(Elements + 127) / 128, 128, 0, stream>>>(kept, passing, Elements);
		copy<<<(Elements + 127) / 128, 128, 0, stream>>>(passing, kept, Elements);
		check(cudaStreamSynchronize(stream));
		check(cudaFree(passing));
	}
	check(cudaMemcpy(&value, kept + Elements - 1, sizeof(value), cudaMemcpyDeviceToHost));
	check(cudaFree(kept));
	check(cudaStreamDestroy(stream));
	*sum = value;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 50;
	std::vector<std::thread> threads;
	float sum[Threads];

	for (int i = 0; i < Threads; i++)
		threads.emplace_back(work, rounds, &sum[i]);
	for (std::thread &thread : threads)
		thread.join();
	for (int i = 0; i < Threads; i++)
		if (sum[i] != 2.0f * rounds) {
			printf("many: thread %d has %g\n", i, sum[i]);
			return 1;
		}
	printf("many: ok, %d launches\n", 2 * Threads * rounds);
	return 0;
}
