/* SPDX-License-Identifier: Apache-2.0 */
/* Separate compilation: kernels that call device functions of another unit and of a library. */
// construct: separate compilation of device code (-fgpu-rdc)
// construct: device function of another translation unit
// construct: __device__ and __constant__ variables of another translation unit
// construct: device functions in a static library
// construct: kernel template in several translation units
// construct: static and inline functions in several units
// construct: static kernels of one name, kernels that other units define
// construct: device link-time optimisation
#include "../features/feature.h"
#include "shared.h"

/* weighted: values[i], weights[i]; own: values[i]; common: values[i] */
__global__ void units(int *out, const int *values)
{
	int i = threadIdx.x;

	out[i] = weighted(values, i) + own(values, i) + common(values, i) + unrecorded(i);
}

/* from_library: values[i], values[i + 64] */
__global__ void library(int *out, const int *values)
{
	out[threadIdx.x] = from_library(values, threadIdx.x);
}

int main()
{
	int *out = device_array<int>(64), *values = device_array<int>(128), host[128];

	for (int i = 0; i < 128; i++)
		host[i] = i;
	upload(values, host, 128);
	need(cudaMemcpyToSymbol(weights, host, sizeof(int) * 64), "cudaMemcpyToSymbol");
	units<<<1, 64>>>(out, values);
	check("other unit", all_equal(out, 64, [](size_t i) { return i * i + 7 + 2 * i + 3 * i; }));
	library<<<1, 64>>>(out, values);
	check("library", all_equal(out, 64, [](size_t i) { return 2 * i + 64; }));
	twice<<<1, 64>>>(out);
	double_in_unit(out);
	check("template in both units", all_equal(out, 64, [](size_t i) { return 8 * i + 256; }));
	add_static<<<1, 64>>>(out, 1);
	add_in_unit(out);
	check("static kernels of both units",
	      all_equal(out, 64, [](size_t i) { return 8 * i + 259; }));
	elsewhere<<<1, 64>>>(out);
	elsewhere_of<int><<<1, without_device_code(63)>>>(out);
	check("kernels of the other unit",
	      all_equal(out, 64, [](size_t i) { return 7 * (8 * i + 259) - 3; }));
	return finish();
}
