/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What --ct-host costs host loops: one that is bound by memory, one that computes, one of small
 * calls; with nothing armed, and with a range armed beside them. Build it with and without
 * --ct-host, run both by `ctrun --uses=off|host|pages`: prints ns for each element.
 */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <time.h>

static double now()
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1e9 + time.tv_nsec;
}

static const size_t large = (size_t)1 << 24, small = 4096;

__attribute__((noinline)) static void add(float *to, const float *from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		to[i] += from[i];
}

__attribute__((noinline)) static void horner(float *to, const float *from, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		float x = from[i], y = 1;

		for (int k = 0; k < 16; k++)
			y = y * x + 0.5f;
		to[i] = y;
	}
}

__attribute__((noinline)) static void chase(int *next, size_t steps)
{
	int at = 0;

	for (size_t i = 0; i < steps; i++)
		at = next[at];
	next[0] = at ? at : next[0];
}

template <typename Run> static double best(size_t count, Run run)
{
	double least = 1e30;

	for (int i = 0; i < 7; i++) {
		double begin = now();

		run();
		double time = (now() - begin) / (double)count;
		least = time < least ? time : least;
	}
	return least;
}

static void measure(const char *what, float *a, float *b, int *ring)
{
	printf("%s: memory %.3f, compute %.3f, latency %.3f ns\n", what,
	       best(large, [&] { add(a, b, large); }),
	       best(small * 256,
		    [&] {
			    for (int i = 0; i < 256; i++)
				    horner(a, b, small);
		    }),
	       best(1 << 22, [&] { chase(ring, 1 << 22); }));
}

int main()
{
	float *a = (float *)calloc(large, sizeof(*a)), *b = (float *)calloc(large, sizeof(*b));
	int *ring = (int *)malloc(small * sizeof(*ring)), *device, *pinned;

	for (size_t i = 0; i < small; i++)
		ring[i] = (int)((i + 1021) % small);
	cudaMalloc(&device, 4096);
	measure("nothing armed", a, b, ring);
	cudaMallocHost(&pinned, 4096);
	cudaMemcpy(pinned, device, 4096, cudaMemcpyDeviceToHost);
	measure("a range armed", a, b, ring);
	return 0;
}
