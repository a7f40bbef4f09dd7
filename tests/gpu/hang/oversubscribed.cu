/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several times more CTAs than can be resident, which wait for each other:
 * spin locks, and turns in the order of tickets. Both are safe, since who is
 * waited for has begun.
 */
#include "hang.h"

enum { CTAS = 1280, THREADS = 512, CHAINS = 32 };

struct chain {
	unsigned tickets, turn, lock, sum, turns[CTAS / CHAINS];
};

__device__ static void add_locked(struct chain *chain, unsigned value)
{
	for (bool done = false; !done;) {
		if (atomicCAS(&chain->lock, 0, 1) == 0) {
			__threadfence();
			*(volatile unsigned *)&chain->sum += value;
			__threadfence();
			atomicExch(&chain->lock, 0);
			done = true;
		} else {
			__nanosleep(500);
		}
	}
}

__device__ static void add_in_turn(struct chain *chain)
{
	unsigned ticket = atomicAdd(&chain->tickets, 1);

	while (atomicAdd(&chain->turn, 0) != ticket)
		__nanosleep(2000);
	__threadfence();
	chain->turns[ticket % (CTAS / CHAINS)] += 1;
	__threadfence();
	atomicExch(&chain->turn, ticket + 1);
}

__global__ void crowd(struct chain *chains, unsigned *out)
{
	struct chain *chain = &chains[blockIdx.x % CHAINS];

	out[blockIdx.x * blockDim.x + threadIdx.x] += 1;
	if (threadIdx.x == 0)
		add_locked(chain, blockIdx.x);
	if (threadIdx.x == blockDim.x - 1)
		add_in_turn(chain);
}

int main(int argc, char **argv)
{
	static struct chain host[CHAINS];
	unsigned launches = (unsigned)launches_wanted(argc, argv), per_chain = CTAS / CHAINS;
	struct chain *chains = device_array<struct chain>(CHAINS);
	unsigned *out = device_array<unsigned>(CTAS * THREADS);
	bool locked = true, in_turn = true;

	for (unsigned launch = 0; launch < launches; launch++)
		crowd<<<CTAS, THREADS>>>(chains, out);
	check("all threads", all_equal(out, CTAS * THREADS, [&](size_t) { return launches; }));
	download(host, chains, CHAINS);
	for (unsigned i = 0; i < CHAINS; i++) {
		unsigned sum = per_chain * i + CHAINS * (per_chain * (per_chain - 1) / 2);

		locked = locked && host[i].sum == launches * sum;
		for (unsigned k = 0; k < per_chain; k++)
			in_turn = in_turn && host[i].turns[k] == launches;
	}
	check("spin locks", locked);
	check("turns", in_turn);
	count_stores("crowd", CTAS * THREADS + 2 * CTAS);
	return finish();
}
