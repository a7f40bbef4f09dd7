/* SPDX-License-Identifier: Apache-2.0 */
/* Memory checks as an analysis of the scan engine: all accesses come to one state, in the order of
 * the trace. */
#include "postproc/analysis/check/analysis.h"
#include "postproc/analysis/check/addresses.h"
#include "postproc/analysis/check/barriers.h"
#include "postproc/analysis/check/host.h"
#include "postproc/analysis/check/lanes.h"
#include "postproc/analysis/check/phases.h"
#include "postproc/analysis/check/unordered.h"
#include "postproc/analysis/check/unwritten.h"

#include <errno.h>
#include <stdlib.h>

struct state {
	struct ct_check_job *job;
	struct ct_check_lanes *lanes;
	struct ct_check_addresses *addresses;
	struct ct_check_owners *owners; /* of all of these */
	/* NULL: something is selected, and writes and barriers are left out. */
	struct ct_check_unwritten *unwritten;
	struct ct_check_barriers *barriers;
	struct ct_check_unordered *unordered;
	struct ct_check_phases *phases;
};

static int wants(void *job, struct ct_wants *wants)
{
	const struct ct_check_job *own = job;

	*wants = (struct ct_wants){
	    .what = CT_WANT_ACCESSES | CT_WANT_EVENTS | CT_WANT_ORDER,
	    .launches = own->filter ? ct_filter_launches(own->filter) : NULL,
	    .sites = own->filter ? ct_filter_sites(own->filter) : NULL,
	};
	return 0;
}

static int begin(void *job, const struct ct_room *room)
{
	struct ct_check_job *own = job;

	ct_check_job_fini(own);
	own->memory_bytes = room->memory_bytes;
	ct_check_causes_init(&own->results.causes, own->trace);
	return 0;
}

static int open_state(void **out, void *job, const struct ct_worker *worker)
{
	struct ct_check_job *own = job;
	struct state *state = calloc(1, sizeof(*state));
	int err;

	*out = state;
	if (!state)
		return -ENOMEM;
	state->job = own;
	err = ct_check_owners_open(&state->owners, worker->trace);
	if (err == 0)
		err = ct_check_lanes_open(&state->lanes, worker->trace, state->owners, own->filter,
					  &own->results.causes);
	if (err == 0)
		err = ct_check_addresses_open(&state->addresses, worker->trace, own->filter,
					      &own->results.causes);
	if (err == 0 && !own->filter)
		err = ct_check_unwritten_open(&state->unwritten, worker->trace, state->owners,
					      &own->results.causes, own->unseen_parts,
					      own->memory_bytes / 2);
	if (err == 0 && !own->filter)
		err = ct_check_barriers_open(&state->barriers, worker->trace,
					     ct_check_unwritten_steps(state->unwritten),
					     &own->results.causes, own->memory_bytes / 4);
	if (err == 0 && !own->filter)
		err = ct_check_unordered_open(&state->unordered, worker->trace, state->owners,
					      ct_check_unwritten_steps(state->unwritten),
					      &own->results.causes, own->memory_bytes / 4);
	if (err == 0 && !own->filter)
		err = ct_check_phases_open(&state->phases, worker->trace, &own->results.causes);
	return err;
}

static void close_state(void *of)
{
	struct state *state = of;

	if (!state)
		return;
	ct_check_lanes_close(state->lanes);
	ct_check_addresses_close(state->addresses);
	ct_check_barriers_close(state->barriers);
	ct_check_unordered_close(state->unordered);
	ct_check_phases_close(state->phases);
	ct_check_unwritten_close(state->unwritten);
	ct_check_owners_close(state->owners);
	free(state);
}

static int add_access(void *of, const struct ct_access *access)
{
	struct state *state = of;
	int err = ct_check_lanes_add(state->lanes, access);

	if (err == 0)
		err = ct_check_addresses_add(state->addresses, access);
	if (err == 0 && state->unordered)
		err = ct_check_unordered_add(state->unordered, access);
	if (err == 0 && state->phases)
		err = ct_check_phases_add(state->phases, access);
	return err == 0 && state->unwritten ? ct_check_unwritten_add(state->unwritten, access)
					    : err;
}

static int add_event(void *of, const struct ct_event *event)
{
	struct state *state = of;
	int err = state->barriers ? ct_check_barriers_add(state->barriers, event) : 0;

	return err == 0 && state->phases ? ct_check_phases_add_event(state->phases, event) : err;
}

static int finish(void *of)
{
	struct state *state = of;
	int err = ct_check_addresses_end(state->addresses);

	if (err == 0 && state->barriers)
		err = ct_check_barriers_end(state->barriers);
	if (err == 0 && state->unordered)
		err = ct_check_unordered_end(state->unordered);
	if (err == 0 && state->unwritten)
		err = ct_check_unwritten_end(state->unwritten);

	if (state->unwritten)
		state->job->results.knows_writes = ct_check_unwritten_is_known(state->unwritten);
	return err;
}

/* One state has all in the order of the trace. */
static int join(void *state, void *from)
{
	(void)state;
	(void)from;
	return 0;
}

/* Something of it is not recorded, on purpose or by loss. */
static bool is_unseen(const struct ct_launch_info *launch)
{
	const struct ct_event_launch *event = launch->event;

	return !(event->flags & CT_LAUNCH_TRACED) || event->tier != CT_TIER_FULL ||
	       event->block_period > 1 || !launch->unit || launch->unit->header->sample_sites > 1;
}

void ct_check_results_count(struct ct_check_results *results)
{
	results->errors = results->warnings = 0;
	for (size_t i = 0; i < results->causes.count; i++)
		if (ct_check_kind_severity(results->causes.list[i].kind) == CT_CHECK_ERROR)
			results->errors++;
		else
			results->warnings++;
}

static void count_launches(struct ct_check_job *job)
{
	struct ct_check_results *results = &job->results;
	const struct ct_launch_info *launch;
	size_t launches = ct_trace_launches(job->trace, &launch);

	for (size_t i = 0; i < launches; i++, launch++) {
		if (job->filter && !ct_filter_launch(job->filter, launch))
			continue;
		results->launches++;
		results->unseen += is_unseen(launch);
	}
}

static int check_host(struct ct_check_job *job)
{
	struct ct_check_causes *causes = &job->results.causes;
	struct ct_check_owners *owners;
	int err = ct_check_owners_open(&owners, job->trace);

	if (err == 0)
		err = ct_check_copies(causes, job->trace, owners);
	if (err == 0)
		err = ct_check_refused(causes, job->trace, owners);
	if (err == 0)
		err = ct_check_leaks(causes, job->trace);
	ct_check_owners_close(owners);
	return err;
}

static int conclude(void *job, void **state, const struct ct_scanned *scanned)
{
	struct ct_check_job *own = job;
	int err;

	(void)state;
	/* Barriers may be lost. */
	if (scanned->damaged_chunks)
		ct_check_causes_drop(&own->results.causes, CT_CHECK_DIVERGENT_BARRIER);
	/* A selection of launches, sites or objects is of accesses. */
	err = own->filter ? 0 : check_host(own);
	ct_check_causes_sort(&own->results.causes);
	ct_check_results_count(&own->results);
	count_launches(own);
	return err;
}

const struct ct_analysis ct_check_analysis = {
    .name = "check",
    .is_of_one_process = true,
    .memory = 3,
    .wants = wants,
    .begin = begin,
    .open = open_state,
    .access = add_access,
    .event = add_event,
    .finish = finish,
    .join = join,
    .close = close_state,
    .conclude = conclude,
};

void ct_check_job_fini(struct ct_check_job *job)
{
	ct_check_causes_fini(&job->results.causes);
	job->results = (struct ct_check_results){0};
}
