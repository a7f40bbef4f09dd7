/* SPDX-License-Identifier: Apache-2.0 */
/* Four streams at once: their kernels share slots, ring and consumers. */
#include "hang.h"

enum { STREAMS = 4, CTAS = 160, THREADS = 128, COUNT = CTAS * THREADS };

/* Odd streams leave half of each warp idle, so full and partial groups meet. */
__global__ void mix(const unsigned *data, unsigned *out, unsigned stream)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;

	if (stream % 2 && i % 2)
		return;
	for (unsigned k = 0; k < 4 + stream; k++)
		sum += data[(i * (stream + 1) + k * 33) % COUNT];
	out[i] += sum;
}

int main(int argc, char **argv)
{
	static unsigned host[COUNT];
	int launches = launches_wanted(argc, argv);
	unsigned *data = scrambled_array(host, COUNT), *out[STREAMS];
	cudaStream_t streams[STREAMS];

	for (int s = 0; s < STREAMS; s++) {
		out[s] = device_array<unsigned>(COUNT);
		need(cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking),
		     "cudaStreamCreateWithFlags");
	}
	need(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
	for (int launch = 0; launch < launches; launch++)
		for (unsigned s = 0; s < STREAMS; s++)
			mix<<<CTAS, THREADS, 0, streams[s]>>>(data, out[s], s);
	need(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
	for (unsigned s = 0; s < STREAMS; s++)
		check("stream", all_equal(out[s], COUNT, [&](size_t i) {
			      unsigned sum = 0;

			      for (unsigned k = 0; k < 4 + s; k++)
				      sum += host[(i * (s + 1) + k * 33) % COUNT];
			      return s % 2 && i % 2 ? 0 : launches * sum;
		      }));
	count_stores("mix", COUNT);
	count_stores("mix", COUNT / 2);
	return finish();
}
