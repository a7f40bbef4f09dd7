/* SPDX-License-Identifier: Apache-2.0 */
/* Who wrote and read each byte of objects, and how much of them launches use: byte by byte. */
#include "tests/values/naive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BASE 0x7f0000000000u
#define BYTES (1u << 17)
#define NODES 64u

/* The state of a byte of memory. */
struct byte {
	const struct ct_object_info *object;
	uint32_t writer, user; /* one more than the superstep; 0: none */
	bool is_unread, is_open, is_used;
};

static struct byte memory[BYTES];

/* The use of an object. */
struct use {
	uint64_t written, dead, shared, slice;
	uint64_t in_step; /* bytes that the launch at hand uses */
	bool used[BYTES];
};

static struct use *uses; /* by object of the trace */
static const struct ct_object_info *objects;
static struct flow {
	char from[64], to[64], object[64];
	uint64_t read, over, same;
} * flows;
static size_t flow_count, object_count;

static const char *node_of(const struct naive *naive, uint32_t step, char text[64])
{
	const struct before_call *at = before_step(&naive->before, step);

	snprintf(text, 64, "%.60s", at->launch ? at->launch->kernel : "memset");
	return text;
}

static struct flow *flow_of(const struct naive *naive, uint32_t writer, uint32_t step,
			    const struct ct_object_info *object)
{
	char from[64], to[64];

	if (writer)
		node_of(naive, writer - 1, from);
	else
		snprintf(from, sizeof(from), "-");
	node_of(naive, step, to);
	for (size_t i = 0; i < flow_count; i++)
		if (!strcmp(flows[i].from, from) && !strcmp(flows[i].to, to) &&
		    !strcmp(flows[i].object, object->name))
			return &flows[i];
	flows = realloc(flows, (flow_count + 1) * sizeof(*flows));
	flows[flow_count] = (struct flow){.read = 0};
	snprintf(flows[flow_count].from, 64, "%s", from);
	snprintf(flows[flow_count].to, 64, "%s", to);
	snprintf(flows[flow_count].object, 64, "%s", object->name);
	return &flows[flow_count++];
}

/* Some launch from `since` to before `end` may do what the trace does not tell. */
static bool is_hidden(const struct naive *naive, uint32_t since, uint32_t end)
{
	for (uint32_t s = since; s < end; s++) {
		const struct ct_launch_info *launch = before_step(&naive->before, s)->launch;

		if (launch && (!(launch->event->flags & 1) || !launch->done || launch->error))
			return true;
	}
	return false;
}

/* The first superstep behind the event. */
static uint32_t behind(const struct naive *naive, uint64_t event)
{
	uint32_t s = 0;

	while (s < naive->before.steps && before_step(&naive->before, s)->event_index < event)
		s++;
	return s;
}

static void end_byte(const struct naive *naive, struct byte *byte)
{
	uint32_t freed_at = byte->object ? behind(naive, byte->object->freed_at) : 0;

	if (byte->object && byte->is_unread && byte->object->event->kind == 1 &&
	    !is_hidden(naive, byte->writer, freed_at))
		uses[byte->object - objects].dead++;
	*byte = (struct byte){.object = NULL};
}

/* Objects of addresses as they are when the superstep begins. */
static void find_objects(const struct naive *naive, uint32_t step)
{
	uint64_t now = before_step(&naive->before, step)->event_index;

	for (uint64_t a = 0; a < BYTES; a++) {
		struct byte *byte = &memory[a];

		if (byte->object && byte->object->freed_at > now)
			continue;
		end_byte(naive, byte);
		for (size_t i = 0; i < object_count; i++)
			if (BASE + a - objects[i].event->address < objects[i].event->bytes &&
			    objects[i].allocated_at < now && objects[i].freed_at > now)
				byte->object = &objects[i];
	}
}

static bool is_ordered(const struct naive *naive, uint32_t step)
{
	for (uint32_t s = 0; s < naive->before.steps; s++)
		if (s != step && !before_is(&naive->before, s, step) &&
		    !before_is(&naive->before, step, s))
			return false;
	return true;
}

/* A superstep does this to a byte. */
struct operation {
	bool reads_old, reads_own, writes, is_same;
};

static void apply(struct naive *naive, uint32_t step, uint64_t at,
		  const struct operation *operation)
{
	struct byte *byte = &memory[at];
	struct use *use = byte->object ? &uses[byte->object - objects] : NULL;
	bool is_launch = before_step(&naive->before, step)->launch != NULL;
	bool hides = is_hidden(naive, step, step + 1), ordered = is_ordered(naive, step);
	uint32_t since;

	if (!use)
		return;
	since = byte->writer ? byte->writer : behind(naive, byte->object->allocated_at);
	if (is_launch) {
		use->used[at] = true;
		use->in_step++;
		use->shared += byte->user && byte->user != step + 1;
		byte->user = step + 1;
	}
	use->written += operation->writes;
	if (ordered && byte->object->event->kind == 1 && !byte->is_open &&
	    !is_hidden(naive, since, step) && (operation->reads_old || operation->writes)) {
		struct flow *flow = flow_of(naive, byte->writer, step, byte->object);

		flow->read += operation->reads_old;
		flow->over += operation->writes;
		flow->same += operation->writes && operation->is_same;
		if (operation->writes && !operation->reads_old && byte->is_unread && !hides)
			use->dead++;
	}
	if (operation->reads_old || operation->reads_own || !ordered)
		byte->is_unread = false;
	if (operation->writes) {
		byte->writer = step + 1;
		byte->is_open = !ordered || hides;
		byte->is_unread = !byte->is_open && !operation->reads_own;
	}
}

static bool is_one_thread(const struct element *a, const struct element *b)
{
	return a->cta == b->cta && a->warp == b->warp && a->lane == b->lane;
}

static bool is_plain(const struct element *e)
{
	return e->what == LOAD || e->what == STORE;
}

/* All stores there are at the place of this one, and memory held their value. */
static bool is_same(struct naive *naive, size_t first, size_t end, const struct element *store)
{
	for (size_t i = first; i < end && store; i++) {
		const struct element *e = &naive->list[i];

		if (is_store(e) && overlaps(e, store) &&
		    (e->what != STORE || !is_same_place(e, store) || naive_held(naive, e) != 1))
			return false;
	}
	return store != NULL;
}

/* Returns the operation of a launch, whose elements are first to end - 1. */
static struct operation operation_of(struct naive *naive, size_t first, size_t end, uint64_t at)
{
	const struct element *one = NULL, *last = NULL;
	const struct element *store = NULL;
	bool is_plain_place = true, loads = false, several = false;
	struct operation operation = {.writes = false};

	for (size_t i = first; i < end; i++) {
		const struct element *e = &naive->list[i];

		if (CT_ADDRESS_SPACE(e->address) != CT_SPACE_GLOBAL ||
		    BASE + at - e->address >= e->bytes)
			continue;
		is_plain_place &= is_plain(e) && (!one || (is_same_place(one, e)));
		loads |= !is_store(e);
		loads |= e->what == EXCHANGE;
		operation.writes |= is_store(e) || e->what == SAME;
		one = one ? one : e;
		store = e->what == STORE ? e : store;
		last = e;
	}
	if (!one)
		return operation;
	for (size_t i = first; i < end && is_plain_place; i++)
		several |=
		    is_same_place(one, &naive->list[i]) && !is_one_thread(one, &naive->list[i]);
	operation.is_same = is_same(naive, first, end, store);
	if (is_plain_place && !several) {
		operation.reads_old = one->what == LOAD;
		operation.reads_own = operation.writes && last->what == LOAD;
	} else {
		operation.reads_old = loads;
		operation.reads_own = loads && operation.writes;
	}
	return operation;
}

/* The bytes that elements first to end are at: of the others there is nothing to ask. */
static void find_touched(const struct naive *naive, size_t first, size_t end, bool touched[BYTES])
{
	memset(touched, 0, BYTES);
	for (size_t i = first; i < end; i++) {
		const struct element *e = &naive->list[i];

		if (CT_ADDRESS_SPACE(e->address) == CT_SPACE_GLOBAL)
			memset(&touched[e->address - BASE], true, e->bytes);
	}
}

void follow_launch(struct naive *naive, uint32_t step, size_t first, size_t end)
{
	static bool touched[BYTES];

	find_objects(naive, step);
	find_touched(naive, first, end, touched);
	for (uint64_t a = 0; a < BYTES; a++) {
		struct operation operation = {.writes = false};

		if (touched[a])
			operation = operation_of(naive, first, end, a);
		if (operation.reads_old || operation.writes)
			apply(naive, step, a, &operation);
	}
	for (size_t i = 0; i < object_count; i++) {
		uses[i].slice = uses[i].in_step > uses[i].slice ? uses[i].in_step : uses[i].slice;
		uses[i].in_step = 0;
	}
}

void follow_memset(struct naive *naive, uint32_t step, uint64_t address, bool is_same)
{
	const struct operation operation = {.writes = true, .is_same = is_same};

	apply(naive, step, address - BASE, &operation);
}

void follow_begin(struct naive *naive)
{
	object_count = ct_trace_objects(naive->trace, &objects);
	uses = calloc(object_count + 1, sizeof(*uses));
}

void follow_step(struct naive *naive, uint32_t step)
{
	find_objects(naive, step);
}

static uint64_t largest_gap(const struct ct_object_info *object, const struct use *use,
			    uint64_t *used)
{
	uint64_t gap = 0, most = 0;

	for (uint64_t i = 0; i < object->event->bytes; i++) {
		bool is_used = use->used[object->event->address - BASE + i];

		*used += is_used;
		gap = is_used ? 0 : gap + 1;
		most = gap > most ? gap : most;
	}
	return most;
}

void follow_end(struct naive *naive)
{
	for (uint64_t a = 0; a < BYTES; a++)
		end_byte(naive, &memory[a]);
	for (size_t i = 0; i < object_count; i++) {
		uint64_t used = 0, gap = largest_gap(&objects[i], &uses[i], &used);
		uint64_t unused = objects[i].event->bytes - used;
		double fragmentation = used && unused ? 1 - (double)gap / (double)unused : 0;

		printf("life %u %llu %llu %llu %llu %llu %.0f\n", objects[i].event->object,
		       (unsigned long long)used, (unsigned long long)uses[i].slice,
		       (unsigned long long)uses[i].shared, (unsigned long long)uses[i].written,
		       (unsigned long long)uses[i].dead, floor(fragmentation * 1e6 + 0.25));
	}
	for (size_t i = 0; i < flow_count; i++)
		printf("flow %s %s %s %llu %llu %llu\n", flows[i].from, flows[i].to,
		       flows[i].object, (unsigned long long)flows[i].read,
		       (unsigned long long)flows[i].over, (unsigned long long)flows[i].same);
	free(flows);
	free(uses);
}
