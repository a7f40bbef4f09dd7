/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work split evenly over CTAs whatever the tiles: the CTA that has the last
 * unit of a tile waits for the parts of it that lower CTAs have.
 *
 *   units    0    5    10   15   20        tile t: units [t * DEPTH, (t + 1) * DEPTH)
 *   tiles    |    |    |    |    |
 *   CTAs     |  0  |  1  |  2  |  3 …     CTA c: units [c * SHARE, (c + 1) * SHARE)
 */
#include "hang.h"

enum { THREADS = 128, TILES = 192, DEPTH = 20, SHARE = 13 };
enum { UNITS = TILES * DEPTH, CTAS = (UNITS + SHARE - 1) / SHARE };

/* The part of the unfinished tile that CTA `cta` has is in its place of `parts`. */
__device__ static unsigned part_of(unsigned cta, volatile unsigned *flags, unsigned epoch,
				   volatile unsigned *parts)
{
	if (threadIdx.x == 0)
		while (flags[cta] != epoch)
			__nanosleep(300);
	__syncthreads();
	__threadfence();
	return parts[cta * THREADS + threadIdx.x];
}

__global__ void fold(const unsigned *data, unsigned *parts, unsigned *flags, unsigned epoch,
		     unsigned *out)
{
	unsigned cta = blockIdx.x, unit = cta * SHARE, end = min(unit + SHARE, (unsigned)UNITS);

	while (unit < end) {
		unsigned tile = unit / DEPTH, first = tile * DEPTH, last = first + DEPTH, sum = 0;

		for (; unit < end && unit < last; unit++)
			sum += data[unit * THREADS + threadIdx.x];
		if (unit < last) {
			parts[cta * THREADS + threadIdx.x] = sum;
			__threadfence();
			__syncthreads();
			if (threadIdx.x == 0)
				*(volatile unsigned *)&flags[cta] = epoch;
			return;
		}
		for (unsigned lower = cta; lower * SHARE > first;)
			sum += part_of(--lower, flags, epoch, parts);
		out[tile * THREADS + threadIdx.x] += sum;
	}
}

int main(int argc, char **argv)
{
	static unsigned host[UNITS * THREADS];
	unsigned launches = (unsigned)launches_wanted(argc, argv), unfinished = 0;
	unsigned *data = scrambled_array(host, UNITS * THREADS);
	unsigned *parts = device_array<unsigned>(CTAS * THREADS);
	unsigned *flags = device_array<unsigned>(CTAS);
	unsigned *out = device_array<unsigned>(TILES * THREADS);

	for (unsigned launch = 0; launch < launches; launch++)
		fold<<<CTAS, THREADS>>>(data, parts, flags, launch + 1, out);
	check("sums of tiles", all_equal(out, TILES * THREADS, [&](size_t i) {
		      size_t tile = i / THREADS;
		      unsigned sum = 0;

		      for (size_t unit = tile * DEPTH; unit < (tile + 1) * DEPTH; unit++)
			      sum += host[unit * THREADS + i % THREADS];
		      return launches * sum;
	      }));
	for (unsigned cta = 0; cta < CTAS; cta++)
		unfinished += (cta + 1) * SHARE < UNITS && (cta + 1) * SHARE % DEPTH != 0;
	count_stores("fold", (TILES + unfinished) * THREADS + unfinished);
	return finish();
}
