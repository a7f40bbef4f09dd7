/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of one launch of each kernel, by site, and the caches that serve them. */
#include "postproc/analysis/served/served.h"

#include "postproc/analysis/model/caches.h"
#include "postproc/analysis/model/part.h"
#include "postproc/facts/lanes.h"
#include "postproc/facts/numbered.h"
#include "postproc/facts/operation.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define NO_LAUNCH UINT32_MAX
#define KEPT_SECTORS (1u << 20)         /* of a launch, at most */
#define KEPT_OF_ALL ((uint64_t)1 << 24) /* of all launches together */
#define EPSILON 0.02
#define SAMPLES 4u
#define SEED 1

struct state {
	struct ct_served_job *job;
	const struct ct_launch_info *first_launch;
	struct ct_streams **streams;
	struct ct_locator locator;
};

static int wants(void *job, struct ct_wants *wants)
{
	const struct ct_served_job *own = job;

	*wants = (struct ct_wants){
	    .what = own->is_off ? 0 : CT_WANT_ACCESSES | CT_WANT_EVENTS | CT_WANT_WARPS,
	    .launches = own->filter ? ct_filter_launches(own->filter) : NULL,
	    .sites = own->filter ? ct_filter_sites(own->filter) : NULL,
	};
	return 0;
}

static int number_sites(struct ct_served_job *job)
{
	ct_trace_units(job->trace, &job->units);
	return ct_first_sites(job->trace, &job->first_site);
}

static bool is_driven(const struct ct_served_job *job, const struct ct_launch_info *launch)
{
	return launch->event->flags & CT_LAUNCH_TRACED && launch->event->tier == CT_TIER_FULL &&
	       (!job->filter || ct_filter_launch(job->filter, launch));
}

/* The first launch of a kernel may have next to nothing to do: the one in the middle. */
static int choose_launches(struct ct_served_job *job)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(job->trace, &launches);
	uint32_t *seen = calloc(job->kernels.count + 1u, sizeof(*seen));

	job->driven = malloc((job->kernels.count + 1u) * sizeof(*job->driven));
	if (!job->driven || !seen) {
		free(seen);
		return -ENOMEM;
	}
	for (uint32_t k = 0; k < job->kernels.count; k++)
		job->driven[k] = NO_LAUNCH;
	for (size_t l = 0; l < count; l++)
		if (job->kernels.of_launch[l] < job->kernels.count && is_driven(job, &launches[l]))
			seen[job->kernels.of_launch[l]]++;
	for (uint32_t k = 0; k < job->kernels.count; k++)
		seen[k] = seen[k] / 2 + 1;
	for (size_t l = 0; l < count; l++) {
		uint32_t kernel = job->kernels.of_launch[l];

		if (kernel < job->kernels.count && is_driven(job, &launches[l]) && seen[kernel] &&
		    --seen[kernel] == 0)
			job->driven[kernel] = (uint32_t)l;
	}
	free(seen);
	return 0;
}

/* Shares sectors so that each launch has as much as the others: the trace has any number of
 * kernels. */
static void share_sectors(struct ct_served_job *job)
{
	uint64_t driven = 0, each;

	for (uint32_t k = 0; k < job->kernels.count; k++)
		driven += job->driven[k] != NO_LAUNCH;
	each = KEPT_OF_ALL / (driven ? driven : 1);
	job->kept_sectors = each < KEPT_SECTORS ? each + 1 : KEPT_SECTORS;
}

static int begin(void *job, const struct ct_room *room)
{
	struct ct_served_job *own = job;
	int err;

	(void)room;
	ct_served_job_fini(own);
	err = ct_kernel_table_init(&own->kernels, own->trace, own->filter);
	if (err == 0)
		err = number_sites(own);
	if (err == 0)
		err = choose_launches(own);
	if (err == 0)
		share_sectors(own);
	return err;
}

static void close_streams(struct ct_streams **streams, uint32_t kernels)
{
	for (uint32_t k = 0; streams && k < kernels; k++)
		ct_streams_close(streams[k]);
	free(streams);
}

static void close_state(void *state)
{
	struct state *own = state;

	if (own)
		close_streams(own->streams, own->job->kernels.count);
	free(own);
}

static int open_state(void **state, void *job, const struct ct_worker *worker)
{
	struct ct_served_job *own = job;
	struct state *new = calloc(1, sizeof(*new));

	*state = new;
	if (!new)
		return -ENOMEM;
	new->job = own;
	new->locator.trace = worker->trace;
	ct_trace_launches(own->trace, &new->first_launch);
	new->streams = calloc(own->kernels.count + 1u, sizeof(*new->streams));
	return new->streams ? 0 : -ENOMEM;
}

/* NULL with *err 0: the launch is not the one of its kernel. */
static struct ct_streams *streams_of(struct state *state, const struct ct_access *at, int *err)
{
	uint32_t launch = (uint32_t)(at->launch - state->first_launch);
	uint32_t kernel = state->job->kernels.of_launch[launch];

	*err = 0;
	if (state->job->is_off || state->job->driven[kernel] != launch)
		return NULL;
	if (!state->streams[kernel])
		*err = ct_streams_open(&state->streams[kernel], state->job->kept_sectors);
	return state->streams[kernel];
}

static int add_access(void *state, const struct ct_access *access)
{
	static const enum ct_stream_kind kinds[CT_CLASSES] = {
	    [CT_CLASS_LOAD] = CT_STREAM_LOAD,
	    [CT_CLASS_STORE] = CT_STREAM_STORE,
	    [CT_CLASS_ATOMIC] = CT_STREAM_ATOMIC,
	};
	struct state *own = state;
	const struct ct_served_job *job = own->job;
	enum ct_class class = ct_operation_class(access->info->operation);
	uint32_t site = job->first_site[access->unit - job->units] + access->site, lanes;
	struct ct_streams *streams;
	int err;

	if (class == CT_CLASS_EVENT)
		return 0;
	streams = streams_of(own, access, &err);
	if (!streams)
		return err;
	lanes = ct_lanes_in(access, CT_SPACE_GLOBAL);
	if (lanes && job->filter)
		lanes &= ct_filter_lanes(job->filter, access, &own->locator);
	return lanes ? ct_streams_request(streams, access, lanes, kinds[class], site) : 0;
}

static int add_event(void *state, const struct ct_event *event)
{
	struct state *own = state;
	struct ct_streams *streams;
	int err;

	if (event->phase != CT_PHASE_HAPPENS || event->at->info->operation != CT_OP_BARRIER ||
	    (own->job->filter && !ct_filter_passes(own->job->filter, event->at)))
		return 0;
	streams = streams_of(own, event->at, &err);
	return streams ? ct_streams_barrier(streams, event->at) : err;
}

static int join(void *state, void *from)
{
	struct state *own = state, *other = from;
	int err = 0;

	for (uint32_t k = 0; k < own->job->kernels.count && err == 0; k++) {
		if (!own->streams[k]) {
			own->streams[k] = other->streams[k];
			other->streams[k] = NULL;
		} else if (other->streams[k]) {
			err = ct_streams_join(own->streams[k], other->streams[k]);
		}
	}
	return err;
}

static int conclude(void *job, void **state, const struct ct_scanned *scanned)
{
	struct ct_served_job *own = job;
	struct state *all = *state;

	(void)scanned;
	if (!all)
		return 0;
	own->streams = all->streams;
	all->streams = NULL;
	return 0;
}

const struct ct_analysis ct_served_analysis = {
    .name = "served",
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

/* Occupancy by threads and dynamic shared memory, which is all that a trace tells. */
static struct ct_caches_machine machine_of(const struct ct_event_launch *launch,
					   const struct ct_streams_extent *extent,
					   const struct ct_machine *machine)
{
	uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
	uint32_t resident = ct_machine_resident(machine, threads, 0, launch->shared_bytes);
	double ctas = (double)launch->grid[0] * launch->grid[1] * launch->grid[2];

	return (struct ct_caches_machine){
	    .sms = (uint32_t)machine->sm_count,
	    .resident = resident,
	    .l1_bytes = ct_machine_l1_left(machine, resident, launch->shared_bytes),
	    .l2_bytes = ct_model_part_l2(machine->l2_bytes, extent, (double)extent->ctas, ctas),
	    .is_warm = true,
	};
}

int ct_served_sites(struct ct_served_site *site, const struct ct_served_job *job, uint32_t kernel,
		    const struct ct_machine *machine)
{
	const struct ct_launch_info *launches;
	struct ct_caches_machine caches_machine;
	struct ct_streams_extent extent;
	struct ct_caches caches;
	int err;

	if (job->is_off || !job->streams || !job->streams[kernel])
		return 1;
	ct_trace_launches(job->trace, &launches);
	err = ct_streams_extent(job->streams[kernel], &extent);
	if (err < 0)
		return err;
	caches_machine = machine_of(launches[job->driven[kernel]].event, &extent, machine);
	err = ct_caches_run(&caches, job->streams[kernel], &caches_machine, EPSILON, SAMPLES, SEED);
	for (uint32_t i = 0; i < caches.lines && err == 0; i++) {
		const struct ct_caches_counts *c = &caches.line[i].counts;
		struct ct_served_site *of = &site[caches.line[i].line];
		double memory = fmin(c->dram, c->sectors - c->l1_hits);

		of->requests = c->requests;
		of->sectors[CT_SERVED_L1] = c->l1_hits;
		of->sectors[CT_SERVED_L2] = c->sectors - c->l1_hits - memory;
		of->sectors[CT_SERVED_MEMORY] = memory;
	}
	ct_caches_fini(&caches);
	return err;
}

void ct_served_job_fini(struct ct_served_job *job)
{
	close_streams(job->streams, job->kernels.count);
	free(job->first_site);
	free(job->driven);
	ct_kernel_table_fini(&job->kernels);
	job->streams = NULL;
	job->first_site = job->driven = NULL;
}
