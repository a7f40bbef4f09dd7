/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Problems whose worth is known by construction, each as it is and, compiled with -DFIXED, fixed:
 *
 *	problems NAME [ROUNDS]		prints the same in both versions
 *
 * Kernels and the host's work only last, in the unit below; the device is busy for none of it.
 * What each saves in a round is at its function. K(20) is a kernel of 20 units, A and B are waits.
 */
#include "../../examples/example.h"
#include <unistd.h>

#ifdef FIXED
static const bool is_fixed = true;
#else
static const bool is_fixed = false;
#endif

static const unsigned UNIT_US = 1000;
static const size_t BYTES = 32 << 20;

static int *device, *pinned, *pageable;
static unsigned made;
static long sum;

__global__ void last(unsigned us, int *result, int value)
{
	unsigned long long begin, now;

	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
	do {
		__nanosleep(20000);
		asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
	} while (now - begin < us * 1000ull);
	*result = value;
}

__global__ void read(int *result, const int *data, size_t n)
{
	*result = data[0] + data[n - 1];
}

static void kernel(unsigned units)
{
	last<<<1, 1>>>(units * UNIT_US, device, (int)++made);
	CHECK(cudaGetLastError());
}

static void work(unsigned units)
{
	usleep(units * UNIT_US);
}

static void fetch(int *to)
{
	CHECK(cudaMemcpyAsync(to, device, sizeof(*to), cudaMemcpyDeviceToHost));
}

/* K(20) A work 16 B: 16 */
static void needless()
{
	kernel(20);
	if (!is_fixed)
		CHECK(cudaDeviceSynchronize());
	work(16);
	fetch(pinned);
	CHECK(cudaDeviceSynchronize());
	sum += *pinned;
}

/* K(20) A work 1 K(12) work 3 B: the wait moves to B, but for 1. */
static void limited()
{
	kernel(20);
	if (!is_fixed)
		CHECK(cudaDeviceSynchronize());
	work(1);
	kernel(12);
	work(3);
	fetch(pinned);
	CHECK(cudaDeviceSynchronize());
	sum += *pinned;
}

/* K(20) A work 1 K(7) work 5 B work 10 C: 1 without A, 2 without B, 11 without both */
static void carried()
{
	kernel(20);
	if (!is_fixed)
		CHECK(cudaDeviceSynchronize());
	work(1);
	kernel(7);
	work(5);
	if (!is_fixed)
		CHECK(cudaDeviceSynchronize());
	work(10);
	fetch(pinned);
	CHECK(cudaDeviceSynchronize());
	sum += *pinned;
}

/* K(20) A work 12, then what A waits for is read: 12 */
static void misplaced()
{
	kernel(20);
	fetch(pinned);
	if (!is_fixed)
		CHECK(cudaDeviceSynchronize());
	work(12);
	if (is_fixed)
		CHECK(cudaDeviceSynchronize());
	sum += *pinned;
}

/* K(20), a copy to pageable memory, work 12, then it is read: 12 */
static void pageable_copy()
{
	int *to = is_fixed ? pinned : pageable;

	kernel(20);
	fetch(to);
	work(12);
	if (is_fixed)
		CHECK(cudaStreamSynchronize(0));
	sum += *to;
}

/* Memory for K(20), freed, work 16, B: 16, and what it takes to allocate and free */
static void free_in_loop()
{
	static int *kept;
	int *memory = kept;

	if (!memory)
		CHECK(cudaMalloc(&memory, BYTES));
	CHECK(cudaMemsetAsync(memory, 0, sizeof(*memory)));
	kernel(20);
	if (is_fixed)
		kept = memory;
	else
		CHECK(cudaFree(memory));
	work(16);
	fetch(pinned);
	CHECK(cudaDeviceSynchronize());
	sum += *pinned;
}

/* K(20) A, which is needed in one round of four, work 16, B: 12 */
static void now_and_then()
{
	bool is_needed = made % 4 == 0;

	kernel(20);
	fetch(pinned);
	if (!is_fixed || is_needed)
		CHECK(cudaDeviceSynchronize());
	if (is_needed)
		sum += *pinned;
	work(16);
	fetch(pinned + 1);
	CHECK(cudaDeviceSynchronize());
	sum += pinned[1];
}

/* The same bytes to the same place: the copy's time but for the first. */
static void copied_again()
{
	static int *target;
	bool is_first = !target;

	if (is_first)
		CHECK(cudaMalloc(&target, BYTES));
	if (is_first || !is_fixed)
		CHECK(cudaMemcpy(target, pageable, BYTES, cudaMemcpyHostToDevice));
	read<<<1, 1>>>(device, target, BYTES / sizeof(*target));
	CHECK(cudaGetLastError());
	work(16);
	fetch(pinned);
	CHECK(cudaDeviceSynchronize());
	sum += *pinned;
}

static const struct {
	const char *name;
	void (*round)();
} problems[] = {
    {"needless", needless},
    {"limited", limited},
    {"carried", carried},
    {"misplaced", misplaced},
    {"pageable-copy", pageable_copy},
    {"free-in-loop", free_in_loop},
    {"now-and-then", now_and_then},
    {"copied-again", copied_again},
};

int main(int argc, char **argv)
{
	int rounds = argc > 2 ? atoi(argv[2]) : 40;

	CHECK(cudaMalloc(&device, sizeof(*device)));
	CHECK(cudaMallocHost(&pinned, 4096));
	pageable = (int *)malloc(BYTES);
	memset(pageable, 1, BYTES);
	for (const auto &problem : problems)
		if (argc > 1 && strcmp(argv[1], problem.name) == 0) {
			for (int i = 0; i < rounds; i++)
				problem.round();
			printf("%s: %ld\n", problem.name, sum);
			return 0;
		}
	fprintf(stderr, "usage: %s NAME [ROUNDS]\n", argv[0]);
	return 2;
}
