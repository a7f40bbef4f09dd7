/* SPDX-License-Identifier: Apache-2.0 */
/* Nested loops in which every lane goes its own way: break, continue, return in the middle. */
#include "hang.h"

enum { COUNT = 16384, THREADS = 96 };

/* Returns what thread i adds to its element; false if it returns early. */
__host__ __device__ static bool walk(const unsigned *data, unsigned i, unsigned *sum)
{
	for (unsigned outer = 0; outer <= i % 5; outer++) {
		unsigned value = data[(i * 3 + outer) % COUNT];

		if (value % 31 == 0)
			return false;
		for (unsigned inner = 0; inner < (value >> 8) % 4; inner++) {
			unsigned next = data[(value + inner) % COUNT];

			if (next & 1)
				continue;
			*sum += next >> 16;
			for (unsigned hops = 0; next % 3 && hops < 5; hops++) {
				next = data[next % COUNT];
				*sum += 1;
			}
			if (*sum & 64)
				break;
		}
	}
	return true;
}

__global__ void tangle(const unsigned *data, unsigned *out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;

	if (i >= COUNT || !walk(data, i, &sum))
		return;
	if (sum & 8) {
		out[i] += sum;
		return;
	}
	out[i] += sum + 1;
}

int main(int argc, char **argv)
{
	static unsigned host[COUNT];
	int launches = launches_wanted(argc, argv);
	unsigned *data = scrambled_array(host, COUNT), *out = device_array<unsigned>(COUNT), sum;
	unsigned long long stores = 0;

	for (int launch = 0; launch < launches; launch++)
		tangle<<<(COUNT + THREADS - 1) / THREADS, THREADS>>>(data, out);
	check("divergent loops", all_equal(out, COUNT, [&](size_t i) {
		      unsigned sum = 0;

		      return walk(host, (unsigned)i, &sum) ? launches * (sum + !(sum & 8)) : 0;
	      }));
	for (unsigned i = 0; i < COUNT; i++)
		stores += walk(host, i, &(sum = 0));
	count_stores("tangle", stores);
	return finish();
}
