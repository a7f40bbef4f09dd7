/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a unit blob: what is accepted can be used without another check. */
#include "tests/fuzz/scratch.h"
#include "trace/codec/unit.h"

#include <stdlib.h>
#include <string.h>

static size_t use_string(const struct ct_unit *unit, uint32_t offset)
{
	return strlen(unit->strings + offset);
}

static void use_site(const struct ct_unit *unit, const struct ct_unit_site *site)
{
	use_string(unit, site->function);
	use_string(unit, site->variable);
	use_string(unit, site->pattern);
	if (site->kernel != CT_NONE)
		use_string(unit, unit->kernels[site->kernel].name);
	for (uint32_t at = site->inlined_at; at != CT_NONE; at = unit->frames[at].inlined_at)
		use_string(unit, unit->frames[at].function);
}

static void use_kernel(const struct ct_unit *unit, const struct ct_unit_kernel *kernel)
{
	use_string(unit, kernel->display);
	for (uint32_t i = 0; i < kernel->param_count; i++)
		use_string(unit, unit->params[kernel->param_first + i].type);
}

static void use_block(const struct ct_unit *unit, const struct ct_unit_block *block)
{
	volatile uint32_t sum = 0;

	use_string(unit, block->function);
	use_string(unit, block->pattern);
	use_string(unit, block->file);
	for (uint32_t i = 0; i < block->mix_count; i++)
		sum += unit->mix[block->mix_first + i].count;
	for (uint32_t i = 0; i < block->step_count; i++)
		sum += unit->steps[block->step_first + i].at;
	for (uint32_t i = 0; i < block->next_count; i++)
		sum += (block - block->number)[unit->next[block->next_first + i]].instructions;
}

static void use_list(const struct ct_unit *unit, uint32_t list)
{
	volatile uint32_t sum = 0;

	for (uint32_t i = 1; list && i <= unit->list[list]; i++)
		sum += unit->variables[unit->list[list + i]].line;
}

static void use_blame(const struct ct_unit *unit)
{
	volatile uint32_t sum = 0;

	for (uint32_t i = 0; i < unit->header->variable_count; i++)
		for (uint32_t v = i; v != CT_NONE; v = unit->variables[v].parent)
			use_string(unit, unit->variables[v].name);
	for (uint32_t i = 0; i < unit->header->statement_count; i++)
		use_list(unit, unit->statements[i].blamed);
	for (uint32_t i = 0; i < unit->header->call_count; i++)
		for (uint32_t o = 0; o < unit->calls[i].outcome_count; o++)
			use_list(unit, unit->outcomes[unit->calls[i].outcome_first + o].direct);
	for (uint32_t i = 0; i < unit->header->share_count; i++)
		sum += unit->blocks[unit->shares[i].block].number +
		       unit->frames[unit->shares[i].frame].line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *blob = malloc(size + 1); /* aligned, and the end is where it is */
	struct ct_unit unit;
	void *converted;

	memcpy(blob, data, size);
	if (ct_unit_convert(blob, size, &converted, &size) == 0 && converted) {
		free(blob);
		blob = converted;
	}
	if (ct_unit_view(&unit, blob, size) == 0) {
		for (uint32_t i = 0; i < unit.header->site_count; i++)
			use_site(&unit, &unit.sites[i]);
		for (uint32_t i = 0; i < unit.header->kernel_count; i++)
			use_kernel(&unit, &unit.kernels[i]);
		for (uint32_t i = 0; i < unit.header->block_count; i++)
			use_block(&unit, &unit.blocks[i]);
		use_blame(&unit);
	}
	free(blob);
	return 0;
}
