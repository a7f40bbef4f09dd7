/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses behind pointers to functions: counted in expect/feature-indirect.expect. */
// construct: call through a function pointer
// construct: function pointer that the host passes
// construct: table of function pointers
// construct: function pointer in constant memory
// construct: virtual function
// construct: lambda behind a type-erased wrapper
#include "feature.h"

typedef int (*function)(const int *);
__device__ int one_load(const int *p)
{
	return p[threadIdx.x];
}
__device__ int two_loads(const int *p)
{
	return p[threadIdx.x] + p[threadIdx.x + 64];
}
__device__ int no_load(const int *)
{
	return 5;
}
__device__ function table[] = {one_load, two_loads, no_load, one_load};
__constant__ function fixed = two_loads;
__device__ function for_host = one_load;

__global__ void from_table(int *out, const int *p)
{
	out[threadIdx.x] = table[threadIdx.x % 4](p);
}

__global__ void from_constant(int *out, const int *p)
{
	out[threadIdx.x] = fixed(p);
}

__global__ void from_host(int *out, const int *p, function given)
{
	out[threadIdx.x] = given(p);
}

struct shape {
	__device__ virtual int area(const int *p) const = 0;
};
struct square : shape {
	__device__ int area(const int *p) const override
	{
		return p[threadIdx.x] * p[threadIdx.x];
	}
};
struct box : shape {
	__device__ int area(const int *p) const override
	{
		return p[threadIdx.x] * p[threadIdx.x + 64];
	}
};

__device__ __noinline__ int area_of(const shape &s, const int *p)
{
	return s.area(p);
}

__global__ void overrides(int *out, const int *p)
{
	square a;
	box b;
	const shape *shapes[] = {&a, &b};

	out[threadIdx.x] = area_of(*shapes[threadIdx.x & 1], p);
}

/* As std::function does it: a pointer to a function made for the lambda's type. */
struct erased {
	const void *object;
	int (*call)(const void *, int);
	template <typename F> __device__ erased(const F &f) : object(&f)
	{
		call = [](const void *object, int i) { return (*(const F *)object)(i); };
	}
};

__device__ __noinline__ int apply(const erased &f, int i)
{
	return f.call(f.object, i);
}

__global__ void wrapped(int *out, const int *p)
{
	auto plain = [=](int i) { return p[i]; };
	auto sum = [=](int i) { return p[i] + p[i + 64]; };

	out[threadIdx.x] =
	    threadIdx.x & 1 ? apply(erased(plain), threadIdx.x) : apply(erased(sum), threadIdx.x);
}

int main()
{
	int *out = device_array<int>(64), *p = device_array<int>(128), host[128];
	function given;

	for (int i = 0; i < 128; i++)
		host[i] = i;
	upload(p, host, 128);
	from_table<<<1, 64>>>(out, p);
	check("table", all_equal(out, 64, [](size_t i) {
		      return i % 4 == 1 ? 2 * i + 64 : i % 4 == 2 ? 5 : i;
	      }));
	from_constant<<<1, 64>>>(out, p);
	check("constant", all_equal(out, 64, [](size_t i) { return 2 * i + 64; }));
	need(cudaMemcpyFromSymbol(&given, for_host, sizeof(given)), "cudaMemcpyFromSymbol");
	from_host<<<1, 64>>>(out, p, given);
	check("pointer from the host", all_equal(out, 64, [](size_t i) { return i; }));
	overrides<<<1, 64>>>(out, p);
	check("virtual", all_equal(out, 64, [](size_t i) { return i & 1 ? i * (i + 64) : i * i; }));
	wrapped<<<1, 64>>>(out, p);
	check("erased lambda", all_equal(out, 64, [](size_t i) { return i & 1 ? i : 2 * i + 64; }));
	return finish();
}
