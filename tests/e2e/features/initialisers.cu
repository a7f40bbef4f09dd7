/* SPDX-License-Identifier: Apache-2.0 */
/* Host code that uses kernels and variables of its unit before main and after it. */
// construct: calls of the runtime and launches in static initialisers and destructors
#include "feature.h"

__constant__ int table[4];
__device__ int counter = 5;

__global__ void add(int *out, int value)
{
	atomicAdd(out, value);
}

template <typename T> __global__ void fill(T *out, T value)
{
	*out = value;
}

__global__ void use(int *out)
{
	*out = table[3] + counter;
}

static int read(const int *device)
{
	int value = -1;

	cudaMemcpy(&value, device, sizeof(value), cudaMemcpyDeviceToHost);
	return value;
}

template <typename T> static T *filled(T value)
{
	T *out = nullptr;

	cudaMalloc(&out, sizeof(T));
	fill<<<1, 1>>>(out, value);
	return out;
}

/* One of a unit, and one of whatever unit the linker takes. */
static struct Early {
	int errors = 0;
	int *out = nullptr;

	Early()
	{
		const int values[4] = {1, 2, 3, 4};
		cudaFuncAttributes attributes;
		void *address = nullptr;
		int blocks = 0;

		errors += cudaMemcpyToSymbol(table, values, sizeof(values)) != cudaSuccess;
		errors += cudaGetSymbolAddress(&address, counter) != cudaSuccess;
		errors += cudaFuncGetAttributes(&attributes, add) != cudaSuccess;
		errors += cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 128, 0) !=
			  cudaSuccess;
		errors += cudaMalloc(&out, sizeof(*out)) != cudaSuccess;
		errors += cudaMemset(out, 0, sizeof(*out)) != cudaSuccess;
		add<<<1, 1>>>(out, 3);
		errors += cudaGetLastError() != cudaSuccess;
	}
} early;
template <typename T> struct Holder {
	static T *out;
};
template <typename T> T *Holder<T>::out = filled<T>(11);

static struct Late {
	~Late()
	{
		int *out = filled(0);

		add<<<1, 1>>>(out, 9);
		check("launches in a destructor", read(out) == 9);
		if (feature_failures)
			_Exit(1);
	}
} late;

int main()
{
	check("calls and launches in an initialiser", early.errors == 0 && read(early.out) == 3);
	check("an initialiser of a template's member", read(Holder<int>::out) == 11);
	use<<<1, 1>>>(early.out);
	check("what an initialiser wrote", read(early.out) == 9);
	return finish();
}
