/* SPDX-License-Identifier: Apache-2.0 */
/* Counts barriers by thread, of launches that may still go on. */
#include "postproc/analysis/check/barriers.h"
#include "postproc/analysis/races/launches.h"
#include "postproc/facts/operation.h"
#include "postproc/facts/place.h"

#include "base/array.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct warp {
	uint32_t count; /* barriers that all of its lanes have come to, as long as `lane` is NULL */
	uint32_t *lane; /* by lane, where they differ */
};

struct step {
	const struct ct_unit *unit;
	uint32_t site;
};

struct block {
	uint64_t cta;
	struct warp *warp;
	struct step *step; /* barriers, as the first thread comes to each */
	size_t steps;
	bool is_split; /* that threads are at different ones is said */
};

struct running {
	const struct ct_launch_info *launch;
	uint32_t step; /* superstep */
	bool is_unknown;
	struct ct_map number; /* key: CTA; from 1 */
	struct block *block;
	size_t blocks;
};

struct ct_check_barriers {
	const struct ct_trace *trace;
	const struct ct_check_steps *steps;
	struct ct_check_causes *causes;
	struct running *running;
	size_t count;
	uint64_t bytes, limit; /* of blocks */
	bool is_over;          /* the limit is reached, or the trace ends before the program */
};

int ct_check_barriers_open(struct ct_check_barriers **out, const struct ct_trace *trace,
			   const struct ct_check_steps *steps, struct ct_check_causes *causes,
			   uint64_t limit_bytes)
{
	struct ct_check_barriers *barriers = calloc(1, sizeof(*barriers));
	const struct ct_host_event *events;

	*out = barriers;
	if (!barriers)
		return -ENOMEM;
	barriers->trace = trace;
	barriers->steps = steps;
	barriers->causes = causes;
	barriers->limit = limit_bytes;
	barriers->is_over = ct_trace_events(trace, CT_EVENT_STOPPED, &events) > 0;
	return 0;
}

static uint32_t threads_of(const struct ct_launch_info *launch)
{
	const uint32_t *block = launch->event->block;

	return block[0] * block[1] * block[2];
}

static uint32_t warps_of(const struct ct_launch_info *launch)
{
	return (threads_of(launch) + CT_WARP_LANES - 1) / CT_WARP_LANES;
}

static uint32_t lanes_of(const struct ct_launch_info *launch, uint32_t warp)
{
	uint32_t left = threads_of(launch) - warp * CT_WARP_LANES;

	return left >= CT_WARP_LANES ? CT_FULL_MASK : (1u << left) - 1;
}

static void close_launch(struct ct_check_barriers *barriers, struct running *running)
{
	uint32_t warps = warps_of(running->launch);

	for (size_t i = 0; i < running->blocks; i++) {
		for (uint32_t w = 0; w < warps; w++)
			free(running->block[i].warp[w].lane);
		free(running->block[i].warp);
		free(running->block[i].step);
	}
	barriers->bytes -= running->blocks * (warps * sizeof(struct warp) + sizeof(struct block));
	free(running->block);
	ct_map_fini(&running->number);
	*running = barriers->running[--barriers->count];
}

void ct_check_barriers_close(struct ct_check_barriers *barriers)
{
	if (!barriers)
		return;
	while (barriers->count)
		close_launch(barriers, barriers->running);
	free(barriers->running);
	free(barriers);
}

static uint32_t count_of(const struct warp *warp, uint32_t lane)
{
	return warp->lane ? warp->lane[lane] : warp->count;
}

static struct ct_check_cause cause_of(const struct running *running, const struct block *block,
				      size_t step, uint32_t thread)
{
	return (struct ct_check_cause){
	    .kind = CT_CHECK_DIVERGENT_BARRIER,
	    .unit = block->step[step].unit,
	    .site = block->step[step].site,
	    .launch = running->launch,
	    .cta = block->cta,
	    .warp = thread / CT_WARP_LANES,
	    .lane = thread % CT_WARP_LANES,
	    .count = 1,
	};
}

/* Threads that came to fewer barriers than others: the first one that each did not come to. */
static int end_block(struct ct_check_barriers *barriers, const struct running *running,
		     const struct block *block)
{
	uint32_t threads = threads_of(running->launch);
	int err = 0;

	for (uint32_t t = 0; t < threads && err == 0; t++) {
		uint32_t count = count_of(&block->warp[t / CT_WARP_LANES], t % CT_WARP_LANES);
		struct ct_check_cause cause;

		if (count >= block->steps)
			continue;
		cause = cause_of(running, block, count, t);
		err = ct_check_causes_add(barriers->causes, &cause);
	}
	return err;
}

static int end_launch(struct ct_check_barriers *barriers, struct running *running)
{
	int err = 0;

	for (size_t i = 0; i < running->blocks && err == 0 && !running->is_unknown; i++)
		if (!running->block[i].is_split)
			err = end_block(barriers, running, &running->block[i]);
	close_launch(barriers, running);
	return err;
}

static bool has_lost(const struct ct_trace *trace, const struct ct_launch_info *launch)
{
	const struct ct_loss_info *losses;
	size_t count = ct_trace_losses(trace, &losses);

	for (size_t i = 0; i < count; i++)
		if (!losses[i].launch || losses[i].launch == launch)
			return true;
	return false;
}

/* That of the launch; launches that happened before it have ended. NULL: memory is short. */
static struct running *running_of(struct ct_check_barriers *barriers,
				  const struct ct_launch_info *launch, int *err)
{
	struct running *running;
	uint32_t step;

	for (size_t i = 0; i < barriers->count; i++)
		if (barriers->running[i].launch == launch)
			return &barriers->running[i];
	step = ct_check_steps_of(barriers->steps, launch);
	for (size_t i = barriers->count; i-- > 0 && *err == 0;)
		if (ct_check_steps_before(barriers->steps, barriers->running[i].step, step))
			*err = end_launch(barriers, &barriers->running[i]);
	if (*err == 0)
		*err = ct_array_grow(&barriers->running, barriers->count, sizeof(*running));
	if (*err < 0)
		return NULL;
	running = &barriers->running[barriers->count++];
	*running = (struct running){
	    .launch = launch,
	    .step = step,
	    .is_unknown = launch->error || has_lost(barriers->trace, launch),
	};
	return running;
}

static struct block *block_of(struct ct_check_barriers *barriers, struct running *running,
			      uint64_t cta)
{
	union ct_map_value *number = ct_map_put(&running->number, cta, 0);
	uint32_t warps = warps_of(running->launch);
	struct block block = {.cta = cta};

	if (!number)
		return NULL;
	if (number->number)
		return &running->block[number->number - 1];
	block.warp = calloc(warps, sizeof(*block.warp));
	if (!block.warp ||
	    ct_array_grow(&running->block, running->blocks, sizeof(*running->block)) < 0) {
		free(block.warp);
		return NULL;
	}
	running->block[running->blocks++] = block;
	number->number = running->blocks;
	barriers->bytes += warps * sizeof(struct warp) + sizeof(struct block);
	return &running->block[running->blocks - 1];
}

static bool is_one_line(const struct step *a, const struct step *b)
{
	struct ct_place x, y;

	if (a->unit == b->unit && a->site == b->site)
		return true;
	x = ct_place_of(a->unit, &a->unit->sites[a->site]);
	y = ct_place_of(b->unit, &b->unit->sites[b->site]);
	return x.line == y.line && !strcmp(x.file, y.file);
}

/* A thread comes to its n-th barrier. */
static int come(struct ct_check_barriers *barriers, const struct running *running,
		struct block *block, uint32_t n, const struct ct_access *at, uint32_t lane)
{
	const struct step step = {at->unit, at->site};
	struct ct_check_cause cause;

	if (n == block->steps) {
		int err = ct_array_grow(&block->step, block->steps, sizeof(*block->step));

		if (err == 0)
			block->step[block->steps++] = step;
		return err;
	}
	if (running->is_unknown || block->is_split || is_one_line(&block->step[n], &step))
		return 0;
	block->is_split = true;
	cause = cause_of(running, block, n, at->warp * CT_WARP_LANES + lane);
	cause.other = (struct ct_check_other){
	    .unit = at->unit, .site = at->site, .cta = at->cta, .warp = at->warp};
	return ct_check_causes_add(barriers->causes, &cause);
}

/* Lanes of a warp from here on differ in how many barriers they have come to. */
static int spread(struct warp *warp)
{
	warp->lane = malloc(CT_WARP_LANES * sizeof(*warp->lane));
	for (uint32_t i = 0; warp->lane && i < CT_WARP_LANES; i++)
		warp->lane[i] = warp->count;
	return warp->lane ? 0 : -ENOMEM;
}

int ct_check_barriers_add(struct ct_check_barriers *barriers, const struct ct_event *event)
{
	const struct ct_access *at = event->at;
	struct running *running;
	struct block *block;
	struct warp *warp;
	uint32_t all;
	int err = 0;

	if (at->info->operation != CT_OP_BARRIER || event->phase != CT_PHASE_HAPPENS ||
	    barriers->is_over || at->warp >= warps_of(at->launch))
		return 0;
	running = running_of(barriers, at->launch, &err);
	if (!running)
		return err;
	if (!ct_races_is_barrier(event)) {
		/* Barriers of some warps may stand for one of all. */
		running->is_unknown |= ct_races_is_partial(event) || ct_races_event_hides(event);
		return 0;
	}
	block = block_of(barriers, running, at->cta);
	if (!block)
		return -ENOMEM;
	barriers->is_over = barriers->bytes > barriers->limit;
	warp = &block->warp[at->warp];
	all = lanes_of(at->launch, at->warp);
	if (!warp->lane && (at->mask & all) == all)
		return come(barriers, running, block, warp->count++, at, 0);
	if (!warp->lane && spread(warp) < 0)
		return -ENOMEM;
	for (uint32_t rest = at->mask & all; rest && err == 0; rest &= rest - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);

		err = come(barriers, running, block, warp->lane[lane]++, at, lane);
	}
	return err;
}

int ct_check_barriers_end(struct ct_check_barriers *barriers)
{
	int err = 0;

	while (barriers->count && err == 0 && !barriers->is_over)
		err = end_launch(barriers, barriers->running);
	return err;
}
