/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What programs of the test of advice share (run-advice.sh). A program has cases, each of which is
 * run and judged alone; a case begins at its line `// case NAME` and ends where the next one
 *begins.
 *
 *	// judged: FINDING, FINDING   at the head of the file: findings that its cases are judged on
 *	// has FINDING                at the end of a line: ctpost findings has it of this line
 *	// has FINDING of NAME        likewise, of an object or, where there is none, a kernel
 *	// has FINDING ...: WORDS     and its text, evidence or fix has these words
 *
 * A case has the findings that are marked, each once, and none of the others that are judged.
 */
#ifndef CT_TEST_CASES_H
#define CT_TEST_CASES_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <utility>
#include <vector>

#define OK(call)                                                                                   \
	do {                                                                                       \
		cudaError_t error_ = (call);                                                       \
		if (error_ != cudaSuccess) {                                                       \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                         \
				cudaGetErrorString(error_));                                       \
			exit(3);                                                                   \
		}                                                                                  \
	} while (0)

struct test_case {
	const char *name;
	void (*run)();
	test_case *next;
};

static test_case *test_cases;

struct test_case_added : test_case {
	test_case_added(const char *name, void (*run)()) : test_case{name, run, test_cases}
	{
		test_cases = this;
	}
};

#define CASE(name)                                                                                 \
	static void name();                                                                        \
	static test_case_added name##_added(#name, name);                                          \
	static void name()

/* Global index of a thread in a row of thread blocks. */
static __device__ __forceinline__ int index()
{
	return (int)(blockIdx.x * blockDim.x + threadIdx.x);
}

/* An array on the device, of that name. */
#define ALLOCATE(type, name, count)                                                                \
	type *name;                                                                                \
	OK(cudaMalloc(&name, (count) * sizeof(type)))

/* Likewise, of no name. */
template <typename T> static T *allocated(size_t count)
{
	ALLOCATE(T, memory, count);
	return memory;
}

/* Values that have nothing in common. */
static inline float noise(int i)
{
	return (float)((unsigned)i * 2654435761u >> 8) * 1e-3f + .1f;
}

template <typename T> static std::vector<T> filled(int count, T (*value)(int))
{
	std::vector<T> host(count);

	for (int i = 0; i < count; i++)
		host[i] = value(i);
	return host;
}

template <typename T> static void copy_in(T *memory, const std::vector<T> &host)
{
	OK(cudaMemcpy(memory, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
}

/* A sum, so that the host has used what it has copied. */
template <typename T> static double copy_out(const T *memory, size_t count)
{
	std::vector<T> host(count);
	double sum = 0;

	OK(cudaMemcpy(host.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost));
	for (T value : host)
		sum += (double)value;
	return sum;
}

int main(int argc, char **argv)
{
	for (test_case *one = test_cases; one; one = one->next) {
		if (argc == 2 && !strcmp(argv[1], one->name)) {
			one->run();
			OK(cudaDeviceSynchronize());
			return 0;
		}
	}
	fprintf(stderr, "no case of this name\n");
	return 2;
}

#endif
