/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers of the whole grid, one after another: all CTAs have to go on. */
#include "hang.h"
#include <cooperative_groups.h>

enum { ROUNDS = 6, STEP = 97, THREADS = 64 };

/* Every round reads what other CTAs wrote in the round before; an even number of rounds. */
__global__ void rounds(unsigned *from, unsigned *to, unsigned count)
{
	cooperative_groups::grid_group grid = cooperative_groups::this_grid();
	unsigned i = (unsigned)grid.thread_rank();

	for (int round = 0; round < ROUNDS; round++) {
		unsigned *next = to;

		to[i] = from[(i + STEP) % count] + 1;
		grid.sync();
		to = from;
		from = next;
	}
}

int main(int argc, char **argv)
{
	unsigned launches = (unsigned)launches_wanted(argc, argv), total = launches * ROUNDS;
	unsigned ctas = 2 * (unsigned)multiprocessors(), count = ctas * THREADS;
	unsigned *from = device_array<unsigned>(count), *to = device_array<unsigned>(count);
	void *arguments[] = {&from, &to, &count};

	for (unsigned launch = 0; launch < launches; launch++)
		need(cudaLaunchCooperativeKernel((void *)rounds, dim3(ctas), dim3(THREADS),
						 arguments, 0, nullptr),
		     "cudaLaunchCooperativeKernel");
	check("rounds of the grid", all_equal(from, count, [&](size_t) { return total; }));
	count_stores("rounds", (unsigned long long)count * ROUNDS);
	return finish();
}
