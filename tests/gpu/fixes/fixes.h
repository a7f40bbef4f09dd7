// SPDX-License-Identifier: Apache-2.0
// Programs with one planted problem each share this. They print a result that is the same with
// the problem fixed, and on stderr how long what matters took.
#ifndef CT_TEST_FIXES_H
#define CT_TEST_FIXES_H

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                \
	do {                                                                                       \
		cudaError_t status_ = (call);                                                      \
		if (status_ != cudaSuccess) {                                                      \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                         \
				cudaGetErrorString(status_));                                      \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

static std::chrono::steady_clock::time_point began_at;

static inline void began()
{
	CHECK(cudaDeviceSynchronize());
	began_at = std::chrono::steady_clock::now();
}

static inline void ended()
{
	CHECK(cudaDeviceSynchronize());
	std::chrono::duration<double> took = std::chrono::steady_clock::now() - began_at;
	fprintf(stderr, "took %.9f s\n", took.count());
}

#endif
