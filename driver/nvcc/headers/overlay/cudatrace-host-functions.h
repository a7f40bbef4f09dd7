/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of CUDA's headers that are for both sides, and of which clang has those of devices
 * alone: host code of both compilers calls these. CT_HOST_AS_NVCC: they are overloads like any
 * other, as with nvcc. Without it they are taken where nothing else can be: a program's own max,
 * and std::max where its names are used, stay what clang calls.
 */
#ifndef CT_DRIVER_NVCC_HEADERS_OVERLAY_CUDATRACE_HOST_FUNCTIONS_H
#define CT_DRIVER_NVCC_HEADERS_OVERLAY_CUDATRACE_HOST_FUNCTIONS_H
#if defined(__CUDA__) && defined(__cplusplus) && __cplusplus >= 201103L

#ifdef CT_HOST_AS_NVCC
#define CT_HOST_TAKES(type) const type
#define CT_HOST_CONVERTS(type) const type
#define CT_HOST_VALUE(type, x) ((type)x)
#else
template <bool is> struct ct_host_if {
};
template <> struct ct_host_if<true> {
	typedef int type;
};
/* A number of type T, or of one that is promoted to it. Such a conversion is the last choice. */
template <class T> struct ct_host_number {
	T value;
	template <class U, typename ct_host_if<__is_same(decltype(+*(U *)0), T)>::type = 0>
	__host__ constexpr ct_host_number(U x) : value(x)
	{
	}
};
/* Any number, converted to type T. */
template <class T> struct ct_host_converted {
	T value;
	template <class U, typename ct_host_if<__is_arithmetic(U) || __is_enum(U)>::type = 0>
	__host__ constexpr ct_host_converted(U x) : value((T)x)
	{
	}
};
#define CT_HOST_TAKES(type) ct_host_number<type>
#define CT_HOST_CONVERTS(type) ct_host_converted<type>
#define CT_HOST_VALUE(type, x) ((type)x.value)
#endif

#define CT_HOST_LESS(result, a, b)                                                                 \
	static inline __host__ result min(CT_HOST_TAKES(a) x, CT_HOST_TAKES(b) y)                  \
	{                                                                                          \
		return CT_HOST_VALUE(result, x) < CT_HOST_VALUE(result, y)                         \
			   ? CT_HOST_VALUE(result, x)                                              \
			   : CT_HOST_VALUE(result, y);                                             \
	}                                                                                          \
	static inline __host__ result max(CT_HOST_TAKES(a) x, CT_HOST_TAKES(b) y)                  \
	{                                                                                          \
		return CT_HOST_VALUE(result, x) > CT_HOST_VALUE(result, y)                         \
			   ? CT_HOST_VALUE(result, x)                                              \
			   : CT_HOST_VALUE(result, y);                                             \
	}
#define CT_HOST_FLOAT_LESS(result, a, b, suffix)                                                   \
	static inline __host__ result min(CT_HOST_TAKES(a) x, CT_HOST_TAKES(b) y)                  \
	{                                                                                          \
		return __builtin_fmin##suffix(CT_HOST_VALUE(result, x), CT_HOST_VALUE(result, y)); \
	}                                                                                          \
	static inline __host__ result max(CT_HOST_TAKES(a) x, CT_HOST_TAKES(b) y)                  \
	{                                                                                          \
		return __builtin_fmax##suffix(CT_HOST_VALUE(result, x), CT_HOST_VALUE(result, y)); \
	}
CT_HOST_LESS(int, int, int)
CT_HOST_LESS(unsigned, unsigned, unsigned)
CT_HOST_LESS(unsigned, int, unsigned)
CT_HOST_LESS(unsigned, unsigned, int)
CT_HOST_LESS(long, long, long)
CT_HOST_LESS(unsigned long, unsigned long, unsigned long)
CT_HOST_LESS(unsigned long, long, unsigned long)
CT_HOST_LESS(unsigned long, unsigned long, long)
CT_HOST_LESS(long long, long long, long long)
CT_HOST_LESS(unsigned long long, unsigned long long, unsigned long long)
CT_HOST_LESS(unsigned long long, long long, unsigned long long)
CT_HOST_LESS(unsigned long long, unsigned long long, long long)
CT_HOST_FLOAT_LESS(float, float, float, f)
CT_HOST_FLOAT_LESS(double, double, double, )
CT_HOST_FLOAT_LESS(double, float, double, )
CT_HOST_FLOAT_LESS(double, double, float, )
#undef CT_HOST_LESS
#undef CT_HOST_FLOAT_LESS

#define CT_HOST_OF_KIND(kind, type)                                                                \
	static inline __host__ type kind##min(CT_HOST_CONVERTS(type) x, CT_HOST_CONVERTS(type) y)  \
	{                                                                                          \
		return CT_HOST_VALUE(type, x) < CT_HOST_VALUE(type, y) ? CT_HOST_VALUE(type, x)    \
								       : CT_HOST_VALUE(type, y);   \
	}                                                                                          \
	static inline __host__ type kind##max(CT_HOST_CONVERTS(type) x, CT_HOST_CONVERTS(type) y)  \
	{                                                                                          \
		return CT_HOST_VALUE(type, x) > CT_HOST_VALUE(type, y) ? CT_HOST_VALUE(type, x)    \
								       : CT_HOST_VALUE(type, y);   \
	}
CT_HOST_OF_KIND(u, unsigned)
CT_HOST_OF_KIND(ll, long long)
CT_HOST_OF_KIND(ull, unsigned long long)
#undef CT_HOST_OF_KIND

static inline __host__ void sincos(CT_HOST_CONVERTS(float) x, float *sine, float *cosine)
{
	__builtin_sincosf(CT_HOST_VALUE(float, x), sine, cosine);
}

#define CT_HOST_SWAP(bits, type)                                                                   \
	static inline __host__ type __nv_bswap##bits(type x)                                       \
	{                                                                                          \
		return __builtin_bswap##bits(x);                                                   \
	}
CT_HOST_SWAP(16, unsigned short)
CT_HOST_SWAP(32, unsigned)
CT_HOST_SWAP(64, unsigned long long)
#undef CT_HOST_SWAP

/* The functions for dynamic programming (__vimax3_s32): clang has read those of devices. */
#pragma push_macro("__device__")
#pragma push_macro("__CUDA_ARCH__")
#pragma push_macro("__CUDA_AND_AT_LEAST_SM_70__")
#pragma push_macro("__CUDA_AND_AT_LEAST_SM_75__")
#pragma push_macro("__CUDA_INCLUDE_COMPILER_INTERNAL_HEADERS__")
#undef __CUDA_AND_AT_LEAST_SM_70__
#undef __CUDA_AND_AT_LEAST_SM_75__
#undef __CUDA_ARCH__
#undef __DEVICE_FUNCTIONS_HPP__
#undef __device__
#define __device__
#define __CUDA_INCLUDE_COMPILER_INTERNAL_HEADERS__
#include <crt/device_functions.hpp>
#pragma pop_macro("__CUDA_INCLUDE_COMPILER_INTERNAL_HEADERS__")
#pragma pop_macro("__CUDA_AND_AT_LEAST_SM_75__")
#pragma pop_macro("__CUDA_AND_AT_LEAST_SM_70__")
#pragma pop_macro("__CUDA_ARCH__")
#pragma pop_macro("__device__")

/* Host code of clang calls the C library's, which are of double precision. */
#ifdef CT_HOST_AS_NVCC
#define CT_HOST_SINGLE(name)                                                                       \
	static inline __host__ float name(const float x)                                           \
	{                                                                                          \
		return name##f(x);                                                                 \
	}
#define CT_HOST_SINGLE_OF(name)                                                                    \
	static inline __host__ float name(const int n, const float x)                              \
	{                                                                                          \
		return name##f(n, x);                                                              \
	}
CT_HOST_SINGLE(exp10)
CT_HOST_SINGLE(erfinv)
CT_HOST_SINGLE(j0)
CT_HOST_SINGLE(j1)
CT_HOST_SINGLE_OF(jn)
CT_HOST_SINGLE(y0)
CT_HOST_SINGLE(y1)
CT_HOST_SINGLE_OF(yn)
#undef CT_HOST_SINGLE
#undef CT_HOST_SINGLE_OF
#else /* nvcc reads math.h of the C++ library */
#define CT_HOST_IS_OF(name, type)                                                                  \
	static inline __host__ bool name(ct_host_number<type> x)                                   \
	{                                                                                          \
		return __builtin_##name(x.value);                                                  \
	}
#define CT_HOST_IS(name)                                                                           \
	CT_HOST_IS_OF(name, float)                                                                 \
	CT_HOST_IS_OF(name, double)                                                                \
	CT_HOST_IS_OF(name, long double)
CT_HOST_IS(isfinite)
CT_HOST_IS(isinf)
CT_HOST_IS(isnan)
CT_HOST_IS(signbit)
#undef CT_HOST_IS
#undef CT_HOST_IS_OF
static inline __host__ float modf(ct_host_number<float> x, float *whole)
{
	return __builtin_modff(x.value, whole);
}
#endif
#undef CT_HOST_TAKES
#undef CT_HOST_CONVERTS
#undef CT_HOST_VALUE

#endif
#endif
