/* SPDX-License-Identifier: Apache-2.0 */
/* What all examples share: checked CUDA calls, reproducible input, one line of result. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(call) check_cuda((call), #call, __FILE__, __LINE__)

static inline void check_cuda(cudaError_t error, const char *call, const char *file, int line)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
	exit(1);
}

/* The size argument: argv[1] if there is one. */
static inline int example_size(int argc, char **argv, int standard, int least)
{
	int size = argc > 1 ? atoi(argv[1]) : standard;

	if (size >= least)
		return size;
	fprintf(stderr, "usage: %s [SIZE], SIZE at least %d\n", argv[0], least);
	exit(1);
}

/* The next of a reproducible sequence of numbers below limit. */
static inline unsigned example_random(unsigned *state, unsigned limit)
{
	*state = *state * 1664525u + 1013904223u;
	return (*state >> 8) % limit;
}

/* Compare bit by bit, print the result line. Returns main's exit status. */
template <typename T>
int example_finish(const char *name, const std::vector<T> &result, const std::vector<T> &expected)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (size_t i = 0; i < result.size(); i++) {
		const unsigned char *byte = (const unsigned char *)&result[i];
		const unsigned char *wanted = (const unsigned char *)&expected[i];

		for (size_t b = 0; b < sizeof(T); b++) {
			if (byte[b] != wanted[b]) {
				printf("%s: element %zu differs from the reference\n", name, i);
				return 1;
			}
			hash = (hash ^ byte[b]) * 0x100000001b3u;
		}
	}
	printf("%s: ok, checksum %016llx\n", name, (unsigned long long)hash);
	return 0;
}

static inline int divide_up(int n, int by)
{
	return (n + by - 1) / by;
}

#endif
