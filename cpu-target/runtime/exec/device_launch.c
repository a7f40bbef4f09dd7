/* SPDX-License-Identifier: Apache-2.0 */
/* Launches, copies and fills from device code (dynamic parallelism). */
#include "cpu-target/runtime/exec/device_launch.h"
#include "cpu-target/runtime/exec/block.h"
#include "cpu-target/runtime/exec/registry.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* cudaError_t; this file is below the CUDA API */
enum { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INVALID_DEVICE_FUNCTION = 98 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all jobs' children */

void *__ct_cpu_launch_buffer(uint64_t alignment, uint64_t bytes)
{
	void *buffer;

	if (alignment < sizeof(void *))
		alignment = sizeof(void *);
	return posix_memalign(&buffer, alignment, bytes ? bytes : 1) ? NULL : buffer;
}

/* The unit that registered the kernel, NULL if that is none. */
static const struct ct_cpu_unit *unit_of(const struct ct_cpu_kernel *kernel)
{
	const struct ct_cpu_unit *unit = ct_cpu_units();

	while (unit && (kernel < unit->kernels || kernel >= unit->kernels + unit->kernel_count))
		unit = unit->next;
	return unit;
}

static int is_valid(const uint32_t grid[3], const uint32_t block[3])
{
	uint64_t threads = (uint64_t)block[0] * block[1] * block[2];

	return grid[0] && grid[1] && grid[2] && threads && threads <= 1024;
}

/* Alignments stand behind the sizes (retarget/registration.cpp). */
static void place_arguments(struct ct_cpu_child *child, const struct ct_cpu_kernel *kernel)
{
	const uint32_t *bytes = kernel->param_bytes, *alignment = bytes + kernel->param_count;
	uint64_t offset = 0;

	for (uint32_t i = 0; i < kernel->param_count; i++) {
		offset = (offset + alignment[i] - 1) & ~(uint64_t)(alignment[i] - 1);
		child->args[i] = (char *)child->parameters + offset;
		offset += bytes[i];
	}
}

static void append(struct ct_cpu_child **link, struct ct_cpu_child *child)
{
	pthread_mutex_lock(&lock);
	while (*link)
		link = &(*link)->next;
	*link = child;
	pthread_mutex_unlock(&lock);
}

uint32_t __ct_cpu_launch_grid(const struct ct_cpu_kernel *kernel, void *parameters,
			      const uint32_t grid[3], const uint32_t block[3],
			      uint32_t dynamic_shared_bytes, uint32_t tail)
{
	struct ct_cpu_job *job = ct_cpu_current()->block->job;
	const struct ct_cpu_unit *unit = unit_of(kernel);
	struct ct_cpu_child *child;

	if (!unit)
		return INVALID_DEVICE_FUNCTION;
	if (!is_valid(grid, block))
		return INVALID_VALUE;
	child = calloc(1, sizeof(*child) + kernel->param_count * sizeof(void *));
	if (!child)
		return OUT_OF_MEMORY;
	child->parameters = parameters;
	child->grid = (struct ct_cpu_grid){
	    .kernel = kernel,
	    .unit = unit,
	    .dynamic_shared_bytes = dynamic_shared_bytes,
	    .args = child->args,
	    .id = job->grid->id,
	};
	memcpy(child->grid.grid, grid, sizeof(child->grid.grid));
	memcpy(child->grid.block, block, sizeof(child->grid.block));
	memcpy(child->grid.cluster, kernel->cluster, sizeof(child->grid.cluster));
	place_arguments(child, kernel);
	append(tail ? &job->tail_children : &job->children, child);
	return SUCCESS;
}

static uint32_t append_move(const struct ct_cpu_child *move)
{
	struct ct_cpu_child *child = malloc(sizeof(*child));

	if (!child)
		return OUT_OF_MEMORY;
	*child = *move;
	append(&ct_cpu_current()->block->job->children, child);
	return SUCCESS;
}

uint32_t __ct_cpu_launch_copy(void *to, const void *from, uint64_t bytes)
{
	struct ct_cpu_child move = {.to = to, .from = from, .bytes = bytes};

	return to && from ? append_move(&move) : INVALID_VALUE;
}

uint32_t __ct_cpu_launch_fill(void *to, uint32_t value, uint64_t bytes)
{
	struct ct_cpu_child move = {.to = to, .value = value, .bytes = bytes};

	return to ? append_move(&move) : INVALID_VALUE;
}
