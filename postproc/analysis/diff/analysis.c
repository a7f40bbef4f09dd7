/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One side of a comparison, by a pass of the scan engine. Whatever is kept of a thread is
 * touched by one worker only, the one that has its warp.
 */
#include "postproc/analysis/diff/analysis.h"
#include <errno.h>
#include <stdlib.h>

struct state {
	const struct ct_diff_job *job;
	struct ct_match match;
	struct ct_seq_count *count; /* by pair of the batch */
};

static int wants(void *job, struct ct_wants *wants)
{
	const struct ct_diff_job *own = job;

	*wants = (struct ct_wants){
	    .what = CT_WANT_ACCESSES | CT_WANT_WARPS | own->wants,
	    .launches = own->launches,
	};
	return 0;
}

static void close_state(void *state)
{
	struct state *own = state;

	if (!own)
		return;
	free(own->count);
	free(own);
}

static int open_state(void **state, void *job, const struct ct_worker *worker)
{
	const struct ct_diff_job *own = job;
	struct state *new = calloc(1, sizeof(*new));

	*state = new;
	if (!new)
		return -ENOMEM;
	new->job = own;
	ct_match_share(&new->match, own->match, worker->trace);
	if (!own->seq)
		return 0;
	new->count = calloc(ct_seq_pairs(own->seq) + 1, sizeof(*new->count));
	return new->count ? 0 : -ENOMEM;
}

static int take(struct state *state, const struct ct_warp_step *step)
{
	const struct ct_diff_job *job = state->job;

	if (!job->seq)
		return ct_first_difference_add(job->find, job->side, &state->match, step);
	ct_seq_add(job->seq, job->side, &state->match, step, state->count);
	return 0;
}

static int add_access(void *state, const struct ct_access *access)
{
	struct state *own = state;
	const struct ct_warp_step step = ct_match_access(&own->match, access);

	return take(own, &step);
}

static int add_event(void *state, const struct ct_event *event)
{
	struct state *own = state;
	const struct ct_warp_step step = ct_match_event(&own->match, event);

	return take(own, &step);
}

static int add_value(void *state, const struct ct_value *value)
{
	struct state *own = state;
	uint32_t end = value->part == CT_PART_CONTENT ? value->bytes : 1;
	int err = 0;

	for (uint32_t from = 0; from < end && err == 0; from += 8) {
		const struct ct_warp_step step = ct_match_value(&own->match, value, from);

		err = take(own, &step);
	}
	return err;
}

static int join(void *state, void *from)
{
	const struct state *own = state, *other = from;
	size_t pairs = own->job->seq ? ct_seq_pairs(own->job->seq) : 0;

	for (size_t i = 0; i < pairs; i++) {
		own->count[i].steps += other->count[i].steps;
		own->count[i].accesses += other->count[i].accesses;
		own->count[i].unknown += other->count[i].unknown;
		own->count[i].stray += other->count[i].stray;
	}
	return 0;
}

static int conclude(void *job, void **state, const struct ct_scanned *scanned)
{
	const struct ct_diff_job *own = job;
	const struct state *all = *state;

	(void)scanned;
	if (own->seq)
		ct_seq_note(own->seq, own->side, all->count);
	return 0;
}

const struct ct_analysis ct_diff_analysis = {
    .name = "diff",
    .wants = wants,
    .open = open_state,
    .access = add_access,
    .event = add_event,
    .value = add_value,
    .join = join,
    .close = close_state,
    .conclude = conclude,
};
