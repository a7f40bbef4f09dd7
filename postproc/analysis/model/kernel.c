/* SPDX-License-Identifier: Apache-2.0 */
/* From counts to the models of one kernel. */
#include "postproc/analysis/model/kernel.h"
#include "postproc/analysis/model/costs.h"
#include "postproc/analysis/model/lowered.h"
#include "postproc/analysis/model/part.h"
#include "postproc/analysis/model/simulate.h"
#include "postproc/analysis/model/verdict.h"
#include "postproc/analysis/model/whatif.h"

#include <math.h>
#include <string.h>

#define SECTOR 32.0
#define SEED 1

/* Sums over blocks, as often as warps went through them. */
struct sums {
	double instructions, chain, loads, waits;
};

static void count_blocks(struct ct_model_kernel *kernel, const struct ct_model_job *job,
			 struct sums *sums)
{
	const struct ct_model_results *results = &job->results;
	const struct ct_model_count *count =
	    &results->count[(size_t)kernel->kernel * results->blocks];
	uint32_t unit = 0;

	for (uint32_t b = 0; b < results->blocks; b++) {
		const struct ct_unit_block *block;

		while (b >= results->first_block[unit + 1])
			unit++;
		if (!count[b].warps)
			continue;
		block = &results->units[unit].blocks[b - results->first_block[unit]];
		for (uint32_t m = 0; m < block->mix_count; m++) {
			const struct ct_unit_mix *mix =
			    &results->units[unit].mix[block->mix_first + m];

			if (mix->instruction & CT_MIX_CHAIN)
				continue;
			ct_costs_count(kernel, mix, count[b].warps, count[b].lanes);
			if (mix->instruction != CT_IN_STORE && block->load_waits &&
			    (mix->instruction == CT_IN_LOAD || mix->instruction == CT_IN_ATOMIC) &&
			    mix->space != CT_SPACE_SHARED && mix->space != CT_SPACE_CONSTANT)
				sums->loads += (double)count[b].warps * mix->count;
		}
		sums->instructions += (double)count[b].warps * block->instructions;
		sums->chain += (double)count[b].warps * block->depth;
		sums->waits += (double)count[b].warps * block->load_waits;
		kernel->work += (double)count[b].lanes * block->instructions;
	}
}

/* From what is recorded of all traced launches to the mean one. */
static void take_mean(struct ct_model_kernel *kernel, struct sums *sums)
{
	double n = kernel->launches * kernel->recorded;

	for (uint32_t c = 0; c < CT_INSTRUCTIONS; c++) {
		kernel->executed[c] /= n;
		kernel->lanes[c] /= n;
	}
	kernel->flops /= n;
	kernel->requested_bytes /= n;
	kernel->global /= n;
	kernel->loads /= n;
	kernel->shared /= n;
	kernel->shared_words /= n;
	kernel->work /= n;
	kernel->bank_wavefronts /= n;
	sums->instructions /= n;
	sums->chain /= n;
	sums->loads /= n;
	sums->waits /= n;
}

/* CTAs of a launch that are recorded. */
static double recorded_ctas(const struct ct_event_launch *launch, double ctas)
{
	uint32_t period = launch->block_period;
	double first = period > 1 ? (period - launch->block_offset % period) % period : 0;

	return period > 1 ? fmax(ceil((ctas - first) / period), 0) : ctas;
}

static void find_launches(struct ct_model_kernel *kernel, const struct ct_model_job *job)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(job->trace, &launches);

	kernel->launch = &launches[job->streamed[kernel->kernel]];
	for (size_t l = 0; l < count; l++) {
		const struct ct_event_launch *event = launches[l].event;
		double ctas, threads;

		if (job->results.kernels.of_launch[l] != kernel->kernel ||
		    !ct_model_is_counted(&launches[l]) ||
		    (job->filter && !ct_filter_launch(job->filter, &launches[l])))
			continue;
		ctas = (double)event->grid[0] * event->grid[1] * event->grid[2];
		threads = (double)event->block[0] * event->block[1] * event->block[2];
		kernel->launches++;
		kernel->ctas += ctas;
		kernel->recorded += recorded_ctas(event, ctas);
		kernel->cta_threads += threads;
		kernel->warps += ctas * ceil(threads / 32);
	}
	kernel->recorded = kernel->recorded > 0 ? kernel->recorded / kernel->ctas : 1;
	kernel->ctas /= kernel->launches;
	kernel->cta_threads /= kernel->launches;
	kernel->warps /= kernel->launches;
}

/* Resources that the driver reported when it ran go before what the cubin says. */
static void find_resources(struct ct_model_kernel *kernel, const struct ct_model_job *job,
			   const struct ct_model_options *options)
{
	bool is_known = ct_model_find_cubin(&kernel->cubin, &kernel->binary, job->trace,
					    options->cubin, options->cubins, kernel->symbol);

	kernel->registers = kernel->measured.registers;
	kernel->registers_from = kernel->registers ? "driver" : NULL;
	kernel->shared_bytes = kernel->measured.shared_bytes;
	if (!kernel->shared_bytes)
		kernel->shared_bytes =
		    kernel->launch->event->shared_bytes + kernel->binary.shared_bytes;
	if (!kernel->registers && is_known && kernel->binary.registers) {
		kernel->registers = kernel->binary.registers;
		kernel->registers_from = "cubin";
	}
}

static void occupy(struct ct_model_kernel *kernel, const struct ct_machine *m)
{
	double cta_warps = ceil(kernel->cta_threads / 32), warps;

	kernel->resident = ct_machine_resident(m, (uint32_t)kernel->cta_threads, kernel->registers,
					       kernel->shared_bytes);
	kernel->input.active_sms = fmin(kernel->ctas, m->sm_count);
	/* The SM that has the most to do is the one that counts. */
	kernel->input.sm_warps = ceil(kernel->ctas / kernel->input.active_sms) * cta_warps;
	warps = fmin(kernel->resident * cta_warps, kernel->input.sm_warps);
	kernel->input.warps = fmax(warps, 1);
	kernel->occupancy = kernel->input.warps / m->warps_per_sm;
}

static int run_caches(struct ct_model_kernel *kernel, const struct ct_model_job *job,
		      const struct ct_model_options *options)
{
	const struct ct_machine *m = options->machine;
	struct ct_caches_machine machine = {
	    .sms = (uint32_t)m->sm_count,
	    .resident = kernel->resident,
	    .l1_bytes = ct_machine_l1_left(m, kernel->resident, kernel->shared_bytes),
	    .is_warm = !options->is_cold,
	};
	struct ct_streams *streams = job->results.streams[kernel->kernel];
	const struct ct_streams_extent *extent = &kernel->extent;
	int err;

	if (!streams)
		return 0;
	err = ct_streams_extent(streams, &kernel->extent);
	machine.l2_bytes =
	    ct_model_part_l2(m->l2_bytes, extent, (double)extent->ctas, kernel->ctas);
	if (err == 0)
		err = ct_caches_run(&kernel->caches, streams, &machine, options->epsilon,
				    options->samples, SEED);
	if (err < 0)
		return err;
	kernel->scale = kernel->caches.counts.requests > 0
			    ? fmax(kernel->global / kernel->caches.counts.requests, 1)
			    : 1;
	kernel->distinct_bytes =
	    ((double)extent->common + (double)extent->alone * kernel->scale) * SECTOR;
	return 0;
}

static void describe_memory(struct ct_model_kernel *kernel, const struct ct_machine *m)
{
	const struct ct_caches_counts *c = &kernel->caches.counts;
	struct ct_gpuperf_kernel *input = &kernel->input;
	struct ct_gpuperf_machine *device = &kernel->device;
	double sectors = c->sectors > 0 ? c->sectors : 1;

	input->transactions = c->requests > 0 ? fmax(c->sectors / c->requests, 1) : 1;
	input->miss_ratio = c->dram / sectors;
	input->memory_instructions = kernel->loads / kernel->warps;
	input->data_bytes = c->dram * SECTOR * kernel->scale;
	input->bank_cycles = kernel->bank_wavefronts / input->active_sms;
	device->clock_hz = m->clock_hz;
	device->bandwidth = fmax(m->dram_peak_bandwidth, m->dram_read_bandwidth);
	device->transaction_bytes = SECTOR;
	device->dram_latency = m->dram_latency;
	device->hit_latency =
	    c->l1_hits / sectors * m->l1_latency +
	    c->l2_hits / sectors *
		(m->l2_latency + (input->transactions - 1) * m->departure_delay_l2);
	device->departure_delay = m->departure_delay;
	device->barrier_factor = m->barrier_factor;
	device->wide_requests = true;
	/* The model's latencies cannot hide the bytes themselves, at measured rates. */
	input->least_memory_cycles =
	    fmax(c->dram * SECTOR * kernel->scale / m->dram_copy_bandwidth,
		 c->l2_accesses * SECTOR * kernel->scale / m->l2_bandwidth) *
	    m->clock_hz;
	input->least_memory_cycles =
	    fmax(input->least_memory_cycles,
		 c->sectors * SECTOR * kernel->scale / input->active_sms / m->l1_bandwidth);
}

/* Roofs that are lower for what lacks something, beside those that each level has. */
static void fill_ceilings(struct ct_model_kernel *kernel, const struct ct_machine *m, double peak)
{
	const struct ct_model_ceiling ceilings[CT_MODEL_CEILINGS] = {
	    {"multiply-adds", peak, 0},
	    {"no multiply-adds", peak / 2, 0},
	    {"special functions", m->sfu_lanes * m->sm_count * m->clock_hz, 0},
	    {"l1", 0, m->l1_bandwidth * m->sm_count * m->clock_hz},
	    {"l2", 0, m->l2_bandwidth},
	    {"dram", 0, m->dram_triad_bandwidth},
	    /* A lane uses four bytes of a sector that is fetched for it. */
	    {"dram, a sector for each lane", 0, m->dram_triad_bandwidth * 4 / SECTOR},
	};

	memcpy(kernel->ceiling, ceilings, sizeof(ceilings));
}

static void fill_roofline(struct ct_model_kernel *kernel, const struct ct_machine *m)
{
	const struct ct_caches_counts *c = &kernel->caches.counts;
	const double bytes[CT_MODEL_POINTS] = {
	    kernel->requested_bytes, c->l2_accesses * SECTOR * kernel->scale,
	    c->dram * SECTOR * kernel->scale, kernel->distinct_bytes};
	const double bandwidth[CT_MODEL_POINTS] = {m->l1_bandwidth * m->sm_count * m->clock_hz,
						   m->l2_bandwidth, m->dram_triad_bandwidth,
						   m->dram_triad_bandwidth};
	static const char *const levels[CT_MODEL_POINTS] = {"requested", "l2", "dram",
							    "compulsory"};
	double wide = kernel->lanes[CT_IN_FP64] + 2 * kernel->lanes[CT_IN_FMA64];
	double half = kernel->lanes[CT_IN_FP16] + 2 * kernel->lanes[CT_IN_FMA16];
	double lanes = 2 * wide > kernel->flops   ? m->fma64_lanes
		       : 2 * half > kernel->flops ? m->fma16_lanes
						  : m->fma32_lanes;

	fill_ceilings(kernel, m, 2 * lanes * m->sm_count * m->clock_hz);
	kernel->peak_flops = 2 * lanes * m->sm_count * m->clock_hz;
	for (uint32_t i = 0; i < CT_MODEL_POINTS; i++) {
		struct ct_model_point *point = &kernel->point[i];

		*point = (struct ct_model_point){.level = levels[i], .bytes = bytes[i]};
		point->intensity = bytes[i] > 0 ? kernel->flops / bytes[i] : 0;
		point->roof =
		    bytes[i] > 0 ? ct_model_roof(kernel->peak_flops, bandwidth[i], point->intensity)
				 : kernel->peak_flops;
	}
}

static void fill_balance(struct ct_model_kernel *kernel, const struct ct_machine *m)
{
	const struct ct_model_memory memory = {
	    .processors = m->sm_count * m->fma32_lanes,
	    .rate = 1,
	    .latency = m->dram_latency,
	    .bandwidth = m->dram_copy_bandwidth / 4 / m->clock_hz,
	    .line = SECTOR / 4,
	};
	double transactions = kernel->caches.counts.dram * kernel->scale;

	if (kernel->depth > 0)
		kernel->brent_seconds =
		    ct_model_brent(kernel->work, kernel->depth, memory.processors) / m->clock_hz;
	if (transactions > 0 && kernel->depth > 0)
		ct_model_balance(&kernel->balance, &memory, kernel->work, kernel->depth,
				 transactions);
}

static void fill_pruning(struct ct_model_kernel *kernel, const struct sums *sums)
{
	double instructions = sums->instructions / kernel->warps;
	double regions = 1 + (sums->waits + kernel->executed[CT_IN_BARRIER]) / kernel->warps;

	kernel->efficiency = ct_model_efficiency(instructions, kernel->ctas * kernel->cta_threads);
	kernel->utilization = ct_model_utilization(
	    instructions, regions, ceil(kernel->cta_threads / 32), kernel->resident);
}

/* The cubin that has the kernel, once more: what its code is made of. */
static int lower(struct ct_lowered *lowered, struct ct_model_kernel *kernel,
		 const struct ct_model_job *job, const struct ct_model_options *options)
{
	struct ct_elf elf;
	int err;

	*lowered = (struct ct_lowered){0};
	if (!kernel->cubin.bytes || ct_elf_view(&elf, kernel->cubin.bytes, kernel->cubin.size) < 0)
		return 0;
	err = ct_lower(lowered, job, kernel->kernel, kernel->symbol, &elf, options->machine);
	if (err == 0) {
		kernel->loops = lowered->loops;
		kernel->machine_loops = lowered->found;
		kernel->machine_share = lowered->covered;
	}
	return err < 0 ? err : 0;
}

static int simulate(struct ct_model_kernel *kernel, const struct ct_model_job *job,
		    const struct ct_model_options *options)
{
	struct ct_lowered lowered;
	struct ct_simulate_options simulated = {
	    .lowered = &lowered, .machine = options->machine, .is_cold = options->is_cold};
	int err = lower(&lowered, kernel, job, options);

	if (err == 0)
		err = ct_simulate(&kernel->simulation, kernel, job, &simulated);
	if (err == 0)
		err = ct_what_if(kernel, job, &simulated);
	ct_lowered_fini(&lowered);
	return err;
}

int ct_model_kernel_change(double *saved, const struct ct_model_kernel *kernel,
			   const struct ct_model_job *job, const struct ct_model_options *options,
			   const struct ct_simulate_change *change)
{
	struct ct_model_kernel own = *kernel;
	struct ct_lowered lowered;
	const struct ct_simulate_options simulated = {
	    .lowered = &lowered, .machine = options->machine, .is_cold = options->is_cold};
	int err = lower(&lowered, &own, job, options);

	*saved = 0;
	if (err == 0)
		err = ct_what_if_one(saved, kernel, job, &simulated, change);
	ct_lowered_fini(&lowered);
	return err;
}

int ct_model_kernel(struct ct_model_kernel *kernel, const struct ct_model_job *job, uint32_t number,
		    const struct ct_model_options *options)
{
	const struct ct_model_results *results = &job->results;
	const struct ct_machine *m = options->machine;
	struct sums sums = {0};
	int err;

	*kernel = (struct ct_model_kernel){
	    .kernel = number,
	    .name = results->kernels.list[number].name,
	    .symbol = results->kernels.list[number].symbol,
	};
	if (job->streamed[number] == UINT32_MAX)
		return 1;
	find_launches(kernel, job);
	kernel->bank_wavefronts = (double)results->bank_excess[number];
	count_blocks(kernel, job, &sums);
	if (!(sums.instructions > 0))
		return 1;
	take_mean(kernel, &sums);
	kernel->depth = sums.chain / kernel->warps;
	kernel->active_lanes = kernel->work / sums.instructions;
	if (options->times)
		ct_model_time(&kernel->measured, options->times, kernel->symbol,
			      kernel->launch->event);
	find_resources(kernel, job, options);
	occupy(kernel, m);
	err = run_caches(kernel, job, options);
	if (err < 0)
		return err;
	kernel->input.ilp = fmax(sums.chain > 0 ? sums.instructions / sums.chain : 1, 1);
	kernel->input.mlp = fmax(sums.waits > 0 ? sums.loads / sums.waits : 1, 1);
	describe_memory(kernel, m);
	ct_costs_finish(kernel, m);
	ct_gpuperf(&kernel->perf, &kernel->input, &kernel->device);
	err = simulate(kernel, job, options);
	if (err < 0)
		return err;
	kernel->running = err ? kernel->perf.seconds : kernel->simulation.cycles / m->clock_hz;
	kernel->predicted = m->kernel_seconds + kernel->running;
	fill_roofline(kernel, m);
	fill_balance(kernel, m);
	fill_pruning(kernel, &sums);
	ct_model_verdict(kernel, m);
	return 0;
}

void ct_model_kernel_fini(struct ct_model_kernel *kernel)
{
	ct_caches_fini(&kernel->caches);
}
