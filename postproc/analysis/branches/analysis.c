/* SPDX-License-Identifier: Apache-2.0 */
/* Branches of all warps, in a pass of the scan engine. */
#include "postproc/analysis/branches/analysis.h"
#include "postproc/analysis/branches/lines.h"
#include "postproc/analysis/branches/warp.h"
#include "postproc/facts/coverage.h"
#include "postproc/facts/numbered.h"
#include "postproc/shuffle/sums.h"

#include "base/map.h"
#include <errno.h>
#include <stdlib.h>

/* Sums are by kernel and site of all units: executions of the block, lanes in them; branches,
 * divergent ones; lanes at them, those of which some go back; instructions for lanes that are idle
 * since the branch, those of them while one lane is not; instructions executed behind it without
 * them, and by how many lanes; warps that have parted there. Of no site: warps of the kernel. */
#define SUM_KEY(kernel, site) ((uint64_t)(kernel) << 32 | (site))
enum { BLOCKS, BRANCHES, LANES, IDLE, BEHIND, PARTED, WARPS };

struct state {
	const struct ct_filter *filter;
	const struct ct_launch_info *first_launch;
	const struct ct_unit *units;
	struct ct_kernel_table kernels;
	uint32_t *first_site; /* by unit */
	uint32_t *weight;     /* by site of all units: instructions of the block */
	struct ct_sums *sums;
	struct ct_map warps;   /* key: launch, CTA and warp; of struct ct_branches_warp */
	uint32_t kernel, site; /* of the event at hand */
	/* The warp of the last event, which is mostly that of the next one. */
	uint64_t key[2];
	struct ct_branches_warp *warp;
};

static bool is_recorded(const struct ct_trace *trace)
{
	const struct ct_unit *units;
	size_t count = ct_trace_units(trace, &units);

	for (size_t u = 0; u < count; u++)
		if (ct_unit_has_branches(&units[u]))
			return true;
	return false;
}

static int wants(void *job, struct ct_wants *wants)
{
	const struct ct_branches_job *own = job;

	*wants = (struct ct_wants){
	    .what = is_recorded(own->trace) ? CT_WANT_EVENTS | CT_WANT_WARPS : 0,
	    .launches = own->filter ? ct_filter_launches(own->filter) : NULL,
	    .sites = own->filter ? ct_filter_sites(own->filter) : NULL,
	};
	return 0;
}

static int begin(void *job, const struct ct_room *room)
{
	ct_branches_job_fini(job);
	((struct ct_branches_job *)job)->ranks = room->ranks;
	return 0;
}

static void close_warps(struct state *state)
{
	struct ct_map_entry *entry = NULL;

	while ((entry = ct_map_next(&state->warps, entry))) {
		ct_branches_warp_fini(entry->value.pointer);
		free(entry->value.pointer);
	}
	ct_map_fini(&state->warps);
}

static void close_state(void *of)
{
	struct state *state = of;

	if (!state)
		return;
	close_warps(state);
	ct_kernel_table_fini(&state->kernels);
	ct_sums_close(state->sums);
	free(state->first_site);
	free(state->weight);
	free(state);
}

/* Blocks of units that do not say what is in them are one instruction each. */
static int weigh_sites(struct state *state, size_t units, uint32_t sites)
{
	state->weight = malloc(((size_t)sites + 1) * sizeof(*state->weight));
	if (!state->weight)
		return -ENOMEM;
	for (uint32_t s = 0; s < sites; s++)
		state->weight[s] = 1;
	for (size_t u = 0; u < units; u++) {
		const struct ct_unit *unit = &state->units[u];

		for (uint32_t b = 0; b < unit->header->block_count; b++)
			if (unit->blocks[b].site < unit->header->site_count)
				state->weight[state->first_site[u] + unit->blocks[b].site] =
				    unit->blocks[b].instructions;
	}
	return 0;
}

static int open_state(void **out, void *job, const struct ct_worker *worker)
{
	const struct ct_branches_job *own = job;
	struct state *state = calloc(1, sizeof(*state));
	size_t units;
	int err;

	(void)worker;
	*out = state;
	if (!state)
		return -ENOMEM;
	state->filter = own->filter;
	ct_trace_launches(own->trace, &state->first_launch);
	units = ct_trace_units(own->trace, &state->units);
	err = ct_first_sites(own->trace, &state->first_site);
	if (err == 0)
		err = weigh_sites(state, units, state->first_site[units]);
	if (err == 0)
		err = ct_sums_open(&state->sums);
	return err == 0 ? ct_kernel_table_init(&state->kernels, own->trace, own->filter) : err;
}

static int add_sum(struct state *state, uint32_t site, uint64_t what, uint64_t first,
		   uint64_t second)
{
	return ct_sums_add(state->sums, SUM_KEY(state->kernel, site), what, first, second);
}

/* The warp of an event; NULL: no memory. */
static struct ct_branches_warp *find_warp(struct state *state, const struct ct_access *at)
{
	uint64_t launch = (uint64_t)(at->launch - state->first_launch);
	union ct_map_value *value;

	if (state->warp && state->key[0] == (launch << 32 | at->warp) && state->key[1] == at->cta)
		return state->warp;
	state->key[0] = launch << 32 | at->warp;
	state->key[1] = at->cta;
	state->warp = NULL;
	value = ct_map_put(&state->warps, state->key[0], state->key[1]);
	if (!value)
		return NULL;
	if (!value->pointer) {
		value->pointer = calloc(1, sizeof(struct ct_branches_warp));
		if (add_sum(state, CT_BRANCHES_NONE, WARPS, 1, 0) < 0)
			return NULL;
	}
	state->warp = value->pointer;
	return state->warp;
}

static int take_branch(void *user, const struct ct_branches_taken *taken)
{
	int err = add_sum(user, taken->site, BRANCHES, 1, taken->is_divergent);

	return err == 0 ? add_sum(user, taken->site, LANES, taken->lanes, taken->goes_back) : err;
}

static int take_parting(void *user, uint32_t site)
{
	return add_sum(user, site, PARTED, 1, 0);
}

/* A branch at which lanes have parted, of which some execute the block at hand. */
static int add_idle(void *user, uint32_t site, uint32_t all, uint32_t there)
{
	struct state *state = user;
	uint64_t weight = state->weight[state->site], idle = weight * (all - there);
	int err = add_sum(state, site, IDLE, idle, there == 1 ? idle : 0);

	return err == 0 ? add_sum(state, site, BEHIND, weight, weight * there) : err;
}

static int enter_block(struct state *state, struct ct_branches_warp *warp, uint32_t lanes,
		       uint32_t flags)
{
	const struct ct_branches_listener listener = {take_branch, take_parting, state};
	int err = add_sum(state, state->site, BLOCKS, 1, (uint64_t)__builtin_popcount(lanes));

	if (err == 0)
		err = ct_branches_enter(warp, state->site, lanes, flags, &listener);
	if (err == 0)
		err = ct_branches_idle_each(&warp->idle, lanes, add_idle, state);
	if (err < 0 || !ct_branches_is_over(warp))
		return err;
	err = ct_branches_end(warp, &listener);
	ct_branches_warp_fini(warp);
	free(warp);
	ct_map_remove(&state->warps, state->key[0], state->key[1]);
	state->warp = NULL;
	return err;
}

static int add_event(void *of, const struct ct_event *event)
{
	struct state *state = of;
	const struct ct_access *at = event->at;
	struct ct_branches_warp *warp;

	if (at->info->operation != CT_OP_BLOCK || event->phase != CT_PHASE_HAPPENS || at->by_path)
		return 0;
	if (state->filter && !ct_filter_passes(state->filter, at))
		return 0;
	state->kernel = state->kernels.of_launch[at->launch - state->first_launch];
	state->site = state->first_site[at->unit - state->units] + at->site;
	warp = find_warp(state, at);
	return warp ? enter_block(state, warp, at->mask, at->info->flags) : -ENOMEM;
}

/* Warps that did not come to an end that is recorded. */
static int finish(void *of)
{
	struct state *state = of;
	const struct ct_branches_listener listener = {take_branch, take_parting, state};
	struct ct_map_entry *entry = NULL;
	int err = 0;

	while (err == 0 && (entry = ct_map_next(&state->warps, entry))) {
		state->kernel = state->kernels.of_launch[ct_map_key(entry, 0) >> 32];
		err = ct_branches_end(entry->value.pointer, &listener);
	}
	close_warps(state);
	state->warp = NULL;
	return err;
}

static int join(void *of, void *from)
{
	struct state *state = of;
	const struct state *other = from;

	return ct_sums_merge(state->sums, other->sums);
}

static void take_sum(struct ct_branches_site *site, uint64_t what, const uint64_t *value)
{
	switch (what) {
	case BLOCKS:
		site->executed = value[0];
		break;
	case BRANCHES:
		site->figures.branches = value[0];
		site->figures.divergent = value[1];
		break;
	case LANES:
		site->figures.lanes = value[0];
		site->back = value[1];
		break;
	case IDLE:
		site->figures.idle = value[0];
		site->figures.idle_beside_one = value[1];
		break;
	case BEHIND:
		site->figures.behind = value[0];
		site->figures.lanes_behind = value[1];
		break;
	default:
		site->figures.parted_warps = value[0];
	}
}

/* The sums of a site, of which *sum is the first; *sum is moved behind them. */
static struct ct_branches_site read_site(const struct ct_sum **sum, const struct ct_sum *end)
{
	struct ct_branches_site site = {.kernel = (uint32_t)((*sum)->key[0] >> 32),
					.site = (uint32_t)(*sum)->key[0]};
	uint64_t key = (*sum)->key[0];

	for (; *sum < end && (*sum)->key[0] == key; ++*sum)
		take_sum(&site, (*sum)->key[1], (*sum)->value);
	return site;
}

static void add_to_kernel(struct ct_branches_kernel *kernel, const struct ct_branches_site *site,
			  uint32_t weight)
{
	kernel->blocks += site->executed;
	kernel->instructions += site->executed * weight;
	ct_branches_figures_add(&kernel->figures, &site->figures);
}

/* Sums come by kernel and site. */
static int make_results(struct ct_branches_results *results, struct state *state)
{
	size_t count;
	const struct ct_sum *sum = ct_sums_sorted(state->sums, &count), *end = sum + count;
	int err = sum ? 0 : -ENOMEM;

	results->kernels = state->kernels;
	state->kernels = (struct ct_kernel_table){.list = NULL};
	results->kernel = calloc((size_t)results->kernels.count + 1, sizeof(*results->kernel));
	results->site = calloc(count + 1, sizeof(*results->site));
	if (!results->kernel || !results->site)
		err = -ENOMEM;
	for (const struct ct_sum *of = sum; err == 0 && of < end; of++) {
		struct ct_branches_kernel *kernel = &results->kernel[of->key[0] >> 32];

		kernel->lanes += of->key[1] == BLOCKS ? of->value[1] : 0;
		kernel->warps += of->key[1] == WARPS ? of->value[0] : 0;
	}
	while (err == 0 && sum < end) {
		struct ct_branches_site *site = &results->site[results->sites];

		*site = read_site(&sum, end);
		if (site->site == CT_BRANCHES_NONE)
			continue;
		results->sites++;
		add_to_kernel(&results->kernel[site->kernel], site, state->weight[site->site]);
		if (site->figures.branches)
			err = ct_branches_lines_add(results, state->units, state->first_site, site);
	}
	ct_branches_lines_sort(results);
	return err;
}

static int conclude(void *job, void **of, const struct ct_scanned *scanned)
{
	struct ct_branches_job *own = job;
	struct state *state = *of;
	int err = ct_sums_gather(state->sums, own->ranks);

	(void)scanned;
	own->results.is_recorded = is_recorded(own->trace);
	if (err == 0 && own->ranks->rank == 0)
		err = make_results(&own->results, state);
	return ct_ranks_agree(own->ranks, err);
}

const struct ct_analysis ct_branches_analysis = {
    .name = "branches",
    .wants = wants,
    .begin = begin,
    .open = open_state,
    .event = add_event,
    .finish = finish,
    .join = join,
    .conclude = conclude,
    .close = close_state,
};

void ct_branches_job_fini(struct ct_branches_job *job)
{
	struct ct_branches_results *results = &job->results;

	ct_kernel_table_fini(&results->kernels);
	free(results->kernel);
	free(results->site);
	free(results->line);
	*results = (struct ct_branches_results){.lines = 0};
}

double ct_branches_efficiency(const struct ct_branches_figures *figures)
{
	return figures->branches
		   ? (double)(figures->branches - figures->divergent) / (double)figures->branches
		   : 1;
}

bool ct_branches_machine_efficiency(const struct ct_branches_machine *machine, double *efficiency)
{
	const struct ct_branches_figures figures = {.branches = machine->branches,
						    .divergent = machine->divergent};
	bool is_reported = machine->has_code && machine->is_divergence_known &&
			   (machine->is_counted || !machine->divergent);

	*efficiency = is_reported ? ct_branches_efficiency(&figures) : 0;
	return is_reported && !machine->has_tests;
}
