/* SPDX-License-Identifier: Apache-2.0 */
/* Waits that are needed now and then, in functions of many kinds, and by several threads
 * (truth.h). */
#include "truth.h"

static volatile int sum;

struct lane {
	cudaStream_t stream;
	int *memory, *device;
	int first, sum; /* the first value; of those that were read */
	bool reads;
};

static struct lane make(cudaStream_t stream, int first, bool reads)
{
	struct lane lane = {stream, pinned(BLOCK), NULL, first, 0, reads};

	cudaMalloc(&lane.device, BLOCK);
	return lane;
}

/* Work that ends late and makes what no copy has moved before. */
static void fetch(struct lane *lane)
{
	last<<<1, 1, 0, lane->stream>>>(LONG_MS);
	set<<<1, 32, 0, lane->stream>>>(lane->device, ++lane->first);
	cudaMemcpyAsync(lane->memory, lane->device, BLOCK, cudaMemcpyDeviceToHost, lane->stream);
}

/* As in Figure 3.4 of seed 000. */
CASE read_in_one_of_four()
{
	struct lane lane = make(0, 100, true);

	for (int i = 0; i < 4; i++) {
		fetch(&lane);
		cudaStreamSynchronize(0); // problem: unnecessary-synchronization 3 of 4 times
		if (i == 2)
			sum += lane.memory[0];
		work(LONG_MS / 2);
	}
}

static __attribute__((noinline)) void descend(int depth)
{
	last<<<1, 1>>>(LONG_MS);
	cudaDeviceSynchronize(); // problem: unnecessary-synchronization
	work(LONG_MS / 2);
	if (depth > 0)
		descend(depth - 1);
	sum += depth;
}

/* One place in the source, and a function for each type. */
template <typename Type> __attribute__((noinline)) void conclude(Type value)
{
	last<<<1, 1>>>(LONG_MS);
	cudaDeviceSynchronize(); // problem: unnecessary-synchronization
	work(LONG_MS / 2);
	sum += (int)value;
}

CASE by_pointer()
{
	static void (*const volatile functions[])(double) = {conclude<double>, conclude<double>};

	conclude<int>(1);
	conclude<float>(2);
	for (auto function : functions)
		function(3);
}

static __attribute__((noinline)) void needs(struct lane *lane)
{
	fetch(lane);
	cudaStreamSynchronize(lane->stream);
	lane->sum += lane->memory[1];
}

static __attribute__((noinline)) void needs_not(struct lane *lane)
{
	fetch(lane);
	cudaStreamSynchronize(lane->stream); // problem: unnecessary-synchronization
	work(LONG_MS / 2);
}

static void *run_lane(void *lane)
{
	for (int i = 0; i < 2; i++)
		(((struct lane *)lane)->reads ? needs : needs_not)((struct lane *)lane);
	return NULL;
}

/* Each waits for its own stream alone. */
CASE two_threads()
{
	struct lane lanes[2];
	pthread_t threads[2];

	for (int i = 0; i < 2; i++) {
		cudaStream_t stream;

		cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
		lanes[i] = make(stream, 1000 * (i + 1), i == 0);
		pthread_create(&threads[i], NULL, run_lane, &lanes[i]);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	sum += lanes[0].sum + lanes[1].sum;
}

int main()
{
	read_in_one_of_four();
	descend(2);
	by_pointer();
	two_threads();
	printf("%d\n", sum);
	return 0;
}
