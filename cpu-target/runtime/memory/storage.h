/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Storage of allocations. There is room before and behind each that belongs to none, and
 * released storage is used again late: a kernel that accesses memory beside an allocation, or that
 * was freed, goes on as on a GPU, and does not end the program through the heap of its host side.
 */
#ifndef CT_CPU_TARGET_RUNTIME_MEMORY_STORAGE_H
#define CT_CPU_TARGET_RUNTIME_MEMORY_STORAGE_H

#include <stddef.h>

/* Memory that begins at a multiple of alignment, a power of two; NULL if there is none. Any
 * thread. */
void *ct_storage_take(size_t alignment, size_t bytes);

/* Gives back what ct_storage_take returned; NULL: nothing. Its contents stay for a while. */
void ct_storage_release(void *address);

#endif
