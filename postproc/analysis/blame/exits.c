/* SPDX-License-Identifier: Apache-2.0 */
/* Which objects the exits of kernels are. */
#include "postproc/analysis/blame/exits.h"
#include "postproc/analysis/blame/chains.h"

#include "base/array.h"
#include "postproc/facts/operation.h"
#include "trace/codec/site.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct making {
	struct ct_blame_exits *exits;
	struct ct_blame *blame;
	const struct ct_blame_job *job;
	const struct ct_objects *objects;
	uint32_t hint;
};

/* CT_NONE: of no object. */
static uint32_t group_at(struct making *making, uint32_t part, uint64_t address, uint64_t index)
{
	uint32_t group = ct_objects_find(making->objects, part, address, index, &making->hint);

	return group + 1 < ct_objects_groups(making->objects) ? group : CT_NONE;
}

static int bind(struct making *making, uint32_t launch, const struct ct_blame_set *set,
		uint32_t group)
{
	struct ct_blame_exits *exits = making->exits;

	for (size_t i = 0; i < set->count; i++) {
		if (ct_array_reserve(&exits->list, &exits->room, exits->count + 1,
				     sizeof(*exits->list)) < 0)
			return -ENOMEM;
		exits->list[exits->count++] = (struct ct_blame_exit){launch, group, set->of[i]};
	}
	return 0;
}

/* An access at a site reads or writes, in its kernel's terms, the object that it was to. */
static int bind_touch(struct making *making, const struct ct_blame_touch *touch)
{
	struct ct_blame_state *state = making->blame->state;
	struct ct_blame_credit *credit = &state->scratch;
	const struct ct_unit *unit = &state->weights->units[touch->unit];
	enum ct_class class = ct_operation_class(unit->sites[touch->site].operation);
	const struct ct_object_info *objects;
	uint32_t group;
	int err;

	ct_trace_objects(making->job->trace, &objects);
	group = group_at(making, objects[touch->object].part, objects[touch->object].event->address,
			 objects[touch->object].allocated_at);
	if (group == CT_NONE || !ct_blame_chain_of_site(&state->chain, state->weights, touch->unit,
							touch->site, touch->path))
		return 0;
	err = ct_blame_credit_make(credit, state->places, state->weights->units, &state->chain);
	if (err == 0 && class != CT_CLASS_STORE)
		err = bind(making, touch->launch, &credit->read_exits, group);
	if (err == 0 && class != CT_CLASS_LOAD)
		err = bind(making, touch->launch, &credit->written_exits, group);
	return err;
}

static int by_exit(const void *a, const void *b)
{
	const struct ct_blame_exit *x = a, *y = b;

	if (x->launch != y->launch)
		return x->launch < y->launch ? -1 : 1;
	if (x->exit != y->exit)
		return x->exit < y->exit ? -1 : 1;
	return (x->group > y->group) - (x->group < y->group);
}

/* The object of this name that is there when a kernel is launched; CT_NONE: none. */
static uint32_t group_named(struct making *making, const struct ct_launch_info *launch,
			    const char *name)
{
	const struct ct_object_info *objects;

	for (size_t i = ct_trace_objects(making->job->trace, &objects); i-- > 0;)
		if (objects[i].part == launch->part &&
		    objects[i].allocated_at < launch->event_index &&
		    objects[i].freed_at > launch->event_index && strcmp(objects[i].name, name) == 0)
			return group_at(making, launch->part, objects[i].event->address,
					objects[i].allocated_at);
	return CT_NONE;
}

/* Without accesses: what a parameter points to is the object that bears the name of what is
 * passed (launch descriptors: "L", file, line, column, function, kernel, arguments). */
static int bind_parameter(struct making *making, uint32_t launch, uint32_t unit, uint32_t variable)
{
	const struct ct_launch_info *info = &making->blame->state->launches[launch];
	const struct ct_unit_variable *exit =
	    &making->blame->state->weights->units[unit].variables[variable];
	struct ct_blame_set exits = {.of = (uint64_t[]){(uint64_t)unit << 32 | variable},
				     .count = 1};
	const char *function =
	    ct_unit_string(&making->blame->state->weights->units[unit], exit->function);
	char argument[256];
	uint32_t group;

	if (exit->kind != CT_VARIABLE_EXIT || exit->parameter == CT_NONE ||
	    strcmp(function, info->kernel_name) != 0)
		return 0;
	ct_site_field(info->site, 6 + exit->parameter, argument, sizeof(argument));
	group = *argument ? group_named(making, info, argument) : CT_NONE;
	return group == CT_NONE ? 0 : bind(making, launch, &exits, group);
}

static int bind_parameters(struct making *making, uint32_t launch)
{
	const struct ct_blame_state *state = making->blame->state;
	const struct ct_unit *unit = state->launches[launch].unit;
	int err = 0;

	if (!unit || state->launches[launch].event->tier != CT_TIER_BLOCKS)
		return 0;
	for (uint32_t v = 0; v < unit->header->variable_count && err == 0; v++)
		err = bind_parameter(making, launch, (uint32_t)(unit - state->weights->units), v);
	return err;
}

static int bind_all(struct making *making)
{
	const struct ct_blame_weights *weights = making->blame->state->weights;
	size_t launches = ct_trace_launches(making->job->trace, &making->blame->state->launches);
	int err = 0;

	for (size_t l = 0; l < launches && err == 0; l++)
		err = bind_parameters(making, (uint32_t)l);

	for (size_t i = 0; i < weights->touches && err == 0; i++)
		err = bind_touch(making, &weights->touch[i]);
	if (making->exits->count)
		qsort(making->exits->list, making->exits->count, sizeof(*making->exits->list),
		      by_exit);
	return err;
}

int ct_blame_exits_make(struct ct_blame_exits *exits, struct ct_blame *blame,
			const struct ct_blame_job *job, const struct ct_objects *objects)
{
	struct making making = {exits, blame, job, objects, 0};

	return bind_all(&making);
}

void ct_blame_exits_fini(struct ct_blame_exits *exits)
{
	free(exits->list);
	*exits = (struct ct_blame_exits){.list = NULL};
}

const struct ct_blame_exit *ct_blame_exits_of(const struct ct_blame_exits *exits, uint32_t launch,
					      uint64_t exit, size_t *count)
{
	const struct ct_blame_exit key = {launch, 0, exit};
	size_t low = 0, high = exits->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (by_exit(&exits->list[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (high = low; high < exits->count && exits->list[high].launch == launch &&
			 exits->list[high].exit == exit;)
		high++;
	*count = high - low;
	return exits->list + low;
}
