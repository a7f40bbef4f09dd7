/* SPDX-License-Identifier: Apache-2.0 */
/* Blame by variable and by path. */
#include "postproc/analysis/blame/blame.h"
#include "postproc/analysis/blame/state.h"

#include "base/array.h"
#include "base/hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct making {
	struct ct_blame *blame;
	const struct ct_host_paths *paths;
	enum ct_blame_weigh weigh;
};

uint32_t ct_blame_node_below(struct ct_blame *blame, struct ct_blame_node node)
{
	struct ct_blame_state *state = blame->state;
	uint64_t hash = ct_hash_join_string(ct_hash_join(node.is_host, node.line), node.function);
	union ct_map_value *known =
	    ct_map_put(&state->node_of, ct_hash_join_string(hash, node.file), node.parent);

	if (!known || ct_array_reserve(&blame->node, &state->node_room, blame->nodes + 1,
				       sizeof(*blame->node)) < 0)
		return CT_NONE;
	if (!known->number) {
		blame->node[blame->nodes] = node;
		known->number = blame->nodes++;
	}
	return (uint32_t)known->number;
}

static uint32_t node_of_path(struct ct_blame *blame, const struct ct_host_paths *paths,
			     uint32_t path)
{
	const struct ct_code_frame *const *frame;
	uint32_t node = 0, line = 0;
	const char *file = "";
	size_t count = ct_host_paths_frames(paths, path, &frame);

	for (size_t i = 0; i < count && node != CT_NONE; i++) {
		node = ct_blame_node_below(blame,
					   (struct ct_blame_node){.parent = node,
								  .function = frame[i]->function,
								  .file = file,
								  .line = line,
								  .is_host = true});
		file = frame[i]->file;
		line = frame[i]->line;
	}
	return node;
}

uint32_t ct_blame_host_node(struct ct_blame *blame, const struct ct_host_paths *paths,
			    uint32_t launch)
{
	const struct ct_launch_info *info = &blame->state->launches[launch];

	return paths ? node_of_path(blame, paths, ct_host_paths_of(paths, info)) : 0;
}

int ct_blame_add_host(struct ct_blame *blame, const struct ct_host_paths *paths)
{
	const struct ct_host_sampled *sampled;
	size_t count = ct_host_paths_sampled(paths, &sampled);

	for (size_t i = 0; i < count; i++) {
		uint32_t node = node_of_path(blame, paths, sampled[i].path);

		if (node == CT_NONE)
			return -ENOMEM;
		blame->node[node].cpu_self += (double)sampled[i].samples;
		blame->cpu_total += (double)sampled[i].samples;
	}
	return 0;
}

/* Adds a leaf that ends at a place of a node: credited is a number of the state's. */
static int add_leaf(struct ct_blame *blame, uint32_t node, uint32_t credited, double weight)
{
	struct ct_blame_state *state = blame->state;
	const struct ct_blame_credited *of = &state->credited[credited];
	union ct_map_value *known = ct_map_put(&state->leaf_of, node, credited);

	if (!known || ct_array_reserve(&blame->leaf, &state->leaf_room, blame->leaves + 1,
				       sizeof(*blame->leaf)) < 0)
		return -ENOMEM;
	if (!known->number) {
		const struct ct_blame_frame *place = &of->frames[of->functions - 1];

		blame->leaf[blame->leaves] = (struct ct_blame_leaf){
		    node, place->file, place->line, of->inclusive, of->inclusives, 0};
		known->number = ++blame->leaves;
	}
	blame->leaf[known->number - 1].weight += weight;
	return 0;
}

static int add_path(struct ct_blame *blame, uint32_t node, uint32_t index, double weight)
{
	const struct ct_blame_credited *credited = &blame->state->credited[index];

	for (uint32_t i = 0; i < credited->functions && node != CT_NONE; i++) {
		const struct ct_blame_frame *call = i ? &credited->frames[i - 1] : NULL;

		node = ct_blame_node_below(
		    blame, (struct ct_blame_node){.parent = node,
						  .function = credited->frames[i].function,
						  .file = call ? call->file : "",
						  .line = call ? call->line : 0,
						  .is_inlined = credited->frames[i].is_inlined});
	}
	if (node == CT_NONE)
		return -ENOMEM;
	blame->node[node].self += weight;
	return credited->functions ? add_leaf(blame, node, index, weight) : 0;
}

static void add_variables(struct ct_blame *blame, const struct ct_blame_credited *credited,
			  double weight)
{
	for (uint32_t i = 0; i < credited->inclusives; i++)
		blame->variable[credited->inclusive[i]].inclusive += weight;
	for (uint32_t i = 0; i < credited->reads; i++)
		blame->variable[credited->read[i]].read += weight;
	for (uint32_t i = 0; i < credited->nears; i++)
		blame->variable[credited->near[i]].exclusive += weight / credited->near_share[i];
	blame->blamed += credited->inclusives ? weight : 0;
	blame->unattributed += credited->is_nearest ? 0 : weight;
}

int ct_blame_spend(struct ct_blame *blame, uint32_t index, uint32_t node, double weight)
{
	struct ct_blame_state *state = blame->state;
	const struct ct_blame_credits *credits = &state->credits[index];
	int err = 0;

	blame->one_path += credits->static_paths == 1 ? weight : 0;
	blame->unattributed += credits->count ? 0 : weight;
	for (uint32_t i = 0; i < credits->count && err == 0; i++) {
		const struct ct_blame_credited *credited = &state->credited[credits->first + i];

		blame->resolved += credited->is_resolved && credits->count == 1 ? weight : 0;
		add_variables(blame, credited, weight / credits->count);
		err = add_path(blame, node, credits->first + i, weight / credits->count);
	}
	return err;
}

static int add_share(struct making *making, const struct ct_blame_weight *of, uint32_t share,
		     double weight)
{
	uint32_t index, node = ct_blame_host_node(making->blame, making->paths, of->launch);
	int err = ct_blame_credits_of(making->blame, of, share, &index);

	if (err < 0 || node == CT_NONE)
		return -ENOMEM;
	return ct_blame_spend(making->blame, index, node, weight);
}

/* Instructions without a place count as the block's function. */
static int add_rest(struct making *making, const struct ct_blame_weight *of, double weight)
{
	struct ct_blame *blame = making->blame;
	const struct ct_unit *unit = &blame->state->weights->units[of->unit];
	uint32_t node = ct_blame_host_node(blame, making->paths, of->launch);

	if (weight <= 0)
		return 0;
	node = node == CT_NONE
		   ? node
		   : ct_blame_node_below(
			 blame, (struct ct_blame_node){.parent = node,
						       .function = ct_unit_string(
							   unit, unit->blocks[of->block].function),
						       .file = ""});
	if (node == CT_NONE)
		return -ENOMEM;
	blame->node[node].self += weight;
	blame->unattributed += weight;
	return 0;
}

static int add_weight(struct making *making, const struct ct_blame_weight *weight)
{
	struct ct_blame *blame = making->blame;
	const struct ct_unit *unit = &blame->state->weights->units[weight->unit];
	double each = (double)(making->weigh == CT_BLAME_WARPS ? weight->warps : weight->lanes);
	double rest = each * unit->blocks[weight->block].instructions;
	uint32_t count, first = ct_blame_shares(unit, weight->block, &count);
	int err = 0;

	blame->total += rest;
	blame->launch[weight->launch] += rest;
	for (uint32_t s = first; s < first + count && err == 0; s++) {
		double part = each * unit->shares[s].instructions;

		rest -= part;
		err = add_share(making, weight, s, part);
	}
	return err == 0 ? add_rest(making, weight, rest) : err;
}

/* Totals: of what a node calls, too. Callees have greater numbers. */
void ct_blame_end(struct ct_blame *blame)
{
	for (size_t i = 0; i < blame->nodes; i++) {
		blame->node[i].total = blame->node[i].self;
		blame->node[i].cpu_total = blame->node[i].cpu_self;
	}
	for (size_t i = blame->nodes; i-- > 1;) {
		struct ct_blame_node *parent = &blame->node[blame->node[i].parent];

		parent->total += blame->node[i].total;
		parent->cpu_total += blame->node[i].cpu_total;
	}
}

int ct_blame_begin(struct ct_blame *blame, const struct ct_blame_job *job)
{
	struct ct_blame_state *state = calloc(1, sizeof(*state));
	int err;

	*blame = (struct ct_blame){.state = state};
	if (!state)
		return -ENOMEM;
	state->weights = &job->weights;
	blame->launches = ct_trace_launches(job->trace, &state->launches);
	blame->launch_info = state->launches;
	blame->launch = calloc(blame->launches + 1, sizeof(*blame->launch));
	if (!blame->launch)
		return -ENOMEM;
	err = ct_kernel_table_init(&state->kernels, job->trace, job->filter);
	if (err == 0)
		err = ct_blame_places_open(&state->places, job->weights.units,
					   job->weights.unit_count);
	if (err == 0)
		err = ct_blame_merge(blame);
	if (err == 0)
		err = ct_array_reserve(&blame->node, &state->node_room, 1, sizeof(*blame->node));
	if (err < 0)
		return err;
	blame->node[0] =
	    (struct ct_blame_node){.parent = CT_NONE, .function = "", .file = "", .is_host = true};
	blame->nodes = 1;
	return 0;
}

int ct_blame_make(struct ct_blame *blame, const struct ct_blame_job *job,
		  const struct ct_host_paths *paths, enum ct_blame_weigh weigh)
{
	struct making making = {blame, paths, weigh};
	int err = ct_blame_begin(blame, job);

	for (size_t i = 0; i < job->weights.weights && err == 0; i++)
		err = add_weight(&making, &job->weights.weight[i]);
	if (err == 0)
		err = ct_blame_add_host(blame, paths);
	if (err < 0)
		return err;
	ct_blame_end(blame);
	return blame->has_variables ? ct_blame_add_objects(blame, job, paths, weigh) : 0;
}

static void free_credited(struct ct_blame_credited *credited)
{
	free(credited->inclusive);
	free(credited->read);
	free(credited->near);
	free(credited->near_share);
	free(credited->exits);
	free(credited->leaving);
	free(credited->read_exits);
	free(credited->written_exits);
	free(credited->frames);
}

static void free_state(struct ct_blame_state *state)
{
	ct_kernel_table_fini(&state->kernels);
	ct_blame_places_close(state->places);
	for (size_t u = 0; state->merged && u < state->weights->unit_count; u++)
		free(state->merged[u]);
	free(state->merged);
	ct_map_fini(&state->variable_of);
	ct_map_fini(&state->node_of);
	ct_map_fini(&state->leaf_of);
	ct_map_fini(&state->credits_of);
	ct_map_fini(&state->static_of);
	for (size_t i = 0; i < state->credited_count; i++)
		free_credited(&state->credited[i]);
	free(state->credited);
	free(state->credits);
	ct_blame_credit_fini(&state->scratch);
	free(state);
}

void ct_blame_fini(struct ct_blame *blame)
{
	for (size_t i = 0; i < blame->variables; i++)
		free(blame->variable[i].name);
	for (size_t i = 0; i < blame->objects; i++) {
		free(blame->object[i].own_name);
		free(blame->object[i].own_site);
	}
	free(blame->object);
	free(blame->launch);
	free(blame->by_reason);
	free(blame->wait);
	free(blame->variable);
	free(blame->node);
	free(blame->leaf);
	if (blame->state)
		free_state(blame->state);
	*blame = (struct ct_blame){.variables = 0};
}
