/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that end by the instruction itself, in the middle of divergent loops. */
#include "hang.h"

enum { CTAS = 100, THREADS = 160, COUNT = CTAS * THREADS, STEPS = 9 };

/* Lane i % 11 ends in step i % 11, if there is one; whole warps end as well. */
__global__ void drop_out(volatile unsigned *out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	for (unsigned step = 0; step < STEPS; step++) {
		out[i] += 1;
		if (i % 11 == step)
			asm volatile("exit;" ::: "memory");
		if (i / 32 % 4 == 1 && step == 2)
			asm volatile("exit;" ::: "memory");
		for (unsigned k = 0; k < i % 3; k++)
			out[i] += 1;
	}
}

static unsigned expected(unsigned i)
{
	unsigned last = i % 11 < STEPS ? i % 11 : STEPS;

	if (i / 32 % 4 == 1 && last > 2)
		last = 2;
	return last < STEPS ? last * (1 + i % 3) + 1 : STEPS * (1 + i % 3);
}

int main(int argc, char **argv)
{
	unsigned launches = (unsigned)launches_wanted(argc, argv);
	unsigned *out = device_array<unsigned>(COUNT);
	unsigned long long stores = 0;

	for (unsigned launch = 0; launch < launches; launch++)
		drop_out<<<CTAS, THREADS>>>(out);
	check("threads that ended",
	      all_equal(out, COUNT, [&](size_t i) { return launches * expected((unsigned)i); }));
	for (unsigned i = 0; i < COUNT; i++)
		stores += expected(i);
	count_stores("drop_out", stores);
	return finish();
}
