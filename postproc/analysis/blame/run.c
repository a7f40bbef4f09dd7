/* SPDX-License-Identifier: Apache-2.0 */
/* The run scope: launches, copies and memsets in their order. */
#include "postproc/analysis/blame/exits.h"
#include "postproc/analysis/blame/flow.h"
#include "postproc/analysis/blame/hosts.h"
#include "postproc/analysis/blame/state.h"

#include "base/array.h"
#include "base/hash.h"
#include "postproc/facts/objects.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A holder has versions: a group of objects, host memory that is no object, a variable of the
 * host. */
struct holder {
	uint32_t part; /* of host memory */
	uint64_t begin, end;
	const struct ct_unit *unit; /* of a variable; else NULL */
	uint32_t variable;          /* of the unit */
	bool is_named;              /* of host memory: the variables that it is of are known */
	uint32_t current, next;     /* next: made by the launch at hand */
	uint32_t *version;          /* all of them */
	size_t versions;
};

struct moment {
	uint32_t part;
	uint64_t index; /* among its events */
	bool is_launch;
	uint32_t which; /* of the trace's launches, or transfers */
};

struct run {
	struct ct_blame *blame;
	const struct ct_blame_job *job;
	enum ct_blame_weigh weigh;
	struct ct_blame_flow *flow;
	struct ct_objects *objects;
	uint32_t hint;
	struct holder *holder; /* the groups, then host memory */
	size_t holders, holder_room;
	struct ct_blame_exits exits;
	struct ct_blame_hosts hosts;
	struct ct_map holder_of; /* variable of the host -> 1 + index of its holder */
	struct ct_map class_of;  /* of the launch at hand, by what it flows into */
};

static int add_version(struct run *run, struct holder *holder, uint32_t *version)
{
	*version = ct_blame_flow_version(run->flow);
	if (*version == CT_BLAME_NO_VERSION ||
	    ct_array_grow(&holder->version, holder->versions, sizeof(*holder->version)) < 0)
		return -ENOMEM;
	holder->version[holder->versions++] = *version;
	return 0;
}

static int add_holder(struct run *run, struct holder holder)
{
	if (ct_array_reserve(&run->holder, &run->holder_room, run->holders + 1,
			     sizeof(*run->holder)) < 0)
		return -ENOMEM;
	holder.current = holder.next = CT_BLAME_NO_VERSION;
	run->holder[run->holders++] = holder;
	return 0;
}

/* Returns the holder of an address when an event was written; CT_NONE: nothing that is known. */
static uint32_t holder_at(struct run *run, uint32_t part, uint64_t address, uint64_t index)
{
	uint32_t groups = ct_objects_groups(run->objects);
	uint32_t group = ct_objects_find(run->objects, part, address, index, &run->hint);

	if (group + 1 < groups)
		return group;
	for (size_t h = groups; h < run->holders; h++)
		if (run->holder[h].part == part && address >= run->holder[h].begin &&
		    address < run->holder[h].end)
			return (uint32_t)h;
	return CT_NONE;
}

/* Instructions that flow into the same exits are one class. */
static int class_of(struct run *run, const struct ct_blame_credited *credited, uint32_t *class)
{
	uint64_t hash = credited->exit_count;
	union ct_map_value *known;

	for (uint32_t i = 0; i < credited->exit_count; i++)
		hash += ct_hash_join(1, credited->exits[i]);
	known = ct_map_put(&run->class_of, hash, 0);
	if (!known)
		return -ENOMEM;
	if (!known->number) {
		uint32_t new = ct_blame_flow_class(run->flow);

		if (new == CT_BLAME_NO_VERSION)
			return -ENOMEM;
		known->number = new + 1u;
	}
	*class = (uint32_t)known->number - 1;
	return 0;
}

/* Values that are read of other objects flow in from their versions before the launch. */
static int add_inflow(struct run *run, uint32_t launch, const struct ct_blame_credited *credited,
		      uint32_t version)
{
	int err = 0;

	for (uint32_t r = 0; r < credited->read_exit_count; r++) {
		size_t count;
		const struct ct_blame_exit *from =
		    ct_blame_exits_of(&run->exits, launch, credited->read_exits[r], &count);

		for (size_t i = 0; i < count && err == 0; i++) {
			uint32_t current = run->holder[from[i].group].current;

			if (current != CT_BLAME_NO_VERSION)
				err = ct_blame_flow_from_version(run->flow, version, current);
		}
	}
	return err;
}

static int add_credited(struct run *run, uint32_t launch, const struct ct_blame_credited *credited,
			double weight)
{
	uint32_t class;
	int err = class_of(run, credited, &class);

	if (err == 0)
		ct_blame_flow_weigh(run->flow, class, weight);
	for (uint32_t e = 0; e < credited->exit_count && err == 0; e++) {
		size_t count;
		const struct ct_blame_exit *to =
		    ct_blame_exits_of(&run->exits, launch, credited->exits[e], &count);

		for (size_t i = 0; i < count && err == 0; i++) {
			struct holder *holder = &run->holder[to[i].group];

			if (holder->next == CT_BLAME_NO_VERSION)
				err = add_version(run, holder, &holder->next);
			if (err == 0)
				err = ct_blame_flow_from_class(run->flow, holder->next, class);
			if (err == 0)
				err = add_inflow(run, launch, credited, holder->next);
		}
	}
	return err;
}

static int add_weight(struct run *run, const struct ct_blame_weight *weight)
{
	const struct ct_blame_state *state = run->blame->state;
	const struct ct_unit *unit = &state->weights->units[weight->unit];
	double each = (double)(run->weigh == CT_BLAME_WARPS ? weight->warps : weight->lanes);
	uint32_t count, first = ct_blame_shares(unit, weight->block, &count), index;
	int err = 0;

	for (uint32_t s = first; s < first + count && err == 0; s++) {
		const struct ct_blame_credits *credits;

		err = ct_blame_credits_of(run->blame, weight, s, &index);
		credits = err == 0 ? &state->credits[index] : NULL;
		for (uint32_t i = 0; credits && i < credits->count && err == 0; i++)
			err =
			    add_credited(run, weight->launch, &state->credited[credits->first + i],
					 each * unit->shares[s].instructions / credits->count);
	}
	return err;
}

/* Weights are sorted by launch, but launches of several parts take turns. */
static size_t first_weight(const struct run *run, uint32_t launch)
{
	const struct ct_blame_weights *weights = run->blame->state->weights;
	size_t low = 0, high = weights->weights;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (weights->weight[middle].launch < launch)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int add_launch(struct run *run, uint32_t launch)
{
	const struct ct_blame_weights *weights = run->blame->state->weights;
	int err = 0;

	ct_map_clear(&run->class_of);
	for (size_t i = first_weight(run, launch);
	     i < weights->weights && weights->weight[i].launch == launch && err == 0; i++)
		err = add_weight(run, &weights->weight[i]);
	/* Objects that it has not written are still there. */
	for (size_t h = 0; h < run->holders && err == 0; h++) {
		struct holder *holder = &run->holder[h];

		if (holder->next == CT_BLAME_NO_VERSION)
			continue;
		if (holder->current != CT_BLAME_NO_VERSION)
			err = ct_blame_flow_from_version(run->flow, holder->next, holder->current);
		holder->current = holder->next;
		holder->next = CT_BLAME_NO_VERSION;
	}
	return err;
}

static bool overwrites(const struct run *run, uint32_t h, uint64_t target, uint64_t bytes)
{
	uint64_t count;
	const struct ct_object_info *object;

	if (h >= ct_objects_groups(run->objects))
		return run->holder[h].begin >= target && run->holder[h].end <= target + bytes;
	object = ct_objects_of_group(run->objects, h, &count);
	return count == 1 && object->event->address >= target &&
	       object->event->address + object->event->bytes <= target + bytes;
}

/* The holder of a variable of the host, as of ct_blame_set. */
static int holder_of(struct run *run, uint64_t variable, size_t *holder)
{
	union ct_map_value *known = ct_map_put(&run->holder_of, variable, 0);
	int err = known ? 0 : -ENOMEM;

	if (known && !known->number) {
		err =
		    add_holder(run, (struct holder){
					.unit = &run->blame->state->weights->units[variable >> 32],
					.variable = (uint32_t)variable,
				    });
		known->number = run->holders;
	}
	*holder = err == 0 ? (size_t)known->number - 1 : 0;
	return err;
}

/* Pinned memory is an object, and bears the name of the variable that it was allocated for. */
static bool is_object(const struct run *run, uint32_t target, uint64_t variable)
{
	const struct ct_unit *unit = &run->blame->state->weights->units[variable >> 32];
	const struct ct_unit_variable *v = &unit->variables[(uint32_t)variable];
	uint64_t count;

	return target < ct_objects_groups(run->objects) && v->parent == CT_NONE &&
	       !strcmp(ct_objects_of_group(run->objects, target, &count)->name,
		       ct_unit_string(unit, v->name));
}

/* A copy that what is in `from` flows through into variables of the host. */
static int add_flows(struct run *run, const struct ct_blame_flows *flows, uint32_t target,
		     uint32_t from)
{
	int err = 0;

	for (size_t i = 0; i < flows->blamed.count && err == 0; i++) {
		uint32_t version;
		size_t at;

		if (is_object(run, target, flows->blamed.of[i]) ||
		    !ct_blame_hosts_shows(run->blame, flows->blamed.of[i]))
			continue;
		err = holder_of(run, flows->blamed.of[i], &at);
		if (err == 0)
			err = add_version(run, &run->holder[at], &version);
		if (err == 0)
			err = ct_blame_flow_from_version(run->flow, version, from);
		if (err == 0 && run->holder[at].current != CT_BLAME_NO_VERSION)
			err =
			    ct_blame_flow_from_version(run->flow, version, run->holder[at].current);
		run->holder[at].current = err == 0 ? version : CT_BLAME_NO_VERSION;
		run->holder[target].is_named = target >= ct_objects_groups(run->objects);
	}
	return err;
}

/* A copy that reads variables of the host. */
static int add_reads(struct run *run, const struct ct_blame_flows *flows, uint32_t version)
{
	int err = 0;

	for (size_t i = 0; i < flows->read.count && err == 0; i++) {
		uint64_t variable = ct_blame_hosts_shown(run->blame, flows->read.of[i]);
		const union ct_map_value *known = ct_map_find(&run->holder_of, variable, 0);
		uint32_t current =
		    known ? run->holder[known->number - 1].current : CT_BLAME_NO_VERSION;

		if (current != CT_BLAME_NO_VERSION)
			err = ct_blame_flow_from_version(run->flow, version, current);
	}
	return err;
}

static int add_transfer(struct run *run, const struct ct_transfer_info *transfer)
{
	const struct ct_event_transfer *event = transfer->event;
	uint64_t bytes = event->height * event->depth == 1 ? event->width : 0;
	uint64_t reach = bytes ? bytes : 1;
	uint32_t part = transfer->part, version = CT_BLAME_NO_VERSION, source = CT_NONE;
	uint32_t target = holder_at(run, part, event->target, transfer->event_index);
	const struct ct_blame_flows *flows;
	struct holder *holder;
	int err = ct_blame_hosts_of(&run->hosts, transfer, &flows);

	if (event->kind == CT_TRANSFER_COPY && event->source)
		source = holder_at(run, part, event->source, transfer->event_index);
	if (!event->target || err < 0)
		return err;
	if (target == CT_NONE) {
		target = (uint32_t)run->holders;
		err = add_holder(run, (struct holder){.part = part,
						      .begin = event->target,
						      .end = event->target + reach});
	}
	if (err == 0)
		err = add_version(run, &run->holder[target], &version);
	if (err < 0)
		return err;
	holder = &run->holder[target];
	if (holder->current != CT_BLAME_NO_VERSION &&
	    !overwrites(run, target, event->target, bytes))
		err = ct_blame_flow_from_version(run->flow, version, holder->current);
	if (err == 0 && source != CT_NONE && run->holder[source].current != CT_BLAME_NO_VERSION)
		err = ct_blame_flow_from_version(run->flow, version, run->holder[source].current);
	holder->current = version;
	if (err == 0 && flows)
		err = add_reads(run, flows, version);
	if (err == 0 && flows && source != CT_NONE)
		err = add_flows(run, flows, target, version);
	return err;
}

static int by_time(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

static int add_moments(struct run *run)
{
	const struct ct_launch_info *launches;
	const struct ct_transfer_info *transfers;
	size_t launch_count = ct_trace_launches(run->job->trace, &launches);
	size_t transfer_count = ct_trace_transfers(run->job->trace, &transfers);
	size_t count = launch_count + transfer_count;
	struct moment *moment = malloc((count + 1) * sizeof(*moment));
	int err = moment ? 0 : -ENOMEM;

	for (size_t i = 0; moment && i < count; i++) {
		bool is_launch = i < launch_count;
		size_t which = is_launch ? i : i - launch_count;

		moment[i] =
		    is_launch ? (struct moment){launches[which].part, launches[which].event_index,
						true, (uint32_t)which}
			      : (struct moment){transfers[which].part, transfers[which].event_index,
						false, (uint32_t)which};
	}
	if (moment)
		qsort(moment, count, sizeof(*moment), by_time);
	for (size_t i = 0; i < count && err == 0; i++)
		err = moment[i].is_launch ? add_launch(run, moment[i].which)
					  : add_transfer(run, &transfers[moment[i].which]);
	free(moment);
	return err;
}

static int add_object(struct run *run, uint32_t h)
{
	struct ct_blame *blame = run->blame;
	const struct holder *holder = &run->holder[h];
	bool is_group = h < ct_objects_groups(run->objects);
	uint64_t count;
	const struct ct_object_info *object =
	    is_group ? ct_objects_of_group(run->objects, h, &count) : NULL;
	struct ct_blame_object *to;

	if (!holder->versions || holder->is_named)
		return 0;
	if (ct_array_grow(&blame->object, blame->objects, sizeof(*blame->object)) < 0)
		return -ENOMEM;
	to = &blame->object[blame->objects++];
	*to = (struct ct_blame_object){
	    .name = object ? object->name : "",
	    .type = "",
	    .site = object ? object->site : "",
	    .inclusive = ct_blame_flow_weight(run->flow, holder->version, holder->versions),
	    .is_host = !object || object->event->kind == CT_OBJECT_HOST,
	};
	if (holder->unit && ct_blame_hosts_name(holder->unit, holder->variable, to) < 0)
		return -ENOMEM;
	if (!object && !holder->unit && asprintf(&to->own_name, "0x%" PRIx64, holder->begin) < 0) {
		to->own_name = NULL;
		return -ENOMEM;
	}
	return to->inclusive < 0 ? -ENOMEM : 0;
}

static int by_inclusive(const void *a, const void *b)
{
	const struct ct_blame_object *x = a, *y = b;
	int order;

	if (x->inclusive != y->inclusive)
		return x->inclusive > y->inclusive ? -1 : 1;
	order = (int)x->is_host - (int)y->is_host;
	if (!order)
		order = strcmp(x->own_name ? x->own_name : x->name,
			       y->own_name ? y->own_name : y->name);
	return order ? order : strcmp(x->site, y->site);
}

int ct_blame_add_objects(struct ct_blame *blame, const struct ct_blame_job *job,
			 const struct ct_host_paths *paths, enum ct_blame_weigh weigh)
{
	struct run run = {.blame = blame, .job = job, .weigh = weigh};
	int err = ct_blame_flow_open(&run.flow);

	if (err == 0)
		err = ct_objects_open(&run.objects, job->trace, NULL);
	for (uint32_t g = 0; err == 0 && g < ct_objects_groups(run.objects); g++)
		err = add_holder(&run, (struct holder){.begin = 0});
	if (err == 0)
		err = ct_blame_hosts_init(&run.hosts, blame, paths);
	if (err == 0)
		err = ct_blame_exits_make(&run.exits, blame, job, run.objects);
	if (err == 0)
		err = add_moments(&run);
	for (uint32_t h = 0; err == 0 && h < run.holders; h++)
		err = add_object(&run, h);
	if (blame->objects)
		qsort(blame->object, blame->objects, sizeof(*blame->object), by_inclusive);
	for (size_t h = 0; h < run.holders; h++)
		free(run.holder[h].version);
	free(run.holder);
	ct_blame_exits_fini(&run.exits);
	ct_map_fini(&run.class_of);
	ct_map_fini(&run.holder_of);
	ct_blame_hosts_fini(&run.hosts);
	ct_objects_close(run.objects);
	ct_blame_flow_close(run.flow);
	return err;
}
