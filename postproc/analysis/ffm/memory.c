/* SPDX-License-Identifier: Apache-2.0 */
/* Objects and copies of a process, in the order of its events. */
#include "postproc/analysis/ffm/memory.h"
#include "base/keyed.h"
#include "base/large.h"
#include "base/search.h"
#include "postproc/facts/source_name.h"
#include "trace/read/live.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 64u /* whose calls may lie between a call and the event that reports it */

enum family { OTHER, ALLOCATE, FREE };

struct reading {
	struct ct_ffm_memory *memory;
	const struct ct_ffm_program *program;
	struct ct_trace *trace;
	uint32_t part;
	struct ct_keyed steps; /* that allocate by their ends; that free by their begins */
	bool *is_taken;
	uint8_t *family;                 /* by step: enum family */
	struct ct_map ordered;           /* ids of names of calls that are ordered in a stream */
	struct ct_keyed deaths;          /* objects by the places of their FREE events */
	struct ct_by_number by_transfer; /* id -> copy + 1 */
};

static bool is_one_of(const char *call, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(call, names[i]) == 0)
			return true;
	return false;
}

static const char *const allocations[] = {
#define CT_API_ALLOCATE(returns, name, version, ...) #name,
#include <cudatrace/api.def>
};

static const char *const frees[] = {
#define CT_API_FREE(returns, name, version, ...) #name,
#include <cudatrace/api.def>
};

static enum family family_of(const char *name)
{
	if (is_one_of(name, allocations, sizeof(allocations) / sizeof(*allocations)))
		return ALLOCATE;
	return is_one_of(name, frees, sizeof(frees) / sizeof(*frees)) ? FREE : OTHER;
}

/* Names are few, calls are many. */
static int read_names(struct reading *reading)
{
	const struct ct_ffm_program *program = reading->program;
	struct ct_map known = {0}; /* id of a name -> enum family */
	int err = 0;

	for (size_t s = 0; s < program->graph.steps && err == 0; s++) {
		uint32_t id = program->calls[program->call[s]].name;
		union ct_map_value *family = ct_map_find(&known, id, 0);

		if (!family) {
			const char *name = ct_trace_string(reading->trace, reading->part, id);

			family = ct_map_put(&known, id, 0);
			if (!family ||
			    (strstr(name, "Async") && !ct_map_put(&reading->ordered, id, 0))) {
				err = -ENOMEM;
				break;
			}
			family->number = family_of(name);
		}
		reading->family[s] = (uint8_t)family->number;
	}
	ct_map_fini(&known);
	return err;
}

static int list_steps(struct reading *reading, enum family family)
{
	const struct ct_ffm_graph *graph = &reading->program->graph;
	size_t count = 0;
	int err;

	for (size_t s = 0; s < graph->steps; s++)
		count += reading->family[s] == family;
	ct_keyed_fini(&reading->steps);
	ct_large_free(reading->is_taken);
	reading->is_taken = ct_large_alloc(count + 1, sizeof(*reading->is_taken));
	err = ct_keyed_init(&reading->steps, count);
	if (err < 0 || !reading->is_taken)
		return -ENOMEM;
	for (size_t s = 0; s < graph->steps; s++)
		if (reading->family[s] == family)
			ct_keyed_add(&reading->steps,
				     family == ALLOCATE ? ct_ffm_end(&graph->step[s])
							: ct_ffm_launch_at(&graph->step[s]),
				     (uint32_t)s);
	return ct_keyed_sort(&reading->steps);
}

/* How many of the steps listed have a time of at most this. */
static size_t steps_until(const struct reading *reading, uint64_t time_ns)
{
	return ct_search_above(reading->steps.key, reading->steps.count,
			       sizeof(*reading->steps.key), time_ns);
}

static uint32_t take_allocation(struct reading *reading, uint64_t time_ns, uint64_t bytes)
{
	const struct ct_ffm_program *program = reading->program;
	size_t until = steps_until(reading, time_ns);

	for (size_t i = until; i-- > 0 && until - i <= THREADS;) {
		uint32_t s = reading->steps.number[i];
		uint64_t asked = program->calls[program->call[s]].bytes;

		if (reading->is_taken[i] || (asked && asked != bytes))
			continue;
		reading->is_taken[i] = true;
		return s;
	}
	return CT_FFM_NONE;
}

static uint32_t take_free(struct reading *reading, uint64_t time_ns)
{
	size_t from = time_ns ? steps_until(reading, time_ns - 1) : 0;

	for (size_t i = from; i < reading->steps.count && i - from < THREADS; i++) {
		if (reading->is_taken[i])
			continue;
		reading->is_taken[i] = true;
		return reading->steps.number[i];
	}
	return CT_FFM_NONE;
}

static bool is_ordered(const struct reading *reading, uint32_t s)
{
	const struct ct_ffm_program *program = reading->program;

	return s != CT_FFM_NONE &&
	       ct_map_find(&reading->ordered, program->calls[program->call[s]].name, 0);
}

static int read_objects(struct reading *reading)
{
	const struct ct_object_info *info;
	size_t count = ct_trace_objects(reading->trace, &info);
	struct ct_ffm_memory *memory = reading->memory;

	memory->object = ct_large_alloc(count + 1, sizeof(*memory->object));
	if (!memory->object || list_steps(reading, ALLOCATE) < 0 ||
	    ct_keyed_init(&reading->deaths, count) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const struct ct_event_alloc *event = info[i].event;
		if (info[i].part != reading->part)
			continue;
		memory->object[memory->objects++] = (struct ct_ffm_object){
		    .begin = event->address,
		    .end = event->address + event->bytes,
		    .allocated_at = info[i].allocated_at,
		    .freed_at = info[i].freed_at,
		    .site = info[i].site,
		    .kind = event->kind,
		    .device = event->device,
		    .allocated =
			event->kind == CT_OBJECT_VARIABLE
			    ? CT_FFM_NONE
			    : take_allocation(reading, event->header.time_ns, event->bytes),
		    .freed = CT_FFM_NONE,
		};
		memory->object[memory->objects - 1].is_ordered =
		    is_ordered(reading, memory->object[memory->objects - 1].allocated);
		if (info[i].freed_at != UINT64_MAX)
			ct_keyed_add(&reading->deaths, info[i].freed_at,
				     (uint32_t)memory->objects - 1);
	}
	return ct_keyed_sort(&reading->deaths);
}

/* Events of a part stand in the order of their places. */
static int read_frees(struct reading *reading)
{
	const struct ct_keyed *deaths = &reading->deaths;
	const struct ct_host_event *events;
	size_t count = ct_trace_events(reading->trace, CT_EVENT_FREE, &events), next = 0;
	int err = list_steps(reading, FREE);

	for (size_t i = 0; i < count && err == 0; i++) {
		struct ct_ffm_object *object;

		if (events[i].part != reading->part)
			continue;
		while (next < deaths->count && deaths->key[next] < events[i].index)
			next++;
		if (next == deaths->count || deaths->key[next] != events[i].index)
			continue;
		object = &reading->memory->object[deaths->number[next]];
		object->freed = take_free(reading, events[i].header->time_ns);
		object->is_ordered |= is_ordered(reading, object->freed);
	}
	return err;
}

/* The first byte of rows of slices, and behind the last one. */
static uint64_t end_of(uint64_t begin, const struct ct_event_transfer *transfer, uint64_t row,
		       uint64_t slice)
{
	if (!begin || !transfer->width || !transfer->height || !transfer->depth)
		return begin;
	return begin + (transfer->depth - 1) * slice + (transfer->height - 1) * row +
	       transfer->width;
}

static int add_copy(struct reading *reading, const struct ct_host_event *event)
{
	const struct ct_event_transfer *transfer = event->transfer;
	const struct ct_ffm_program *program = reading->program;
	struct ct_ffm_memory *memory = reading->memory;
	uint32_t s = ct_ffm_step_before(program, transfer->thread, transfer->header.time_ns);

	memory->copy[memory->copies++] = (struct ct_ffm_copy){
	    .target = transfer->target,
	    .target_end =
		end_of(transfer->target, transfer, transfer->target_row, transfer->target_slice),
	    .source = transfer->source,
	    .source_end =
		end_of(transfer->source, transfer, transfer->source_row, transfer->source_slice),
	    .bytes = transfer->width * transfer->height * transfer->depth,
	    .index = event->index,
	    .step = s,
	    .target_object = CT_FFM_NONE,
	    .source_object = CT_FFM_NONE,
	    .host_block = CT_FFM_NONE,
	    .way = s == CT_FFM_NONE ? CT_COPY_NONE : program->calls[program->call[s]].copy,
	    .device = transfer->device,
	};
	return ct_by_number_set(&reading->by_transfer, transfer->transfer,
				(uint32_t)memory->copies);
}

static int read_copies(struct reading *reading)
{
	const struct ct_host_event *events;
	size_t count = ct_trace_events(reading->trace, CT_EVENT_TRANSFER, &events);
	struct ct_by_number_range range = {.count = 0};
	int err;

	for (size_t i = 0; i < count; i++)
		if (events[i].part == reading->part)
			ct_by_number_expect(&range, events[i].transfer->transfer);
	err = ct_by_number_init(&reading->by_transfer, &range);
	reading->memory->copy = ct_large_alloc(count + 1, sizeof(*reading->memory->copy));
	if (!reading->memory->copy)
		return -ENOMEM;
	for (size_t i = 0; i < count && err == 0; i++)
		if (events[i].part == reading->part &&
		    !(events[i].transfer->flags & CT_TRANSFER_GRAPH))
			err = add_copy(reading, &events[i]);
	return err;
}

static int read_contents(struct reading *reading)
{
	const void *rows;
	size_t count;
	int err = ct_trace_rows(reading->trace, reading->part, CT_TABLE_CONTENT, &rows, &count);
	const struct ct_row_content *content = rows;

	for (size_t i = 0; i < count && err == 0; i++) {
		uint32_t number = ct_by_number_get(&reading->by_transfer, content[i].transfer);
		struct ct_ffm_copy *copy = number ? &reading->memory->copy[number - 1] : NULL;

		if (!copy)
			continue;
		copy->is_known = true;
		copy->same_bytes = content[i].same_bytes;
		copy->hash[0] = content[i].hash_low;
		copy->hash[1] = content[i].hash_high;
		copy->way = content[i].copy;
	}
	ct_trace_drop_rows(reading->trace, reading->part, CT_TABLE_CONTENT);
	return err;
}

static int read_launches(struct reading *reading)
{
	const struct ct_ffm_program *program = reading->program;
	struct ct_ffm_memory *memory = reading->memory;
	struct ct_by_number steps;
	const struct ct_launch_info *info;
	size_t count = ct_trace_launches(reading->trace, &info);
	int err = ct_ffm_steps_by(program, CT_FFM_BY_LAUNCH, &steps);

	memory->launch = ct_large_alloc(count + 1, sizeof(*memory->launch));
	if (!memory->launch)
		err = -ENOMEM;
	for (size_t i = 0; i < count && err == 0; i++) {
		uint32_t step = ct_by_number_get(&steps, info[i].event->launch);

		if (info[i].part == reading->part)
			memory->launch[memory->launches++] =
			    (struct ct_ffm_launch){info[i].event_index, info[i].site,
						   info[i].kernel, step ? step - 1 : CT_FFM_NONE};
	}
	ct_by_number_fini(&steps);
	return err;
}

size_t ct_ffm_launches_until(const struct ct_ffm_memory *memory, uint64_t index)
{
	return index ? ct_search_above(memory->launch, memory->launches, sizeof(*memory->launch),
				       index - 1)
		     : 0;
}

/* An object that died, or that another one has taken the place of, is none any more. */
static int live(struct ct_live *alive, const struct ct_ffm_memory *memory, uint32_t number)
{
	const struct ct_ffm_object *object = &memory->object[number];
	const struct ct_live_range *other;

	if (object->begin >= object->end)
		return 0;
	while ((other = ct_live_overlap(alive, object->begin, object->end)))
		ct_live_remove(alive, other->begin, other->object);
	return ct_live_insert(alive, &(struct ct_live_range){object->begin, object->end, number});
}

static uint32_t object_at(struct ct_live *alive, const struct ct_ffm_memory *memory,
			  uint64_t address, uint64_t index)
{
	const struct ct_live_range *range = address ? ct_live_find(alive, address) : NULL;

	return range && memory->object[range->object].freed_at > index ? range->object
								       : CT_FFM_NONE;
}

static int find_objects(struct ct_ffm_memory *memory)
{
	struct ct_live alive = {.last = 0};
	size_t allocated_at = 0;
	int err = 0;

	for (size_t c = 0; c < memory->copies && err == 0; c++) {
		struct ct_ffm_copy *copy = &memory->copy[c];

		for (; allocated_at < memory->objects &&
		       memory->object[allocated_at].allocated_at < copy->index && err == 0;
		     allocated_at++)
			err = live(&alive, memory, (uint32_t)allocated_at);
		copy->target_object = object_at(&alive, memory, copy->target, copy->index);
		copy->source_object = object_at(&alive, memory, copy->source, copy->index);
	}
	ct_live_fini(&alive);
	return err;
}

static int read_host_blocks(struct reading *reading)
{
	struct ct_ffm_memory *memory = reading->memory;
	const struct ct_host_event *events;
	size_t count = ct_trace_events(reading->trace, CT_EVENT_HOST_BLOCK, &events);

	memory->host_block = ct_large_alloc(count + 1, sizeof(*memory->host_block));
	if (!memory->host_block)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const struct ct_event_host_block *block = events[i].host_block;
		const char *name = ct_trace_string(reading->trace, reading->part, block->name);
		bool is_named = block->kind == CT_HOST_VARIABLE && *name;

		if (events[i].part != reading->part)
			continue;
		memory->host_block[memory->host_blocks++] =
		    (struct ct_ffm_host_block){.begin = block->address,
					       .end = block->address + block->bytes,
					       .index = events[i].index,
					       .name = name,
					       .variable = is_named ? ct_source_name(name) : NULL,
					       .stack = block->stack,
					       .kind = block->kind};
		if (is_named && !memory->host_block[memory->host_blocks - 1].variable)
			return -ENOMEM;
	}
	return 0;
}

/* A later block takes the place of those that it overlaps. */
static int be_there(struct ct_live *there, const struct ct_ffm_memory *memory, size_t number)
{
	const struct ct_ffm_host_block *block = &memory->host_block[number];
	const struct ct_live_range *other;

	if (block->begin >= block->end)
		return 0;
	while ((other = ct_live_overlap(there, block->begin, block->end)))
		ct_live_remove(there, other->begin, other->object);
	return ct_live_insert(there,
			      &(struct ct_live_range){block->begin, block->end, (uint32_t)number});
}

uint64_t ct_ffm_pageable_side(const struct ct_ffm_copy *copy)
{
	if (copy->way == CT_COPY_TO_DEVICE && copy->source_object == CT_FFM_NONE)
		return copy->source;
	return copy->way == CT_COPY_TO_HOST && copy->target_object == CT_FFM_NONE ? copy->target
										  : 0;
}

static int find_host_blocks(struct ct_ffm_memory *memory)
{
	struct ct_live there = {.last = 0};
	size_t next = 0;
	int err = 0;

	for (size_t c = 0; c < memory->copies && memory->host_blocks && err == 0; c++) {
		struct ct_ffm_copy *copy = &memory->copy[c];
		uint64_t address = ct_ffm_pageable_side(copy);
		const struct ct_live_range *range;

		for (; next < memory->host_blocks && memory->host_block[next].index < copy->index &&
		       err == 0;
		     next++)
			err = be_there(&there, memory, next);
		range = address ? ct_live_find(&there, address) : NULL;
		if (range)
			copy->host_block = range->object;
	}
	ct_live_fini(&there);
	return err;
}

int ct_ffm_memory_init(struct ct_ffm_memory *memory, const struct ct_ffm_program *program,
		       struct ct_trace *trace, uint32_t part)
{
	struct reading reading = {memory, program, trace, part, .is_taken = NULL};
	int err;

	*memory = (struct ct_ffm_memory){0};
	reading.family = ct_large_alloc(program->graph.steps + 1, sizeof(*reading.family));
	err = reading.family ? read_names(&reading) : -ENOMEM;
	if (err == 0)
		err = read_objects(&reading);
	if (err == 0)
		err = read_frees(&reading);
	if (err == 0)
		err = read_copies(&reading);
	if (err == 0)
		err = read_contents(&reading);
	if (err == 0)
		err = read_launches(&reading);
	if (err == 0)
		err = read_host_blocks(&reading);
	if (err == 0)
		err = find_objects(memory);
	if (err == 0)
		err = find_host_blocks(memory);
	ct_keyed_fini(&reading.steps);
	ct_large_free(reading.is_taken);
	ct_large_free(reading.family);
	ct_map_fini(&reading.ordered);
	ct_keyed_fini(&reading.deaths);
	ct_by_number_fini(&reading.by_transfer);
	return err;
}

void ct_ffm_memory_fini(struct ct_ffm_memory *memory)
{
	ct_large_free(memory->object);
	ct_large_free(memory->copy);
	ct_large_free(memory->launch);
	for (size_t i = 0; i < memory->host_blocks; i++)
		free(memory->host_block[i].variable);
	ct_large_free(memory->host_block);
	*memory = (struct ct_ffm_memory){0};
}
