/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What device code asks of the system: called by retargeted kernels and by
 * the device runtime bitcode (device/), which declares the same functions.
 */
#ifndef CT_CPU_TARGET_RUNTIME_EXEC_DEVICE_IO_H
#define CT_CPU_TARGET_RUNTIME_EXEC_DEVICE_IO_H

#include <stddef.h>
#include <stdint.h>

/* printf with the arguments packed as clang passes them to vprintf: each at
 * its natural alignment. Returns the number of arguments, as CUDA does, or -1. */
int __ct_cpu_vprintf(const char *format, const char *arguments);

void __ct_cpu_assertfail(const char *message, const char *file, uint32_t line, const char *function,
			 size_t char_bytes);
void *__ct_cpu_malloc(size_t bytes);
void *__ct_cpu_aligned_malloc(size_t bytes, size_t alignment);
void __ct_cpu_free(void *pointer);

void __ct_cpu_trap(void) __attribute__((noreturn));
void __ct_cpu_unsupported(const char *what) __attribute__((noreturn));

uint64_t __ct_cpu_clock(void);       /* cycles */
uint64_t __ct_cpu_globaltimer(void); /* ns */
uint32_t __ct_cpu_worker_count(void);
int __ct_cpu_address_space(const void *pointer); /* enum ct_cpu_space */

#endif
