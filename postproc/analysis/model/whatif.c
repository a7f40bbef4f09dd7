/* SPDX-License-Identifier: Apache-2.0 */
/* Launches after changes. */
#include "postproc/analysis/model/whatif.h"
#include "base/parallel.h"

#include <math.h>
#include <stdlib.h>

/* Shares of time below this are not worth a word, nor causes that are busy for less a try. */
#define LEAST_CAUSE 0.05
#define SECTOR 32.0
#define LANES 32.0
/* Requests with more sectors than this in parts of what they need are not coalesced. */
#define SPREAD 1.05
#define FULL_LANES 31.0
/* Blocks, requests and sectors that a change is simulated of: all changes of the largest launch
 * that is kept take no more time than the launch itself. */
#define MOST (1u << 17)
#define REUSED 0.5 /* hits in the L1: sectors are used twice and more */

/* A change that could bring something, and what it has brought. */
struct trial {
	const char *what;
	struct ct_simulate_change change;
	double saved; /* seconds; below 0: nothing can be said */
};

#define TRIALS 16u /* more than there are kinds */

struct trials {
	struct ct_model_kernel *kernel;
	const struct ct_model_job *job;
	struct ct_simulate_options options; /* without a change */
	struct ct_simulation before;        /* of as much of the launch as the changes are of */
	struct trial trial[TRIALS];
	size_t count;
};

/* Barriers, ways that part and chains of uses are there for a reason, and so are integers. What
 * can be kept in shared memory is said where it is known what is loaded again by whom (memories).
 */
static bool is_advice(const struct ct_simulate_change *change)
{
	return !change->has_no_barriers && !change->joins_lanes && !(change->chain > 0) &&
	       !(change->issue > 0) && !change->keeps_loads;
}

static enum ct_change kind_of(const struct ct_simulate_change *change)
{
	return change->is_coalesced       ? CT_CHANGE_COALESCE
	       : change->has_no_conflicts ? CT_CHANGE_BANKS
					  : CT_CHANGE_NONE;
}

static void try(struct trials *t, const char *what, const struct ct_simulate_change *change)
{
	if (t->count < TRIALS)
		t->trial[t->count++] = (struct trial){.what = what, .change = *change};
}

double ct_what_if_saved(const struct ct_model_kernel *kernel, const struct ct_machine *machine,
			const struct ct_simulation *before, const struct ct_simulation *after)
{
	double seconds = kernel->simulation.cycles / machine->clock_hz;
	double takes = kernel->measured.seconds > 0 ? kernel->measured.seconds : seconds;
	double served = after->accesses * after->cycles / machine->clock_hz;
	double left = fmax(after->cycles / before->cycles, fmin(served / takes, 1));

	return seconds * (1 - left);
}

/* A piece of ct_parallel. */
static int run_trial(void *user, size_t piece)
{
	struct trials *t = user;
	struct trial *trial = &t->trial[piece];
	struct ct_simulate_options options = t->options;
	struct ct_simulation after;
	int err;

	options.change = trial->change;
	trial->saved = -1;
	err = ct_simulate(&after, t->kernel, t->job, &options);
	if (err == 0)
		trial->saved = ct_what_if_saved(t->kernel, options.machine, &t->before, &after);
	return err < 0 ? err : 0;
}

/* All of them, and what they save into the kernel's list. */
static int run_trials(struct trials *t)
{
	struct ct_model_kernel *k = t->kernel;
	double running = k->simulation.cycles / t->options.machine->clock_hz;
	int err = ct_parallel(t->count, run_trial, t);

	for (size_t i = 0; i < t->count && err == 0; i++) {
		const struct trial *trial = &t->trial[i];

		if (trial->saved > CT_MODEL_CHANGE_LEAST * running && k->changes < CT_MODEL_CHANGES)
			k->change[k->changes++] = (struct ct_model_change){
			    trial->what, trial->saved, trial->change.line, kind_of(&trial->change),
			    is_advice(&trial->change)};
	}
	return err;
}

/* The most bytes of a lane at a line, of accesses of global memory; 0: it has none. */
static uint32_t lane_bytes(const struct trials *t, uint32_t line)
{
	const struct ct_model_results *results = &t->job->results;
	const struct ct_model_count *count =
	    &results->count[(size_t)t->kernel->kernel * results->blocks];
	const struct ct_unit *all;
	size_t units = ct_trace_units(t->job->trace, &all);
	uint32_t bytes = 0;

	for (size_t u = 0; u < units; u++)
		for (uint32_t b = 0; b < all[u].header->block_count; b++) {
			const struct ct_unit_block *block = &all[u].blocks[b];

			if (!count[results->first_block[u] + b].warps)
				continue;
			for (uint32_t s = 0; s < block->step_count; s++) {
				const struct ct_unit_step *step =
				    &all[u].steps[block->step_first + s];

				if (step->line == line && step->space != CT_SPACE_SHARED &&
				    step->space != CT_SPACE_CONSTANT && step->bytes > bytes)
					bytes = step->bytes;
			}
		}
	return bytes;
}

/* The line whose requests move the most sectors beyond what they need. */
static void try_coalescing(struct trials *t)
{
	const struct ct_caches *caches = &t->kernel->caches;
	struct ct_simulate_change change = {.is_coalesced = true};
	double most = 0;

	for (uint32_t i = 0; i < caches->lines; i++) {
		const struct ct_caches_line *line = &caches->line[i];
		uint32_t bytes = lane_bytes(t, line->line);
		double ideal = fmax(ceil(bytes * LANES / SECTOR), 1);
		double excess = line->counts.sectors - ideal * line->counts.requests;

		if (!bytes || excess <= most ||
		    line->counts.sectors < SPREAD * ideal * line->counts.requests)
			continue;
		most = excess;
		change.line = line->line;
		change.sectors = (uint32_t)ideal;
	}
	if (most > 0)
		try(t, "let neighbouring lanes access neighbouring elements", &change);
}

static void try_occupancy(struct trials *t)
{
	const struct ct_model_kernel *k = t->kernel;
	const struct ct_machine *m = t->options.machine;
	uint32_t threads = (uint32_t)k->cta_threads;
	uint32_t registers = ct_machine_resident(m, threads, 0, k->shared_bytes);
	uint32_t shared = ct_machine_resident(m, threads, k->registers, 0);
	double needed = ceil(k->ctas / fmax(m->sm_count, 1));

	if (needed <= k->resident)
		return;
	if (registers > k->resident)
		try(t, "use fewer registers, so that an SM holds more warps",
		    &(struct ct_simulate_change){.resident = registers});
	if (shared > k->resident)
		try(t, "use less shared memory, so that an SM holds more warps",
		    &(struct ct_simulate_change){.resident = shared});
}

static void try_memory(struct trials *t)
{
	const struct ct_simulation *s = &t->kernel->simulation;

	try_coalescing(t);
	if (s->memory > LEAST_CAUSE)
		try(t, "issue twice as many loads before their first use",
		    &(struct ct_simulate_change){.waits_late = true});
	if (s->memory > LEAST_CAUSE && t->kernel->caches.l1.mean > REUSED)
		try(t, "keep what is used again in shared memory, by tiles or larger ones",
		    &(struct ct_simulate_change){.keeps_loads = true});
}

static void try_computation(struct trials *t)
{
	const struct ct_model_kernel *k = t->kernel;
	const struct ct_simulation *s = &k->simulation;
	double floats = k->input.instructions > 0 ? k->input.floats / k->input.instructions : 1;

	if (s->chain > LEAST_CAUSE)
		try(t, "unroll: twice as many independent instructions",
		    &(struct ct_simulate_change){.chain = 0.5});
	if (k->active_lanes < FULL_LANES)
		try(t, "let all lanes of a warp take the same way",
		    &(struct ct_simulate_change){.joins_lanes = true});
	if (s->schedulers > LEAST_CAUSE && floats > 0 && floats < 1)
		try(t, "do without instructions that are not floating-point",
		    &(struct ct_simulate_change){.issue = floats});
}

static int by_worth(const void *a, const void *b)
{
	const struct ct_model_change *x = a, *y = b;

	return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

int ct_what_if(struct ct_model_kernel *kernel, const struct ct_model_job *job,
	       const struct ct_simulate_options *options)
{
	struct trials t = {
	    .kernel = kernel, .job = job, .options = *options, .before = kernel->simulation};
	int err = 0;

	t.options.most = MOST;
	if (t.before.items > MOST)
		err = ct_simulate(&t.before, kernel, job, &t.options);
	if (err)
		return err < 0 ? err : 0;
	kernel->change_ctas = t.before.ctas;
	try_memory(&t);
	try_computation(&t);
	try_occupancy(&t);
	if (kernel->bank_wavefronts > 0)
		try(&t, "avoid bank conflicts",
		    &(struct ct_simulate_change){.has_no_conflicts = true});
	if (kernel->simulation.barrier > CT_MODEL_CHANGE_LEAST)
		try(&t, "do without barriers",
		    &(struct ct_simulate_change){.has_no_barriers = true});
	err = run_trials(&t);
	qsort(kernel->change, kernel->changes, sizeof(*kernel->change), by_worth);
	return err;
}

int ct_what_if_one(double *saved, const struct ct_model_kernel *kernel,
		   const struct ct_model_job *job, const struct ct_simulate_options *options,
		   const struct ct_simulate_change *change)
{
	struct ct_simulate_options how = *options;
	struct ct_simulation before = kernel->simulation, after;
	int err = 0;

	how.most = MOST;
	if (before.items > MOST)
		err = ct_simulate(&before, kernel, job, &how);
	how.change = *change;
	if (err == 0)
		err = ct_simulate(&after, kernel, job, &how);
	*saved = err == 0 ? ct_what_if_saved(kernel, how.machine, &before, &after) : 0;
	return err;
}
