/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches per second by many host threads, each into a stream of its own, waiting
 * after every 64: rate HOST_THREADS LAUNCHES [DEVICES]. Prints "launches/s N".
 */
#include "feature.h"
#include <chrono>
#include <thread>
#include <vector>

__global__ void tiny(int *counter)
{
	counter[threadIdx.x] += 1;
}

static void work(int device, int launches)
{
	cudaStream_t stream;
	int *counter;

	need(cudaSetDevice(device), "cudaSetDevice");
	need(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
	     "cudaStreamCreateWithFlags");
	counter = device_array<int>(32);
	need(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
	for (int i = 0; i < launches; i++) {
		tiny<<<1, 32, 0, stream>>>(counter);
		if (i % 64 == 63)
			need(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
	}
	need(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
	check("counter", all_equal(counter, 32, [&](size_t) { return launches; }));
}

int main(int argc, char **argv)
{
	int host_threads = argc > 1 ? atoi(argv[1]) : 1, launches = argc > 2 ? atoi(argv[2]) : 6400;
	int devices = argc > 3 ? atoi(argv[3]) : 1;
	std::vector<std::thread> threads;
	double seconds;

	for (int device = 0; device < devices; device++)
		work(device, 64);
	auto start = std::chrono::steady_clock::now();
	for (int t = 0; t < host_threads; t++)
		threads.emplace_back(work, t % devices, launches / host_threads);
	for (std::thread &thread : threads)
		thread.join();
	seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
	printf("launches/s %.0f\n", launches / host_threads * host_threads / seconds);
	return finish();
}
