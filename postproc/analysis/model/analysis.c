/* SPDX-License-Identifier: Apache-2.0 */
/* Executions of blocks, and streams of one launch of each kernel. */
#include "postproc/analysis/model/analysis.h"

#include "postproc/analysis/banks/analysis.h"
#include "postproc/facts/lanes.h"
#include "postproc/facts/operation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define NO_LAUNCH UINT32_MAX

struct state {
	struct ct_model_job *job;
	const struct ct_launch_info *first_launch;
	struct ct_model_count *count; /* as of the results */
	struct ct_streams **streams;
	uint64_t *bank_excess;
	struct ct_locator locator;
};

static bool has_blocks(const struct ct_trace *trace)
{
	const struct ct_unit *units;
	size_t count = ct_trace_units(trace, &units);

	for (size_t u = 0; u < count; u++)
		if (units[u].header->events & CT_UNIT_BLOCKS)
			return true;
	return false;
}

static int wants(void *job, struct ct_wants *wants)
{
	const struct ct_model_job *own = job;
	bool looks = !own->is_optional || has_blocks(own->trace);

	*wants = (struct ct_wants){
	    .what = looks ? CT_WANT_ACCESSES | CT_WANT_EVENTS | CT_WANT_WARPS : 0,
	    .launches = own->filter ? ct_filter_launches(own->filter) : NULL,
	    .sites = own->filter ? ct_filter_sites(own->filter) : NULL,
	};
	return 0;
}

static int number_blocks(struct ct_model_job *job)
{
	struct ct_model_results *results = &job->results;
	size_t units = ct_trace_units(job->trace, &results->units);
	uint64_t blocks = 0;

	results->first_block = calloc(units + 1, sizeof(*results->first_block));
	job->block_of_site = calloc(units + 1, sizeof(*job->block_of_site));
	if (!results->first_block || !job->block_of_site)
		return -ENOMEM;
	for (size_t u = 0; u < units; u++) {
		const struct ct_unit *unit = &results->units[u];

		results->first_block[u] = (uint32_t)blocks;
		job->block_of_site[u] =
		    malloc(((size_t)unit->header->site_count + 1) * sizeof(**job->block_of_site));
		if (!job->block_of_site[u])
			return -ENOMEM;
		for (uint32_t s = 0; s < unit->header->site_count; s++)
			job->block_of_site[u][s] = CT_NONE;
		for (uint32_t b = 0; b < unit->header->block_count; b++)
			if (unit->blocks[b].site != CT_NONE)
				job->block_of_site[u][unit->blocks[b].site] = (uint32_t)blocks + b;
		blocks += unit->header->block_count;
	}
	if (blocks > CT_NONE - 1u)
		return -EOVERFLOW;
	results->first_block[units] = results->blocks = (uint32_t)blocks;
	return 0;
}

bool ct_model_is_counted(const struct ct_launch_info *launch)
{
	return launch->event->flags & CT_LAUNCH_TRACED &&
	       (launch->event->tier == CT_TIER_FULL || launch->event->tier == CT_TIER_BLOCKS);
}

/* The first launch of each kernel whose accesses are recorded, else whose blocks are counted, that
 * passes the filter. */
static int choose_launches(struct ct_model_job *job)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(job->trace, &launches);

	job->streamed = malloc((job->results.kernels.count + 1u) * sizeof(*job->streamed));
	if (!job->streamed)
		return -ENOMEM;
	for (uint32_t k = 0; k < job->results.kernels.count; k++)
		job->streamed[k] = NO_LAUNCH;
	for (size_t l = 0; l < count; l++) {
		uint32_t kernel = job->results.kernels.of_launch[l];

		const struct ct_launch_info *known;

		if (kernel >= job->results.kernels.count || !ct_model_is_counted(&launches[l]) ||
		    (job->filter && !ct_filter_launch(job->filter, &launches[l])))
			continue;
		known =
		    job->streamed[kernel] == NO_LAUNCH ? NULL : &launches[job->streamed[kernel]];
		if (!known || (known->event->tier == CT_TIER_BLOCKS &&
			       launches[l].event->tier == CT_TIER_FULL))
			job->streamed[kernel] = (uint32_t)l;
	}
	return 0;
}

static int begin(void *job, const struct ct_room *room)
{
	struct ct_model_job *own = job;
	int err;

	ct_model_job_fini(own);
	(void)room;
	own->is_silent = own->is_optional && !has_blocks(own->trace);
	err = ct_kernel_table_init(&own->results.kernels, own->trace, own->filter);
	if (err == 0)
		err = number_blocks(own);
	return err < 0 ? err : choose_launches(own);
}

static void close_state(void *state)
{
	struct state *own = state;

	if (!own)
		return;
	for (uint32_t k = 0; own->streams && k < own->job->results.kernels.count; k++)
		ct_streams_close(own->streams[k]);
	free(own->streams);
	free(own->bank_excess);
	free(own->count);
	free(own);
}

static int open_state(void **state, void *job, const struct ct_worker *worker)
{
	struct ct_model_job *own = job;
	struct state *new = calloc(1, sizeof(*new));
	uint32_t kernels = own->results.kernels.count;

	*state = new;
	if (!new)
		return -ENOMEM;
	new->job = own;
	new->locator.trace = worker->trace;
	ct_trace_launches(own->trace, &new->first_launch);
	new->count = calloc((size_t)kernels * own->results.blocks + 1, sizeof(*new->count));
	new->streams = calloc(kernels + 1u, sizeof(*new->streams));
	new->bank_excess = calloc(kernels + 1u, sizeof(*new->bank_excess));
	return new->count &&new->streams &&new->bank_excess ? 0 : -ENOMEM;
}

/* Returns the streams of the kernel that the launch is of, if this is the one; else NULL with
 * *err 0. */
static struct ct_streams *streams_of(struct state *state, const struct ct_access *at, int *err)
{
	uint32_t launch = (uint32_t)(at->launch - state->first_launch);
	uint32_t kernel = state->job->results.kernels.of_launch[launch];

	*err = 0;
	if (state->job->streamed[kernel] != launch)
		return NULL;
	if (!state->streams[kernel])
		*err = ct_streams_open(&state->streams[kernel], state->job->sectors);
	return state->streams[kernel];
}

static void add_banks(struct state *state, const struct ct_access *access)
{
	uint32_t kernel =
	    state->job->results.kernels.of_launch[access->launch - state->first_launch];
	uint32_t lanes = ct_banks_is_counted(access) ? ct_lanes_in(access, CT_SPACE_SHARED) : 0;

	if (lanes) {
		struct ct_banks_request request =
		    ct_banks_request(access->address, lanes, access->info->bytes);

		state->bank_excess[kernel] += request.wavefronts - request.ideal;
	}
}

static int add_access(void *state, const struct ct_access *access)
{
	static const enum ct_stream_kind kinds[CT_CLASSES] = {
	    [CT_CLASS_LOAD] = CT_STREAM_LOAD,
	    [CT_CLASS_STORE] = CT_STREAM_STORE,
	    [CT_CLASS_ATOMIC] = CT_STREAM_ATOMIC,
	};
	struct state *own = state;
	const struct ct_filter *filter = own->job->filter;
	enum ct_class class = ct_operation_class(access->info->operation);
	struct ct_streams *streams;
	uint32_t lanes;
	int err;

	if (class == CT_CLASS_EVENT || own->job->is_silent)
		return 0;
	add_banks(own, access);
	streams = streams_of(own, access, &err);
	if (!streams)
		return err;
	lanes = ct_lanes_in(access, CT_SPACE_GLOBAL);
	if (lanes && filter)
		lanes &= ct_filter_lanes(filter, access, &own->locator);
	return lanes ? ct_streams_access(streams, access, lanes, kinds[class]) : 0;
}

static int add_event(void *state, const struct ct_event *event)
{
	struct state *own = state;
	const struct ct_access *at = event->at;
	const struct ct_model_results *results = &own->job->results;
	uint32_t kernel = results->kernels.of_launch[at->launch - own->first_launch], block;
	struct ct_streams *streams;
	int err;

	if (own->job->is_silent || event->phase != CT_PHASE_HAPPENS ||
	    (own->job->filter && !ct_filter_passes(own->job->filter, at)))
		return 0;
	if (at->info->operation == CT_OP_BARRIER) {
		streams = streams_of(own, at, &err);
		return streams ? ct_streams_barrier(streams, at) : err;
	}
	block = own->job->block_of_site[at->unit - results->units][at->site];
	if (block != CT_NONE) {
		struct ct_model_count *count =
		    &own->count[(size_t)kernel * results->blocks + block];

		count->warps++;
		count->lanes += ct_lane_count(at->mask);
		streams = streams_of(own, at, &err);
		return streams ? ct_streams_block(streams, at, block) : err;
	}
	return 0;
}

static int join(void *state, void *from)
{
	struct state *own = state, *other = from;
	const struct ct_model_results *results = &own->job->results;
	size_t counts = (size_t)results->kernels.count * results->blocks;
	int err = 0;

	for (size_t i = 0; i < counts; i++) {
		own->count[i].warps += other->count[i].warps;
		own->count[i].lanes += other->count[i].lanes;
	}
	for (uint32_t k = 0; k < results->kernels.count && err == 0; k++) {
		own->bank_excess[k] += other->bank_excess[k];
		if (!own->streams[k]) {
			own->streams[k] = other->streams[k];
			other->streams[k] = NULL;
		} else if (other->streams[k]) {
			err = ct_streams_join(own->streams[k], other->streams[k]);
		}
	}
	return err;
}

/* Adds what tier blocks has counted. */
static void add_counted(struct ct_model_job *job, struct ct_model_count *count)
{
	const struct ct_model_results *results = &job->results;
	const struct ct_launch_info *launches;
	const struct ct_count_info *counted;
	size_t n = ct_trace_counts(job->trace, &counted);

	ct_trace_launches(job->trace, &launches);
	for (size_t i = 0; i < n; i++) {
		const struct ct_count_info *info = &counted[i];
		uint32_t kernel, block;

		if (!info->launch || !info->unit || info->launch->event->tier != CT_TIER_BLOCKS ||
		    !ct_filter_passes_count(job->filter, info))
			continue;
		kernel = results->kernels.of_launch[info->launch - launches];
		block = job->block_of_site[info->unit - results->units][info->event->site];
		if (block == CT_NONE || kernel >= results->kernels.count)
			continue;
		count[(size_t)kernel * results->blocks + block].warps += info->event->warps;
		count[(size_t)kernel * results->blocks + block].lanes += info->event->lanes;
	}
}

static int conclude(void *job, void **state, const struct ct_scanned *scanned)
{
	struct ct_model_job *own = job;
	struct state *all = *state;

	(void)scanned;
	if (!all)
		return 0;
	add_counted(own, all->count);
	own->results.count = all->count;
	own->results.streams = all->streams;
	own->results.bank_excess = all->bank_excess;
	all->count = NULL;
	all->streams = NULL;
	all->bank_excess = NULL;
	return 0;
}

const struct ct_analysis ct_model_analysis = {
    .name = "model",
    .is_of_one_process = true,
    .memory = 1,
    .wants = wants,
    .begin = begin,
    .open = open_state,
    .access = add_access,
    .event = add_event,
    .join = join,
    .close = close_state,
    .conclude = conclude,
};

void ct_model_job_fini(struct ct_model_job *job)
{
	struct ct_model_results *results = &job->results;
	size_t units = ct_trace_units(job->trace, &results->units);

	for (uint32_t k = 0; results->streams && k < results->kernels.count; k++)
		ct_streams_close(results->streams[k]);
	for (size_t u = 0; job->block_of_site && u < units; u++)
		free(job->block_of_site[u]);
	free(job->block_of_site);
	free(job->streamed);
	free(results->streams);
	free(results->count);
	free(results->bank_excess);
	free(results->first_block);
	ct_kernel_table_fini(&results->kernels);
	*results = (struct ct_model_results){0};
	job->block_of_site = NULL;
	job->streamed = NULL;
}
