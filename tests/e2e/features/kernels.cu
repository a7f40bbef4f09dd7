/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that are templates, take lambdas, or belong to this unit: counted in
 * expect/feature-kernels.expect. Launches of no thread, and of more than a grid may have. */
// construct: kernel template
// construct: kernel that takes a lambda
// construct: static kernel
// construct: kernel in an anonymous namespace
#include "feature.h"

template <typename T, int factor> __global__ void scaled(T *p)
{
	p[threadIdx.x] *= factor;
}

template <typename F> __global__ void applied(F f, int *p)
{
	p[threadIdx.x] = f(threadIdx.x);
}

static __global__ void internal(int *p)
{
	p[threadIdx.x] = 5;
}

namespace
{
__global__ void unnamed(int *p)
{
	p[threadIdx.x] += 6;
}
} // namespace

int main()
{
	int *p = device_array<int>(64);
	double *d = device_array<double>(64);

	internal<<<1, 64>>>(p);
	scaled<int, 3><<<1, 64>>>(p);
	unnamed<<<1, 32>>>(p);
	check("static and unnamed", all_equal(p, 64, [](size_t i) { return i < 32 ? 21 : 15; }));
	scaled<double, 2><<<1, 64>>>(d);
	check("template", all_equal(d, 64, [](size_t) { return 0; }));
	applied<<<1, 64>>>([=] __device__(int i) { return p[i] + (int)d[i]; }, p);
	applied<<<1, 64>>>([] __device__(int i) { return 7 * i; }, p);
	check("lambdas", all_equal(p, 64, [](size_t i) { return 7 * i; }));
	internal<<<0, 64>>>(p);
	check("no CTA", cudaGetLastError() != cudaSuccess);
	internal<<<dim3(1, 1, 65536), 64>>>(p);
	check("too many CTAs", cudaGetLastError() != cudaSuccess);
	internal<<<1, dim3(1, 0)>>>(p);
	check("no thread", cudaGetLastError() != cudaSuccess);
	internal<<<1, dim3(1, 1, 65)>>>(p);
	check("a block too deep", cudaGetLastError() != cudaSuccess);
	return finish();
}
