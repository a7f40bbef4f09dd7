/* SPDX-License-Identifier: Apache-2.0 */
/* In which address space a flat address lies, and its address in records. */
#ifndef CT_CPU_TARGET_RUNTIME_EXEC_SPACE_H
#define CT_CPU_TARGET_RUNTIME_EXEC_SPACE_H

#include <stddef.h>
#include <stdint.h>

struct ct_cpu_range {
	uint64_t start;
	uint64_t bytes;
};

/* Tells where constant memory is; ranges sorted by address, borrowed for the
 * life of the process. May be called again, with more. */
void ct_cpu_set_constants(const struct ct_cpu_range *ranges, size_t count);

/* enum ct_site_space (unit.h) of an address, as the calling device thread sees
 * it; CT_SPACE_GENERIC for copies of kernel arguments. */
uint32_t ct_cpu_space_of(uint64_t address);

/* The address in records (record.h) of an address that is in that space.
 * Shared: offset in its block's shared memory, of whichever block of the
 * cluster. Local: offset in the thread's stack, the same for the same variable
 * in all threads. Constant: from the first constant on, or the low bits of
 * one that was not registered. */
uint64_t ct_cpu_record_address(uint32_t space, uint64_t address);

#endif
