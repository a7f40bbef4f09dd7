/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads and stores with a cache operator (PTX ISA, "Cache Operators"), for each type that nvcc has
 * them for. clang lacks some of them, and lets some of its loads be left out or moved out of loops,
 * which nvcc's are not. enable_if makes those below preferred to clang's.
 */
#ifndef CT_DRIVER_NVCC_HEADERS_OVERLAY_CUDATRACE_NVCC_CACHES_H
#define CT_DRIVER_NVCC_HEADERS_OVERLAY_CUDATRACE_NVCC_CACHES_H

#define CT_NVCC_PREFERRED __attribute__((enable_if(true, "")))

/* kind is PTX's, reg the type of its register, which has 16 bits or more; what else asm says of a
 * load comes last. */
#define CT_NVCC_LOAD(name, op, type, kind, reg, letter, ...)                                       \
	static inline __device__ type name(const type *address) CT_NVCC_PREFERRED                  \
	{                                                                                          \
		reg x;                                                                             \
		asm volatile("ld.global." op "." kind " %0, [%1];"                                 \
			     : "=" letter(x)                                                       \
			     : "l"(address)__VA_ARGS__);                                           \
		return (type)x;                                                                    \
	}
#define CT_NVCC_LOAD2(name, op, type, kind, reg, letter, ...)                                      \
	static inline __device__ type name(const type *address) CT_NVCC_PREFERRED                  \
	{                                                                                          \
		reg x, y;                                                                          \
		asm volatile("ld.global." op ".v2." kind " {%0, %1}, [%2];"                        \
			     : "=" letter(x), "=" letter(y)                                        \
			     : "l"(address)__VA_ARGS__);                                           \
		type value;                                                                        \
		value.x = (decltype(value.x))x;                                                    \
		value.y = (decltype(value.y))y;                                                    \
		return value;                                                                      \
	}
#define CT_NVCC_LOAD4(name, op, type, kind, reg, letter, ...)                                      \
	static inline __device__ type name(const type *address) CT_NVCC_PREFERRED                  \
	{                                                                                          \
		reg x, y, z, w;                                                                    \
		asm volatile("ld.global." op ".v4." kind " {%0, %1, %2, %3}, [%4];"                \
			     : "=" letter(x), "=" letter(y), "=" letter(z), "=" letter(w)          \
			     : "l"(address)__VA_ARGS__);                                           \
		type value;                                                                        \
		value.x = (decltype(value.x))x;                                                    \
		value.y = (decltype(value.y))y;                                                    \
		value.z = (decltype(value.z))z;                                                    \
		value.w = (decltype(value.w))w;                                                    \
		return value;                                                                      \
	}
#define CT_NVCC_STORE(name, op, type, kind, reg, letter, ...)                                      \
	static inline __device__ void name(type *address, type value) CT_NVCC_PREFERRED            \
	{                                                                                          \
		asm volatile("st.global." op "." kind " [%0], %1;" ::"l"(address),                 \
			     letter((reg)value)                                                    \
			     : "memory");                                                          \
	}
#define CT_NVCC_STORE2(name, op, type, kind, reg, letter, ...)                                     \
	static inline __device__ void name(type *address, type value) CT_NVCC_PREFERRED            \
	{                                                                                          \
		asm volatile("st.global." op ".v2." kind " [%0], {%1, %2};" ::"l"(address),        \
			     letter((reg)value.x), letter((reg)value.y)                            \
			     : "memory");                                                          \
	}
#define CT_NVCC_STORE4(name, op, type, kind, reg, letter, ...)                                     \
	static inline __device__ void name(type *address, type value) CT_NVCC_PREFERRED            \
	{                                                                                          \
		asm volatile("st.global." op ".v4." kind                                           \
			     " [%0], {%1, %2, %3, %4};" ::"l"(address),                            \
			     letter((reg)value.x), letter((reg)value.y), letter((reg)value.z),     \
			     letter((reg)value.w)                                                  \
			     : "memory");                                                          \
	}

/* For each type: ONE, TWO and FOUR are macros of those above. */
#define CT_NVCC_TYPES(ONE, TWO, FOUR, name, op, ...)                                               \
	ONE(name, op, char, "s8", int, "r", __VA_ARGS__)                                           \
	ONE(name, op, signed char, "s8", int, "r", __VA_ARGS__)                                    \
	ONE(name, op, unsigned char, "u8", unsigned, "r", __VA_ARGS__)                             \
	ONE(name, op, short, "s16", short, "h", __VA_ARGS__)                                       \
	ONE(name, op, unsigned short, "u16", unsigned short, "h", __VA_ARGS__)                     \
	ONE(name, op, int, "s32", int, "r", __VA_ARGS__)                                           \
	ONE(name, op, unsigned, "u32", unsigned, "r", __VA_ARGS__)                                 \
	ONE(name, op, long, "s64", long, "l", __VA_ARGS__)                                         \
	ONE(name, op, unsigned long, "u64", unsigned long, "l", __VA_ARGS__)                       \
	ONE(name, op, long long, "s64", long long, "l", __VA_ARGS__)                               \
	ONE(name, op, unsigned long long, "u64", unsigned long long, "l", __VA_ARGS__)             \
	ONE(name, op, float, "f32", float, "f", __VA_ARGS__)                                       \
	ONE(name, op, double, "f64", double, "d", __VA_ARGS__)                                     \
	TWO(name, op, char2, "s8", int, "r", __VA_ARGS__)                                          \
	TWO(name, op, uchar2, "u8", unsigned, "r", __VA_ARGS__)                                    \
	TWO(name, op, short2, "s16", short, "h", __VA_ARGS__)                                      \
	TWO(name, op, ushort2, "u16", unsigned short, "h", __VA_ARGS__)                            \
	TWO(name, op, int2, "s32", int, "r", __VA_ARGS__)                                          \
	TWO(name, op, uint2, "u32", unsigned, "r", __VA_ARGS__)                                    \
	TWO(name, op, longlong2, "s64", long long, "l", __VA_ARGS__)                               \
	TWO(name, op, ulonglong2, "u64", unsigned long long, "l", __VA_ARGS__)                     \
	TWO(name, op, float2, "f32", float, "f", __VA_ARGS__)                                      \
	TWO(name, op, double2, "f64", double, "d", __VA_ARGS__)                                    \
	FOUR(name, op, char4, "s8", int, "r", __VA_ARGS__)                                         \
	FOUR(name, op, uchar4, "u8", unsigned, "r", __VA_ARGS__)                                   \
	FOUR(name, op, short4, "s16", short, "h", __VA_ARGS__)                                     \
	FOUR(name, op, ushort4, "u16", unsigned short, "h", __VA_ARGS__)                           \
	FOUR(name, op, int4, "s32", int, "r", __VA_ARGS__)                                         \
	FOUR(name, op, uint4, "u32", unsigned, "r", __VA_ARGS__)                                   \
	FOUR(name, op, float4, "f32", float, "f", __VA_ARGS__)

#define CT_NVCC_LOADS(name, op, ...)                                                               \
	CT_NVCC_TYPES(CT_NVCC_LOAD, CT_NVCC_LOAD2, CT_NVCC_LOAD4, name, op, __VA_ARGS__)
#define CT_NVCC_STORES(name, op)                                                                   \
	CT_NVCC_TYPES(CT_NVCC_STORE, CT_NVCC_STORE2, CT_NVCC_STORE4, name, op, )

/* nvcc's of last use and of volatile memory stand where they are among other accesses. */
CT_NVCC_LOADS(__ldca, "ca", )
CT_NVCC_LOADS(__ldcg, "cg", )
CT_NVCC_LOADS(__ldcs, "cs", )
CT_NVCC_LOADS(__ldlu, "lu", : "memory")
CT_NVCC_LOADS(__ldcv, "cv", : "memory")
CT_NVCC_STORES(__stwb, "wb")
CT_NVCC_STORES(__stcg, "cg")
CT_NVCC_STORES(__stcs, "cs")
CT_NVCC_STORES(__stwt, "wt")

#undef CT_NVCC_PREFERRED
#undef CT_NVCC_LOAD
#undef CT_NVCC_LOAD2
#undef CT_NVCC_LOAD4
#undef CT_NVCC_STORE
#undef CT_NVCC_STORE2
#undef CT_NVCC_STORE4
#undef CT_NVCC_TYPES
#undef CT_NVCC_LOADS
#undef CT_NVCC_STORES

#endif
