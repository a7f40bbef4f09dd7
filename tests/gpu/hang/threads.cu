/* SPDX-License-Identifier: Apache-2.0 */
/* Many host threads that launch at once, each into a stream of its own, and wait for it. */
#include "hang.h"
#include <thread>
#include <vector>

enum { HOST_THREADS = 8, CTAS = 24, THREADS = 96, COUNT = CTAS * THREADS };

__global__ void bump(unsigned *out, unsigned by)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i % 7 != 3)
		out[i] += by;
}

static void work(unsigned *out, unsigned launches, unsigned by)
{
	cudaStream_t stream;

	need(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
	     "cudaStreamCreateWithFlags");
	for (unsigned launch = 0; launch < launches; launch++) {
		bump<<<CTAS, THREADS, 0, stream>>>(out, by);
		need(cudaGetLastError(), "launch");
		if (launch % 16 == by % 16)
			need(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
	}
	need(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
	need(cudaStreamDestroy(stream), "cudaStreamDestroy");
}

int main(int argc, char **argv)
{
	unsigned launches = (unsigned)launches_wanted(argc, argv);
	std::vector<std::thread> threads;
	unsigned *out[HOST_THREADS];

	for (unsigned t = 0; t < HOST_THREADS; t++)
		out[t] = device_array<unsigned>(COUNT);
	need(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
	for (unsigned t = 0; t < HOST_THREADS; t++)
		threads.emplace_back(work, out[t], launches, t + 1);
	for (std::thread &thread : threads)
		thread.join();
	for (unsigned t = 0; t < HOST_THREADS; t++)
		check("host thread", all_equal(out[t], COUNT, [&](size_t i) {
			      return i % 7 == 3 ? 0 : launches * (t + 1);
		      }));
	count_stores("bump", COUNT - (COUNT + 3) / 7);
	return finish();
}
