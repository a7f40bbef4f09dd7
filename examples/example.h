/* SPDX-License-Identifier: Apache-2.0 */
/* All examples share this: checked CUDA calls, reproducible input, one line of result. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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

/* The result line: a checksum, or where the result is wrong. Returns main's exit status. */
static inline int example_report(const char *name, const void *result, size_t bytes, long wrong)
{
	uint64_t hash = 0xcbf29ce484222325u;

	if (wrong >= 0) {
		printf("%s: element %ld differs from the reference\n", name, wrong);
		return 1;
	}
	for (size_t i = 0; i < bytes; i++)
		hash = (hash ^ ((const unsigned char *)result)[i]) * 0x100000001b3u;
	printf("%s: ok, checksum %016llx\n", name, (unsigned long long)hash);
	return 0;
}

/* The result must be the expected one to the last bit. */
template <typename T>
int example_finish(const char *name, const std::vector<T> &result, const std::vector<T> &expected)
{
	long wrong = -1;

	for (size_t i = 0; i < expected.size() && wrong < 0; i++)
		if (memcmp(&result[i], &expected[i], sizeof(T)))
			wrong = (long)i;
	return example_report(name, result.data(), result.size() * sizeof(T), wrong);
}

/* The expected result; nothing where the reference would take far longer than what is measured. */
#ifdef EXAMPLE_UNCHECKED
#define EXAMPLE_EXPECTED(reference) decltype(reference)()
#else
#define EXAMPLE_EXPECTED(reference) reference
#endif

/* Where the device's square root may round otherwise: differences up to tolerance pass. */
static inline int example_finish_near(const char *name, const float *result, const float *expected,
				      size_t count, float tolerance)
{
	long wrong = -1;

	for (size_t i = 0; i < count && wrong < 0; i++)
		if (!(fabsf(result[i] - expected[i]) <= tolerance * fmaxf(1, fabsf(expected[i]))))
			wrong = (long)i;
	return example_report(name, result, count * sizeof(float), wrong);
}

static inline int divide_up(int n, int by)
{
	return (n + by - 1) / by;
}

#endif
