/* SPDX-License-Identifier: Apache-2.0 */
/* As many CTAs as there is room for fetch items of work from a counter until none is left. */
#include "hang.h"

enum { ITEMS = 1024, THREADS = 128, CTAS_PER_SM = 8 };

/* first: what the counter holds before the launch. Every CTA fetches one item too many. */
__global__ void fetch(unsigned *counter, unsigned first, const unsigned *data,
		      volatile unsigned *out)
{
	__shared__ unsigned item;

	for (;;) {
		if (threadIdx.x == 0)
			item = atomicAdd(counter, 1) - first;
		__syncthreads();
		unsigned mine = item;
		__syncthreads();
		if (mine >= ITEMS)
			return;
		out[mine * THREADS + threadIdx.x] += data[mine * THREADS + threadIdx.x];
		if (mine % 3 == 0 && threadIdx.x % 5 == 0)
			out[mine * THREADS + threadIdx.x] += 1;
	}
}

int main(int argc, char **argv)
{
	static unsigned host[ITEMS * THREADS];
	unsigned launches = (unsigned)launches_wanted(argc, argv);
	unsigned ctas = CTAS_PER_SM * (unsigned)multiprocessors();
	unsigned *data = scrambled_array(host, ITEMS * THREADS);
	unsigned *out = device_array<unsigned>(ITEMS * THREADS);
	unsigned *counter = device_array<unsigned>(1);

	for (unsigned launch = 0; launch < launches; launch++)
		fetch<<<ctas, THREADS>>>(counter, launch * (ITEMS + ctas), data, out);
	check("items of work", all_equal(out, ITEMS * THREADS, [&](size_t i) {
		      bool extra = i / THREADS % 3 == 0 && i % THREADS % 5 == 0;

		      return launches * (host[i] + extra);
	      }));
	check("fetches", all_equal(counter, 1, [&](size_t) { return launches * (ITEMS + ctas); }));
	count_stores("fetch", ITEMS * THREADS + (ITEMS + 2) / 3 * ((THREADS + 4) / 5));
	return finish();
}
