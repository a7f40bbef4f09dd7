/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores: vector types, volatile, cache operators, the read-only path. */
#include "feature.h"
#include <cuda_fp16.h>
// construct: descriptor 1 of the thesis: load
// construct: descriptor 2 of the thesis: store
// construct: vector types
// construct: volatile accesses
// construct: __ldg and ld.global.nc
// construct: loads with cache operators
// construct: stores with cache operators

template <typename T> __global__ void copy(T *to, const T *from)
{
	to[threadIdx.x] = from[threadIdx.x];
}

/* Only half has all of them in clang's headers. */
#define LOAD(op)                                                                                   \
	static __device__ int load_##op(const int *p)                                              \
	{                                                                                          \
		int v;                                                                             \
		asm("ld.global." #op ".s32 %0, [%1];" : "=r"(v) : "l"(p));                         \
		return v;                                                                          \
	}
#define STORE(op)                                                                                  \
	static __device__ void store_##op(int *p, int v)                                           \
	{                                                                                          \
		asm volatile("st.global." #op ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory");       \
	}
LOAD(nc);
LOAD(ca);
LOAD(lu);
STORE(cg);
STORE(cs);
STORE(wb);
STORE(wt);

__global__ void cached(int *to, const int *from)
{
	int i = threadIdx.x;

	store_cg(to + i, __ldg(from + i) + __ldcg(from + i));
	store_cs(to + 32 + i, load_ca(from + i) + __ldcs(from + i));
	store_wb(to + 64 + i, load_lu(from + i) + __ldcv(from + i));
	store_wt(to + 96 + i, load_nc(from + i) - __ldcg(from + i) + i);
}

__global__ void halves(__half2 *to, const __half2 *from)
{
	int i = threadIdx.x;

	__stcg(to + i, __ldca(from + i));
	__stcs(to + 32 + i, __ldlu(from + i));
	__stwb(to + 64 + i, __ldcv(from + i));
	__stwt(to + 96 + i, __ldg(from + i));
}

__global__ void wide(float4 *to, const float4 *from)
{
	float4 v = __ldcs(from + threadIdx.x);
	double2 d = __ldg((const double2 *)from + threadIdx.x);

	v.x += (float)(d.x == d.x);
	asm volatile("st.global.cs.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to + threadIdx.x),
		     "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w)
		     : "memory");
}

__global__ void repeated(volatile int *v)
{
	v[threadIdx.x] = 1;
	v[threadIdx.x] = v[threadIdx.x] + v[threadIdx.x];
}

template <typename T> static bool copies(const char *bytes)
{
	T *from = device_array<T>(32), *to = device_array<T>(32);
	char host[32 * sizeof(T)];

	upload((char *)from, bytes, sizeof(host));
	copy<<<1, 32>>>(to, from);
	download(host, (char *)to, sizeof(host));
	return memcmp(host, bytes, sizeof(host)) == 0;
}

int main()
{
	char bytes[32 * 32];

	for (int i = 0; i < 32 * 32; i++)
		bytes[i] = (char)(i * 7 + i / 32);
	check("char2 to char4",
	      copies<char2>(bytes) && copies<char3>(bytes) && copies<char4>(bytes));
	check("short2 to short4",
	      copies<short2>(bytes) && copies<short3>(bytes) && copies<short4>(bytes));
	check("int2 to int4", copies<int2>(bytes) && copies<int3>(bytes) && copies<int4>(bytes));
	check("float2 to float4",
	      copies<float2>(bytes) && copies<float3>(bytes) && copies<float4>(bytes));
	check("long and double",
	      copies<longlong2>(bytes) && copies<double2>(bytes) && copies<double>(bytes));
	check("32 bytes", copies<double4>(bytes) && copies<ulonglong4>(bytes));

	int *from = device_array<int>(32), *to = device_array<int>(128), host[32];
	for (int i = 0; i < 32; i++)
		host[i] = i * i;
	upload(from, host, 32);
	cached<<<1, 32>>>(to, from);
	check("cache operators", all_equal(to, 128, [](size_t i) {
		      return i < 96 ? 2 * (i % 32) * (i % 32) : i % 32;
	      }));
	int *h = device_array<int>(128);
	halves<<<1, 32>>>((__half2 *)h, (const __half2 *)from);
	check("halves", all_equal(h, 128, [](size_t i) { return (i % 32) * (i % 32); }));
	float4 *f = device_array<float4>(64);
	wide<<<1, 32>>>(f, f + 32);
	check("vectors with cache operators",
	      all_equal((float *)f, 128, [](size_t i) { return i % 4 == 0; }));
	int *v = device_array<int>(32);
	repeated<<<1, 32>>>(v);
	check("volatile", all_equal(v, 32, [](size_t) { return 2; }));
	return finish();
}
