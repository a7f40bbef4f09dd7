/* SPDX-License-Identifier: Apache-2.0 */
/* Blame by samples: places of weights are looked up in the units, and what warps wait for counts as
 * waits of the variables that it reads. */
#include "postproc/analysis/blame/blame.h"
#include "postproc/analysis/blame/state.h"

#include "base/array.h"
#include "base/hash.h"
#include "postproc/facts/place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT32_MAX /* a place without credits */
#define SEVERAL UINT64_MAX /* processes have launches of it */

struct sampling {
	struct ct_blame *blame;
	const struct ct_weights *samples;
	const struct ct_host_paths *paths;
	struct ct_map launch_of; /* kernel and context: 1 + index of a launch, or SEVERAL */
	struct ct_map index_of;  /* (place, kernel and symbol): 2 + index of credits, 1: nowhere */
	struct ct_map file_of;   /* (unit, file): the unit's name of it */
	struct ct_map wait_of;   /* (variable and reason, file and line): 1 + number */
};

static uint64_t launch_key(const char *kernel, uint32_t context)
{
	return ct_hash_join_string(ct_hash_join(0, context), kernel);
}

/* A context is known by its number in its process. */
static int find_launches(struct sampling *s)
{
	const struct ct_launch_info *launches = s->blame->launch_info;

	for (size_t i = 0; i < s->blame->launches; i++) {
		uint64_t key = launch_key(launches[i].kernel_name, launches[i].event->context);
		union ct_map_value *known = ct_map_put(&s->launch_of, key, 0);

		if (!known)
			return -ENOMEM;
		if (!known->number)
			known->number = i + 1;
		else if (known->number != SEVERAL &&
			 launches[known->number - 1].part != launches[i].part)
			known->number = SEVERAL;
	}
	return 0;
}

/* Returns the node of the host's frames that lead to the launches; the root, where they are not
 * known. */
static uint32_t host_node(const struct sampling *s, const struct ct_weight *weight)
{
	const union ct_map_value *known =
	    weight->context
		? ct_map_find(&s->launch_of, launch_key(weight->kernel, weight->context), 0)
		: NULL;

	if (!known || known->number == SEVERAL)
		return 0;
	return ct_blame_host_node(s->blame, s->paths, (uint32_t)known->number - 1);
}

static bool ends_with(const char *path, const char *tail)
{
	size_t bytes = strlen(path), tail_bytes = strlen(tail);

	return bytes > tail_bytes && path[bytes - tail_bytes - 1] == '/' &&
	       strcmp(path + bytes - tail_bytes, tail) == 0;
}

/* Debug information names a file as the compiler was given it, or below its directory. */
static const char *look_for_file(const struct ct_unit *unit, const char *file)
{
	const char *found = file;
	uint32_t last = CT_NONE;

	for (uint32_t i = 0; i < unit->header->statement_count; i++) {
		const char *name = ct_unit_string(unit, unit->statements[i].file);

		if (unit->statements[i].file == last)
			continue;
		last = unit->statements[i].file;
		if (strcmp(name, file) == 0)
			return name;
		if (*name && *file && (ends_with(name, file) || ends_with(file, name)))
			found = name;
	}
	return found;
}

static const char *file_in(struct sampling *s, uint32_t unit, const char *file)
{
	union ct_map_value *known = ct_map_put(&s->file_of, unit, ct_hash_join_string(0, file));

	if (known && !known->pointer)
		known->pointer =
		    (void *)look_for_file(&s->blame->state->weights->units[unit], file);
	return known ? known->pointer : file;
}

/* state->chain of a place: the calls that were inlined there. False: it is too deep. */
static bool make_chain(struct sampling *s, uint32_t place, const char *symbol, uint32_t unit)
{
	struct ct_blame_chain *chain = &s->blame->state->chain;
	bool has_units = s->blame->state->weights->unit_count > 0;

	for (chain->depth = 0; place != CT_WEIGHT_NONE; chain->depth++) {
		const struct ct_weight_place *at = &s->samples->places[place];
		bool is_outermost = at->inlined_at == CT_WEIGHT_NONE;

		if (chain->depth == CT_BLAME_FRAMES_MAX)
			return false;
		chain->frame[chain->depth] = (struct ct_blame_frame){
		    .unit = unit,
		    .function = is_outermost && !*at->function ? symbol : at->function,
		    .file = has_units ? file_in(s, unit, at->file) : at->file,
		    .line = at->line,
		    .column = at->column,
		    .is_inlined = !is_outermost,
		};
		place = at->inlined_at;
	}
	return chain->depth > 0;
}

/* In the unit that reports it; any, if none does: its functions are known. */
static bool find_chain(struct sampling *s, uint32_t place, const char *symbol)
{
	const struct ct_blame_state *state = s->blame->state;

	for (uint32_t u = 0; u < state->weights->unit_count; u++)
		if (state->weights->units[u].header->variable_count &&
		    make_chain(s, place, symbol, u) &&
		    ct_blame_statement(state->places, state->chain.frame, state->chain.depth))
			return true;
	return make_chain(s, place, symbol, 0);
}

/* Credits of a place, or NOWHERE. Names of weights are each at one address. */
static int credits_of(struct sampling *s, uint32_t place, const char *kernel, const char *symbol,
		      uint32_t *index)
{
	union ct_map_value *known = ct_map_put(
	    &s->index_of, place, ct_hash_join((uintptr_t)kernel, (uint64_t)(uintptr_t)symbol));
	int err;

	if (!known)
		return -ENOMEM;
	*index = NOWHERE;
	if (!known->number) {
		known->number = 1;
		if (place == CT_WEIGHT_NONE || !find_chain(s, place, symbol))
			return 0;
		err = ct_blame_credits_of_chain(s->blame, kernel, index);
		if (err < 0)
			return err;
		if (s->blame->state->credits[*index].count)
			known->number = *index + UINT64_C(2);
	}
	*index = known->number == 1 ? NOWHERE : (uint32_t)(known->number - 2);
	return 0;
}

/* Samples without a place, or a path to their kernel, count as the kernel, or as the function
 * that they were found in. */
static int add_rest(struct sampling *s, const struct ct_weight *weight, uint32_t node)
{
	struct ct_blame *blame = s->blame;

	node = ct_blame_node_below(
	    blame, (struct ct_blame_node){.parent = node, .function = weight->kernel, .file = ""});
	if (node != CT_NONE && strcmp(weight->kernel, weight->symbol) != 0)
		node = ct_blame_node_below(
		    blame,
		    (struct ct_blame_node){.parent = node, .function = weight->symbol, .file = ""});
	if (node == CT_NONE)
		return -ENOMEM;
	blame->node[node].self += (double)weight->weight;
	blame->unattributed += (double)weight->weight;
	return 0;
}

static int add_weight(struct sampling *s, const struct ct_weight *weight)
{
	struct ct_blame *blame = s->blame;
	uint32_t index, node = host_node(s, weight);
	int err = credits_of(s, weight->place, weight->kernel, weight->symbol, &index);
	const struct ct_blame_credits *credits;

	blame->total += (double)weight->weight;
	if (err < 0 || node == CT_NONE)
		return -ENOMEM;
	if (index == NOWHERE)
		return add_rest(s, weight, node);
	credits = &blame->state->credits[index];
	for (uint32_t i = 0; i < credits->count && weight->reason != CT_WEIGHT_NONE; i++) {
		const struct ct_blame_credited *to = &blame->state->credited[credits->first + i];

		for (uint32_t v = 0; v < to->inclusives; v++)
			blame->by_reason[to->inclusive[v] * s->samples->reason_count +
					 weight->reason] += (double)weight->weight / credits->count;
	}
	return ct_blame_spend(blame, index, node, (double)weight->weight);
}

static int add_read(struct sampling *s, uint32_t variable, const struct ct_weight_wait *wait,
		    double weight)
{
	const struct ct_weight_place *at =
	    &s->samples->places[ct_place_own(s->samples->places, wait->producer)];
	struct ct_blame *blame = s->blame;
	union ct_map_value *known =
	    ct_map_put(&s->wait_of, (uint64_t)variable << 32 | wait->reason,
		       ct_hash_join_string(ct_hash_join(0, at->line), at->file));

	if (!known || ct_array_grow(&blame->wait, blame->waits, sizeof(*blame->wait)) < 0)
		return -ENOMEM;
	if (!known->number) {
		blame->wait[blame->waits] =
		    (struct ct_blame_wait){variable, wait->reason, at->file, at->line, 0};
		known->number = ++blame->waits;
	}
	blame->wait[known->number - 1].weight += weight;
	blame->variable[variable].waits += weight;
	return 0;
}

static bool is_within(const struct ct_blame *blame, uint32_t variable, uint32_t whole)
{
	while (variable != CT_NONE && variable != whole)
		variable = blame->variable[variable].parent;
	return variable != CT_NONE;
}

/* Adds the reads of one path. What waits for s.a waits for s, once if s.b is read, too. */
static int add_reads(struct sampling *s, const struct ct_blame_credited *to,
		     const struct ct_weight_wait *wait, double weight)
{
	const struct ct_blame *blame = s->blame;
	int err = 0;

	for (uint32_t i = 0; i < to->reads; i++) {
		for (uint32_t v = to->read[i]; v != CT_NONE && err == 0;
		     v = blame->variable[v].parent) {
			bool is_counted = false;

			for (uint32_t j = 0; j < i; j++)
				is_counted |= is_within(blame, to->read[j], v);
			if (!is_counted)
				err = add_read(s, v, wait, weight);
		}
	}
	return err;
}

static int add_wait(struct sampling *s, const struct ct_weight_wait *wait)
{
	const struct ct_blame_state *state = s->blame->state;
	const struct ct_blame_credits *credits;
	uint32_t index;
	int err = credits_of(s, wait->producer, wait->kernel, wait->symbol, &index);

	if (err < 0 || index == NOWHERE)
		return err;
	credits = &state->credits[index];
	for (uint32_t i = 0; i < credits->count && err == 0; i++)
		err = add_reads(s, &state->credited[credits->first + i], wait,
				wait->weight / credits->count);
	return err;
}

static int by_weight(const void *a, const void *b)
{
	const struct ct_blame_wait *x = a, *y = b;

	if (x->variable != y->variable)
		return x->variable < y->variable ? -1 : 1;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->reason != y->reason)
		return x->reason < y->reason ? -1 : 1;
	return strcmp(x->file, y->file);
}

int ct_blame_make_sampled(struct ct_blame *blame, const struct ct_blame_job *job,
			  const struct ct_host_paths *paths, const struct ct_weights *samples)
{
	struct sampling s = {.blame = blame, .samples = samples, .paths = paths};
	int err = ct_blame_begin(blame, job);

	if (err < 0)
		return err;
	blame->samples = samples;
	blame->by_reason =
	    calloc(blame->variables * samples->reason_count + 1, sizeof(*blame->by_reason));
	err = blame->by_reason ? find_launches(&s) : -ENOMEM;
	for (size_t i = 0; i < samples->count && err == 0; i++)
		err = samples->list[i].weight ? add_weight(&s, &samples->list[i]) : 0;
	for (size_t i = 0; i < samples->wait_count && err == 0; i++)
		err = samples->waits[i].producer == CT_WEIGHT_NONE
			  ? 0
			  : add_wait(&s, &samples->waits[i]);
	if (err == 0)
		err = ct_blame_add_host(blame, paths);
	if (blame->waits)
		qsort(blame->wait, blame->waits, sizeof(*blame->wait), by_weight);
	ct_blame_end(blame);
	ct_map_fini(&s.launch_of);
	ct_map_fini(&s.index_of);
	ct_map_fini(&s.file_of);
	ct_map_fini(&s.wait_of);
	return err;
}

const char *ct_blame_missing_of_host(const struct ct_trace *trace)
{
	const struct ct_host_event *events;
	size_t count = ct_trace_events(trace, CT_EVENT_SAMPLING, &events);
	const char *missing = "";

	for (size_t i = 0; i < count && !*missing; i++)
		if (strcmp(ct_trace_string(trace, events[i].part, events[i].sampling->source),
			   CT_SAMPLING_OF_HOST) == 0)
			missing =
			    ct_trace_string(trace, events[i].part, events[i].sampling->missing);
	return missing;
}
