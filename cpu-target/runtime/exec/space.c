/* SPDX-License-Identifier: Apache-2.0 */
/* In which address space a flat address lies, and its address in records. */
#include "cpu-target/runtime/exec/space.h"
#include "cpu-target/runtime/exec/block.h"
#include <cudatrace/record.h>
#include <cudatrace/unit.h>
#include <stdlib.h>

struct constants {
	size_t count;
	const struct ct_cpu_range *ranges;
	uint64_t start, bytes; /* around all of them */
};

static const struct constants *constants;

void ct_cpu_set_constants(const struct ct_cpu_range *ranges, size_t count)
{
	struct constants *next = malloc(sizeof(*next));

	if (!next)
		return;
	*next = (struct constants){.count = count, .ranges = ranges};
	if (count) {
		next->start = ranges[0].start;
		next->bytes = ranges[count - 1].start + ranges[count - 1].bytes - next->start;
	}
	/* The table before this one stays: a kernel may be looking at it. */
	__atomic_store_n(&constants, next, __ATOMIC_RELEASE);
}

static int in_range(uint64_t address, const void *first, size_t bytes)
{
	return address - (uint64_t)(uintptr_t)first < bytes;
}

static int in_arguments(const struct ct_cpu_grid *grid, uint64_t address)
{
	const struct ct_cpu_kernel *kernel = grid->kernel;

	for (uint32_t i = 0; i < kernel->param_count; i++)
		if (in_range(address, grid->args[i], kernel->param_bytes[i]))
			return 1;
	return 0;
}

static int in_constants(uint64_t address)
{
	const struct constants *table = __atomic_load_n(&constants, __ATOMIC_ACQUIRE);
	size_t low = 0, high;

	if (!table || address - table->start >= table->bytes)
		return 0;
	/* The last range that starts at or before address. */
	for (high = table->count; high - low > 1;) {
		size_t middle = low + (high - low) / 2;

		if (table->ranges[middle].start <= address)
			low = middle;
		else
			high = middle;
	}
	return address - table->ranges[low].start < table->ranges[low].bytes;
}

static const struct ct_cpu_block *block_of_shared(const struct ct_cpu_block *block,
						  uint64_t address)
{
	const struct ct_cpu_cluster *cluster = block->cluster;

	if (in_range(address, block->shared, block->shared_bytes))
		return block;
	for (uint32_t i = 0; cluster && i < cluster->count; i++)
		if (in_range(address, cluster->shared[i], cluster->shared_bytes))
			return cluster->blocks[i];
	return NULL;
}

uint32_t ct_cpu_space_of(uint64_t address)
{
	const struct ct_cpu_fiber *fiber = ct_cpu_current_fiber();
	const struct ct_cpu_block *block = fiber->thread.block;

	if (block_of_shared(block, address))
		return CT_SPACE_SHARED;
	if (in_range(address, fiber->context.stack_bottom, fiber->context.stack_bytes))
		return CT_SPACE_LOCAL;
	if (in_arguments(block->job->grid, address))
		return CT_SPACE_GENERIC;
	return in_constants(address) ? CT_SPACE_CONSTANT : CT_SPACE_GLOBAL;
}

static uint64_t shared_offset(const struct ct_cpu_fiber *fiber, uint64_t address)
{
	const struct ct_cpu_block *block = block_of_shared(fiber->thread.block, address);

	return address - (uintptr_t)(block ? block->shared : fiber->thread.shared);
}

static uint64_t constant_offset(uint64_t address)
{
	const struct constants *table = __atomic_load_n(&constants, __ATOMIC_ACQUIRE);

	return in_constants(address) ? address - table->start : address;
}

uint64_t ct_cpu_record_address(uint32_t space, uint64_t address)
{
	const struct ct_cpu_fiber *fiber = ct_cpu_current_fiber();

	switch (space) {
	case CT_SPACE_SHARED:
		return CT_ADDRESS_IN(space, shared_offset(fiber, address));
	case CT_SPACE_LOCAL:
		return CT_ADDRESS_IN(space, address + fiber->skew -
						(uintptr_t)fiber->context.stack_bottom);
	case CT_SPACE_CONSTANT:
		return CT_ADDRESS_IN(space, constant_offset(address));
	default:
		return address & (CT_ADDRESS_SPACE_BIT - 1);
	}
}

int ct_cpu_address_space(const void *pointer)
{
	switch (ct_cpu_space_of((uintptr_t)pointer)) {
	case CT_SPACE_SHARED:
		return CT_CPU_SPACE_SHARED;
	case CT_SPACE_LOCAL:
		return CT_CPU_SPACE_LOCAL;
	case CT_SPACE_CONSTANT:
		return CT_CPU_SPACE_CONSTANT;
	case CT_SPACE_GENERIC:
		return CT_CPU_SPACE_PARAM;
	default:
		return CT_CPU_SPACE_GLOBAL;
	}
}
