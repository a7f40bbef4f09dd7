/* SPDX-License-Identifier: Apache-2.0 */
/* From classes of instructions to those of the machine. */
#include "postproc/analysis/model/costs.h"
#include "postproc/analysis/model/script.h"

#define WARP 32.0
#define BANK_LANES 32.0 /* words that shared memory, and the L1, serve in a cycle */

enum pipeline { FMA32, FMA64, FMA16, INTEGER, MULTIPLY, SFU, ACCESS, ISSUE, PIPELINES };

static const char *const names[PIPELINES] = {
    "fp32", "fp64", "fp16", "integer", "integer multiply", "special functions", "loads and stores",
    "issue"};

struct cost {
	double slots, special;
	enum pipeline pipeline;
	double latency;
	double chain; /* of one in a chain of uses */
};

static struct cost cost_of(uint32_t class, const struct ct_machine *m)
{
	const double shared_latency = m->shared_latency, integer_latency = m->integer_latency;
	enum {
		pipeline_integer = INTEGER,
		pipeline_multiply = MULTIPLY,
		pipeline_fma16 = FMA16,
		pipeline_fma32 = FMA32,
		pipeline_fma64 = FMA64,
		pipeline_sfu = SFU,
		pipeline_access = ACCESS,
	};
	const double special_latency = m->special_latency, divide32_latency = m->divide32_latency,
		     divide64_latency = m->divide64_latency,
		     integer_divide_latency = m->integer_divide_latency;
	const double multiply_latency = m->multiply_latency, fma16_latency = m->fma16_latency,
		     fma32_latency = m->fma32_latency, fma64_latency = m->fma64_latency,
		     sfu_latency = m->sfu_latency;

	switch (class) {
#define CT_COST(name, slots, special, lanes, latency, chain)                                       \
	case CT_IN_##name:                                                                         \
		return (struct cost){slots, special, (enum pipeline)pipeline_##lanes,              \
				     latency##_latency, chain};
#include "postproc/analysis/model/costs.def"
#undef CT_COST
	default:
		return (struct cost){1, 0, INTEGER, integer_latency, integer_latency};
	}
}

static double flops_of(uint32_t class)
{
	switch (class) {
#define CT_INSTRUCTION(id, name, text, flops)                                                      \
	case id:                                                                                   \
		return flops;
#include <cudatrace/instructions.def>
#undef CT_INSTRUCTION
	default:
		return 0;
	}
}

static bool is_access(uint32_t class)
{
	return class == CT_IN_LOAD || class == CT_IN_STORE || class == CT_IN_ATOMIC;
}

static bool is_global(uint32_t space)
{
	return space != CT_SPACE_SHARED && space != CT_SPACE_CONSTANT;
}

void ct_costs_count(struct ct_model_kernel *kernel, const struct ct_unit_mix *mix, uint64_t warps,
		    uint64_t lanes)
{
	double by_warps = (double)warps * mix->count, by_lanes = (double)lanes * mix->count;
	uint32_t class = mix->instruction < CT_INSTRUCTIONS ? mix->instruction : CT_IN_OTHER;

	kernel->executed[class] += by_warps;
	kernel->lanes[class] += by_lanes;
	kernel->flops += by_lanes * flops_of(class);
	if (!is_access(class))
		return;
	if (is_global(mix->space)) {
		kernel->global += by_warps;
		kernel->loads += class != CT_IN_STORE ? by_warps : 0;
		kernel->requested_bytes += by_lanes * mix->bytes;
	} else if (mix->space == CT_SPACE_SHARED) {
		/* Banks serve 32 words in a cycle: wider accesses take more. */
		kernel->shared += by_warps;
		kernel->shared_words += by_warps * (mix->bytes > 4 ? mix->bytes / 4.0 : 1);
	}
}

static double lanes_of(enum pipeline pipeline, const struct ct_machine *m)
{
	const double lanes[PIPELINES] = {
	    m->fma32_lanes,    m->fma64_lanes, m->fma16_lanes, m->integer_lanes,
	    m->multiply_lanes, m->sfu_lanes,   BANK_LANES,     CT_ISSUE_LANES,
	};

	return lanes[pipeline];
}

/* Cycles that each pipeline needs for the slots of a warp that it has. */
static void find_busiest(struct ct_model_kernel *kernel, const double slots[PIPELINES],
			 const struct ct_machine *machine)
{
	double cycles, most = 0;

	for (int p = 0; p < PIPELINES; p++) {
		cycles = slots[p] * WARP / lanes_of((enum pipeline)p, machine);
		if (cycles > most) {
			most = cycles;
			kernel->pipeline = names[p];
			kernel->device.simd_width = slots[ISSUE] * WARP / cycles;
		}
	}
	kernel->pipeline_share = most > 0 ? slots[ISSUE] * WARP / CT_ISSUE_LANES / most : 0;
}

static double chain_of(const struct ct_unit_mix *mix, const struct ct_machine *m)
{
	uint32_t class = mix->instruction & ~CT_MIX_CHAIN;

	if (class == CT_IN_LOAD || class == CT_IN_ATOMIC)
		return mix->space == CT_SPACE_SHARED ? m->shared_latency : 0;
	return cost_of(class, m).chain;
}

/* Whether the block may go back to itself or to an earlier one. */
static bool turns(const struct ct_unit *unit, const struct ct_unit_block *block)
{
	for (uint32_t n = 0; n < block->next_count; n++)
		if (unit->next[block->next_first + n] <= block->number)
			return true;
	return false;
}

void ct_costs_block(struct ct_script *script, const struct ct_unit *unit,
		    const struct ct_unit_block *block, const struct ct_machine *machine)
{
	double slots[PIPELINES] = {0}, cycles;

	script->chain = turns(unit, block) ? machine->branch_latency : 0;
	for (uint32_t i = 0; i < block->mix_count; i++) {
		const struct ct_unit_mix *mix = &unit->mix[block->mix_first + i];
		struct cost cost = cost_of(mix->instruction, machine);

		if (mix->instruction & CT_MIX_CHAIN) {
			script->chain += chain_of(mix, machine) * mix->count;
			continue;
		}
		slots[cost.pipeline] += cost.slots * mix->count;
		slots[ISSUE] += (cost.slots + cost.special) * mix->count;
		slots[SFU] += cost.special * mix->count;
		if (mix->space == CT_SPACE_SHARED)
			script->shared += mix->count * (mix->bytes > 4 ? mix->bytes / 4.0 : 1);
	}
	slots[ACCESS] = 0; /* the load-store unit has its own time */
	for (int p = 0; p < PIPELINES; p++) {
		cycles = slots[p] * WARP / (lanes_of((enum pipeline)p, machine) / 4);
		script->issue = cycles > script->issue ? cycles : script->issue;
	}
}

struct ct_cost_turn ct_costs_turn(uint32_t class, const struct ct_machine *machine)
{
	enum pipeline pipeline = class == CT_IN_SFU ? SFU : cost_of(class, machine).pipeline;

	_Static_assert(PIPELINES == CT_COST_PIPELINES, "costs.h has their number");
	pipeline = pipeline == ACCESS ? ISSUE : pipeline;
	return (struct ct_cost_turn){pipeline, WARP / (lanes_of(pipeline, machine) / 4)};
}

void ct_costs_finish(struct ct_model_kernel *kernel, const struct ct_machine *machine)
{
	double slots[PIPELINES] = {0}, latency = 0, float_latency = 0, floats = 0, special = 0;
	double warps = kernel->warps > 0 ? kernel->warps : 1;

	for (uint32_t c = 1; c < CT_INSTRUCTIONS; c++) {
		struct cost cost = cost_of(c, machine);
		double issued = kernel->executed[c] * cost.slots / warps;

		slots[cost.pipeline] += issued;
		slots[ISSUE] += issued;
		latency += issued * cost.latency;
		special += kernel->executed[c] * cost.special / warps;
		if (flops_of(c) > 0) {
			floats += issued;
			float_latency += issued * cost.latency;
		}
	}
	/* Loads of shared memory take longer than others do to be issued, and more of the banks. */
	latency += kernel->shared / warps * (machine->shared_latency - machine->integer_latency);
	slots[ACCESS] += (kernel->shared_words - kernel->shared) / warps;
	slots[SFU] += special;
	find_busiest(kernel, slots, machine);
	kernel->input.instructions = slots[ISSUE];
	kernel->input.special = special;
	kernel->input.floats = floats;
	kernel->input.syncs = kernel->executed[CT_IN_BARRIER] / warps;
	kernel->device.instruction_latency = slots[ISSUE] > 0 ? latency / slots[ISSUE] : 1;
	kernel->device.float_latency = floats > 0 ? float_latency / floats : 0;
	kernel->device.sfu_width = machine->sfu_lanes;
	kernel->device.warp_size = WARP;
}
