/* SPDX-License-Identifier: Apache-2.0 */
/* Self-checking feature programs: "ok NAME" per claim, exit status 1 if one fails. */
#ifndef FEATURE_H
#define FEATURE_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

static int feature_failures;

static inline void check(const char *name, bool holds)
{
	printf("%s %s\n", holds ? "ok" : "FAILED", name);
	feature_failures += !holds;
}

static inline void need(cudaError_t error, const char *what)
{
	if (error == cudaSuccess)
		return;
	printf("FAILED %s: %s\n", what, cudaGetErrorString(error));
	exit(1);
}

static inline int finish()
{
	need(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
	return feature_failures != 0;
}

/* Zeroed device memory, and its contents after the kernels so far. */
template <typename T> T *device_array(size_t count)
{
	void *memory;

	need(cudaMalloc(&memory, count * sizeof(T)), "cudaMalloc");
	need(cudaMemset(memory, 0, count * sizeof(T)), "cudaMemset");
	return (T *)memory;
}

template <typename T> void upload(T *device, const T *host, size_t count)
{
	need(cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
}

template <typename T> void download(T *host, const T *device, size_t count)
{
	need(cudaGetLastError(), "launch");
	need(cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
}

/* device[i] == expected(i) for all i. */
template <typename T, typename F> bool all_equal(const T *device, size_t count, F expected)
{
	T *host = new T[count];
	bool equal = true;

	download(host, device, count);
	for (size_t i = 0; i < count; i++)
		equal = equal && host[i] == (T)expected(i);
	delete[] host;
	return equal;
}

#endif
