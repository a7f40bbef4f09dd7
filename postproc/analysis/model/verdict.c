/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds and changes. */
#include "postproc/analysis/model/verdict.h"
#include "postproc/analysis/model/costs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Shares of time below this are not worth a word. */
#define LEAST_SHARE 0.02
#define NEAR 0.95
/* A unit that is busy for so much of the time decides; so does what warps wait for so much. */
#define BUSY 0.7
#define LARGEST 0.4
#define SECTOR 32.0 /* bytes */

static void tell(struct ct_model_kernel *kernel, const char *bound, const char *format, double a,
		 double b)
{
	snprintf(kernel->bound, sizeof(kernel->bound), "%s", bound);
	snprintf(kernel->evidence, sizeof(kernel->evidence), format, a, b);
}

static void judge_memory(struct ct_model_kernel *kernel)
{
	const struct ct_gpuperf *r = &kernel->perf;
	const struct ct_gpuperf_kernel *k = &kernel->input;

	if (r->t_mem <= k->least_memory_cycles)
		tell(kernel,
		     kernel->caches.counts.dram * 2 > kernel->caches.counts.l2_accesses
			 ? "bandwidth of memory"
			 : "bandwidth of the caches",
		     "its bytes alone take %.3g cycles, at %.0f %% misses of sectors", r->t_mem,
		     100 * k->miss_ratio);
	else if (r->itmlp >= NEAR * r->mwp_peak_bw)
		tell(kernel, "bandwidth of memory",
		     "%.1f requests are under way on an SM, and %.1f are all that the bandwidth "
		     "allows",
		     r->itmlp, r->mwp_peak_bw);
	else
		tell(kernel, "latency of memory",
		     "%.1f loads are under way on an SM, each for %.0f cycles", r->itmlp, r->amat);
}

static void judge_serial(struct ct_model_kernel *kernel)
{
	const struct ct_gpuperf *r = &kernel->perf;

	if (r->o_sync >= r->o_sfu && r->o_sync >= r->o_bank)
		tell(kernel, "barriers", "they take %.3g of %.3g cycles", r->o_sync, r->t_exec);
	else if (r->o_sfu >= r->o_bank)
		tell(kernel, "special functions",
		     "what they take beyond other instructions is %.3g of %.3g cycles", r->o_sfu,
		     r->t_exec);
	else
		tell(kernel, "bank conflicts", "they take %.3g of %.3g cycles", r->o_bank,
		     r->t_exec);
}

/* Judges by what is busy nearly all the time, else by what warps wait for most. */
static void judge_simulation(struct ct_model_kernel *kernel, double kernel_seconds)
{
	const struct ct_simulation *s = &kernel->simulation;
	char what[CT_MODEL_TEXT_BYTES];

	if (kernel_seconds > kernel->predicted / 2) {
		tell(kernel, "its beginning and end",
		     "an empty kernel takes %.3g s, this one %.3g s more", kernel_seconds,
		     kernel->running);
	} else if (s->dram >= BUSY) {
		tell(kernel, "bandwidth of memory", "it is busy %.0f %% of the time", 100 * s->dram,
		     0);
	} else if (s->l2 >= BUSY) {
		tell(kernel, "bandwidth of the caches", "the L2 is busy %.0f %% of the time",
		     100 * s->l2, 0);
	} else if (s->schedulers >= BUSY || s->accesses >= BUSY || s->issue >= LARGEST) {
		snprintf(what, sizeof(what), "throughput of instructions: %s",
			 s->accesses > s->schedulers ? "loads and stores" : kernel->pipeline);
		tell(kernel, what,
		     "schedulers are busy %.0f %% of the time, load-store units %.0f %%",
		     100 * s->schedulers, 100 * s->accesses);
	} else if (s->memory >= s->chain && s->memory >= s->barrier) {
		tell(kernel, "latency of memory",
		     "warps wait for it %.0f %% of their time; it is busy %.0f %% of the time",
		     100 * s->memory, 100 * s->dram);
	} else if (s->barrier >= s->chain) {
		tell(kernel, "barriers", "warps wait at them %.0f %% of their time",
		     100 * s->barrier, 0);
	} else {
		tell(kernel, "latency of instructions",
		     "warps wait for results of their own %.0f %% of their time; schedulers are "
		     "busy %.0f %%",
		     100 * s->chain, 100 * s->schedulers);
	}
}

static void judge(struct ct_model_kernel *kernel, double kernel_seconds)
{
	const struct ct_gpuperf *r = &kernel->perf;
	char what[CT_MODEL_TEXT_BYTES];

	if (kernel->simulation.cycles > 0) {
		judge_simulation(kernel, kernel_seconds);
	} else if (r->t_mem > r->t_comp) {
		judge_memory(kernel);
	} else if (r->w_serial > r->w_parallel) {
		judge_serial(kernel);
	} else if (r->itilp < NEAR * r->itilp_max) {
		tell(kernel, "latency of instructions",
		     "%.1f instructions are under way on an SM; %.1f would keep it busy", r->itilp,
		     r->itilp_max);
	} else {
		snprintf(what, sizeof(what), "throughput of instructions: %s", kernel->pipeline);
		tell(kernel, what, "an SM begins %.1f lanes' instructions a cycle, of %.0f",
		     kernel->device.simd_width, CT_ISSUE_LANES);
	}
}

static double seconds_with(const struct ct_gpuperf_kernel *input,
			   const struct ct_gpuperf_machine *device)
{
	struct ct_gpuperf result;

	ct_gpuperf(&result, input, device);
	return result.seconds;
}

static void add_change(struct ct_model_kernel *kernel, const char *what, double seconds,
		       bool is_advice)
{
	/* The share that GPUPerf tells, of what is predicted without what an empty kernel takes. */
	double share = 1 - seconds / kernel->perf.seconds, saved = share * kernel->running;

	if (share > LEAST_SHARE && kernel->changes < CT_MODEL_CHANGES)
		kernel->change[kernel->changes++] = (struct ct_model_change){
		    .what = what, .seconds = saved, .is_advice = is_advice};
}

static int by_worth(const void *a, const void *b)
{
	double x = ((const struct ct_model_change *)a)->seconds;
	double y = ((const struct ct_model_change *)b)->seconds;

	return (x < y) - (x > y);
}

/* Sectors of a request whose lanes are side by side. */
static double ideal_transactions(const struct ct_model_kernel *kernel)
{
	double ideal = kernel->global > 0 ? kernel->requested_bytes / kernel->global / SECTOR : 1;

	return fmax(fmin(ideal, kernel->input.transactions), 1);
}

/* Returns the share of all sectors that loads ask for once more. What is loaded and then stored
 * is not among them. */
static double share_again(const struct ct_model_kernel *kernel)
{
	double moved = kernel->input.transactions * kernel->global * SECTOR;
	double loaded = kernel->input.transactions * kernel->loads * SECTOR;

	return loaded > kernel->distinct_bytes ? (loaded - kernel->distinct_bytes) / moved : 0;
}

/* The first load of each sector stays as it is. */
static void try_staging(struct ct_model_kernel *kernel, const struct ct_machine *machine)
{
	struct ct_gpuperf_kernel input = kernel->input;
	struct ct_gpuperf_machine device = kernel->device;
	double again = share_again(kernel);

	input.miss_ratio = fmin(input.miss_ratio, 1 - again);
	input.least_memory_cycles *= 1 - again;
	device.hit_latency = (1 - again) * device.hit_latency + again * machine->shared_latency;
	add_change(kernel, "keep what is used again in shared memory, by tiles or larger ones",
		   seconds_with(&input, &device), true);
}

static void try_changes(struct ct_model_kernel *kernel, const struct ct_machine *machine)
{
	struct ct_gpuperf_kernel input = kernel->input;
	struct ct_gpuperf_machine device = kernel->device;
	double share = ideal_transactions(kernel) / input.transactions;

	input.transactions *= share;
	input.data_bytes *= share;
	input.least_memory_cycles *= share;
	add_change(kernel, "let neighbouring lanes access neighbouring elements",
		   seconds_with(&input, &device), true);

	input = kernel->input;
	input.syncs = 0;
	add_change(kernel, "do without barriers", seconds_with(&input, &device), false);

	input = kernel->input;
	input.bank_cycles = 0;
	add_change(kernel, "avoid bank conflicts", seconds_with(&input, &device), true);

	input = kernel->input;
	input.ilp *= 2;
	add_change(kernel, "unroll: twice as many independent instructions",
		   seconds_with(&input, &device), false);

	input = kernel->input;
	input.mlp *= 2;
	add_change(kernel, "issue twice as many loads before their first use",
		   seconds_with(&input, &device), true);

	input = kernel->input;
	input.warps = fmin(machine->warps_per_sm, input.sm_warps);
	add_change(kernel, "let an SM hold as many warps as it can", seconds_with(&input, &device),
		   true);

	try_staging(kernel, machine);

	input = kernel->input;
	input.instructions = fmax(input.floats, 1);
	device.simd_width = machine->fma32_lanes;
	add_change(kernel, "do without instructions that are not floating-point",
		   seconds_with(&input, &device), false);
	qsort(kernel->change, kernel->changes, sizeof(*kernel->change), by_worth);
}

void ct_model_verdict(struct ct_model_kernel *kernel, const struct ct_machine *machine)
{
	judge(kernel, machine->kernel_seconds);
	if (kernel->global > 0 && !kernel->caches.samples)
		snprintf(
		    kernel->evidence, sizeof(kernel->evidence),
		    "of computation alone: the trace has no accesses, so what they wait for is "
		    "not known");
	if (!(kernel->simulation.cycles > 0))
		try_changes(kernel, machine);
}
