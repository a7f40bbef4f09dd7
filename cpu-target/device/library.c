/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the CUDA device library: __ct_cpu_fn_<symbol>. */
#include "cpu-target/device/device.h"

#define FUNCTION(symbol) __ct_cpu_fn_##symbol

int FUNCTION(vprintf)(const char *format, const char *arguments)
{
	return __ct_cpu_vprintf(format, arguments);
}

void FUNCTION(__assertfail)(const char *message, const char *file, u32 line, const char *function,
			    size_t char_bytes)
{
	__ct_cpu_assertfail(message, file, line, function, char_bytes);
}

/* malloc and operator new. */
#define ALLOCATE(symbol)                                                                           \
	void *FUNCTION(symbol)(size_t bytes)                                                       \
	{                                                                                          \
		return __ct_cpu_malloc(bytes);                                                     \
	}

ALLOCATE(malloc)
ALLOCATE(_Znwm)
ALLOCATE(_Znam)

void *FUNCTION(__cuda_syscall_aligned_malloc)(size_t bytes, size_t alignment)
{
	return __ct_cpu_aligned_malloc(bytes, alignment);
}

/* free and operator delete, with and without a size. */
#define RELEASE(symbol)                                                                            \
	void FUNCTION(symbol)(void *pointer)                                                       \
	{                                                                                          \
		__ct_cpu_free(pointer);                                                            \
	}

RELEASE(free)
RELEASE(_ZdlPv)
RELEASE(_ZdaPv)
RELEASE(_ZdlPvm)
RELEASE(_ZdaPvm)

/* A call of a pure virtual function. */
void FUNCTION(__cxa_pure_virtual)(void)
{
	__ct_cpu_trap();
}

void NVVM(trap)(void)
{
	__ct_cpu_trap();
}

/* Inline PTX calls these directly: bitcode declares only what something names. */
extern void *const __ct_cpu_direct_calls[];
void *const __ct_cpu_direct_calls[] = {
    (void *)__ct_cpu_barrier,
    (void *)__ct_cpu_barrier_arrive,
    (void *)__ct_cpu_warp_op,
};
