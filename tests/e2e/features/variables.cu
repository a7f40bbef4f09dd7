/* SPDX-License-Identifier: Apache-2.0 */
/* __device__ and __constant__ variables, their initial values and copies. */
#include "feature.h"

struct config {
	int a;
	double b;
	char c;
};

__constant__ float table[4] = {1, 2, 3, 4};
__constant__ struct config settings;
__device__ int counter = 5;
__device__ float array[64] = {1, 2, 3};
__device__ float *into_array = &array[2];
static __device__ int hidden[3] = {7, 8, 9};

__global__ void use(float *out)
{
	int i = threadIdx.x;

	out[i] = table[i & 3] + array[i & 63] + settings.a + (float)settings.b + *into_array;
	atomicAdd(&counter, settings.c);
}

template <int index> __global__ void use_template(int *out)
{
	out[threadIdx.x] = hidden[index];
}

int main()
{
	float *out = device_array<float>(64), values[4] = {10, 20, 30, 40}, nine = 9;
	int *ints = device_array<int>(32), count;
	struct config config = {5, 0.5, 1};
	void *address;
	size_t bytes;

	need(cudaMemcpyFromSymbol(&count, counter, sizeof(count)), "cudaMemcpyFromSymbol");
	check("initial value", count == 5);
	need(cudaMemcpyToSymbol(settings, &config, sizeof(config)), "cudaMemcpyToSymbol");
	use<<<1, 64>>>(out);
	check("initial arrays", all_equal(out, 64, [](size_t i) {
		      return (i & 3) + 1 + (i < 3 ? i + 1 : 0) + 5.5f + 3;
	      }));
	need(cudaMemcpyToSymbol(table, values, sizeof(values)), "cudaMemcpyToSymbol");
	need(cudaMemcpyToSymbol(array, &nine, sizeof(nine), 40), "cudaMemcpyToSymbol");
	use<<<1, 64>>>(out);
	check("copies to symbols", all_equal(out, 64, [](size_t i) {
		      float element = i < 3 ? i + 1 : i == 10 ? 9 : 0;
		      return 10 * ((i & 3) + 1) + element + 5.5f + 3;
	      }));
	need(cudaMemcpyFromSymbol(&count, counter, sizeof(count)), "cudaMemcpyFromSymbol");
	check("copy from symbol", count == 5 + 128);
	need(cudaGetSymbolAddress(&address, array), "cudaGetSymbolAddress");
	need(cudaGetSymbolSize(&bytes, array), "cudaGetSymbolSize");
	check("symbol address and size",
	      bytes == 256 && all_equal((float *)address + 1, 1, [](size_t) { return 2.f; }));
	use_template<2><<<1, 32>>>(ints);
	check("static variable", all_equal(ints, 32, [](size_t) { return 9; }));
	return finish();
}
