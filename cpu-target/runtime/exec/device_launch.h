/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches, copies and fills from device code. The grids run when the grid that launched them
 * has ended, in the order of the launches; that one counts as complete when
 * they are.
 */
#ifndef CT_CPU_TARGET_RUNTIME_EXEC_DEVICE_LAUNCH_H
#define CT_CPU_TARGET_RUNTIME_EXEC_DEVICE_LAUNCH_H

#include "cpu-target/runtime/exec/exec.h"
#include <stdint.h>

/* Device code calls these; results are cudaError_t. */

/* NULL without memory. Freed by the launch. */
void *__ct_cpu_launch_buffer(uint64_t alignment, uint64_t bytes);
/* parameters: in a buffer, each at its natural alignment. tail: behind all
 * other launches of the grid. */
uint32_t __ct_cpu_launch_grid(const struct ct_cpu_kernel *kernel, void *parameters,
			      const uint32_t grid[3], const uint32_t block[3],
			      uint32_t dynamic_shared_bytes, uint32_t tail);

/* A copy and a fill in their turn among the grids that are launched. What kernels see of a bad
 * address as an error ends the program here. */
uint32_t __ct_cpu_launch_copy(void *to, const void *from, uint64_t bytes);
uint32_t __ct_cpu_launch_fill(void *to, uint32_t value, uint64_t bytes);

/* A grid that a grid has launched: one of a job's children. */
struct ct_cpu_child {
	struct ct_cpu_child *next;
	struct ct_cpu_grid grid; /* no kernel: a copy, or a fill if it comes from nowhere */
	void *to;
	const void *from;
	uint64_t bytes;
	uint32_t value;
	void *parameters;
	void *args[];
};

#endif
