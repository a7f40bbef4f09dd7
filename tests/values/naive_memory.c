/* SPDX-License-Identifier: Apache-2.0 */
/* Computes what stores find in memory: byte by byte, launch after launch. */
#include "tests/values/naive.h"

#include <cudatrace/unit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BASE 0x7f0000000000u
#define BYTES (1u << 17) /* from there on: all that random traces access */
#define NOT_KNOWN UINT32_MAX

static struct {
	uint8_t value;
	uint32_t since; /* superstep that it is known from */
} memory[BYTES];

static void forget(uint64_t address, uint64_t bytes)
{
	for (uint64_t i = 0; i < bytes; i++)
		memory[address - BASE + i].since = NOT_KNOWN;
}

static void learn(const struct element *e, uint32_t step)
{
	for (uint32_t i = 0; i < e->bytes; i++) {
		memory[e->address - BASE + i].value = (uint8_t)(e->value >> 8 * i);
		memory[e->address - BASE + i].since = step;
	}
}

static bool is_opaque(const struct ct_launch_info *launch)
{
	return !(launch->event->flags & 1) || !launch->done || launch->error;
}

static bool is_ordered(const struct naive *naive, uint32_t step)
{
	for (uint32_t s = 0; s < naive->before.steps; s++)
		if (s != step && !before_is(&naive->before, s, step) &&
		    !before_is(&naive->before, step, s))
			return false;
	return true;
}

int naive_held(const struct naive *naive, const struct element *e)
{
	const struct ct_object_info *object =
	    CT_ADDRESS_SPACE(e->address) == CT_SPACE_GLOBAL
		? ct_trace_object_at(naive->trace, e->launch, e->address)
		: NULL;
	bool is_equal = true;

	if (!object || object->event->kind != 1 || !is_ordered(naive, e->step))
		return -1;
	for (uint32_t i = 0; i < e->bytes; i++) {
		uint32_t since = memory[e->address - BASE + i].since;

		if (since == NOT_KNOWN ||
		    before_step(&naive->before, since)->event_index < object->allocated_at)
			return -1;
		for (uint32_t s = since; s <= e->step; s++) {
			const struct ct_launch_info *launch =
			    before_step(&naive->before, s)->launch;

			if (launch && is_opaque(launch))
				return -1;
		}
		is_equal &= memory[e->address - BASE + i].value == (uint8_t)(e->value >> 8 * i);
	}
	return is_equal;
}

/* All threads of the launch did this at e's place. */
struct place {
	bool is_contested, varies, many, is_stored, loads_differ;
	const struct element *first, *last;            /* store */
	const struct element *first_load, *first_open; /* store that is not silent */
	uint64_t stores;
};

static struct place look(const struct naive *naive, size_t first, size_t end,
			 const struct element *e)
{
	struct place p = {.is_contested = false};

	for (size_t i = first; i < end; i++) {
		const struct element *o = &naive->list[i];

		if (CT_ADDRESS_SPACE(e->address) != CT_SPACE_GLOBAL && o->cta != e->cta)
			continue;
		if (is_store(o) && overlaps(o, e) && (o->what != STORE || !is_same_place(o, e)))
			p.is_contested = true;
		if (!is_same_place(o, e))
			continue;
		if (o->what == LOAD) {
			p.loads_differ |= p.first_load && p.first_load->value != o->value;
			p.first_load = p.first_load ? p.first_load : o;
		}
		if (o->what != STORE)
			continue;
		p.varies |= p.first && o->value != p.first->value;
		p.many |= p.first && (o->cta != p.first->cta || o->warp != p.first->warp ||
				      o->lane != p.first->lane);
		p.first = p.first ? p.first : o;
		p.first_open = p.first_open || o->is_silent ? p.first_open : o;
		p.last = o;
		p.stores++;
		p.is_stored = true;
	}
	return p;
}

static bool is_private(const struct element *e)
{
	return CT_ADDRESS_SPACE(e->address) == CT_SPACE_LOCAL;
}

/* A store that the thread itself does not finish. */
static void judge_store(struct naive *naive, const struct element *e, const struct place *p)
{
	struct counts *counts = &naive->site[e->site], then = *counts;
	struct done *done = &naive->done[e->step];
	int before = naive_held(naive, p->first);

	if (is_private(e)) {
		counts->unknown += !e->is_counted;
	} else if (p->is_contested || (p->many && p->varies)) {
		counts->unknown += !e->is_counted;
	} else if (p->many && before == 1) {
		counts->known++;
	} else if (p->many && e != p->first_open) {
		counts->agreed++;
	} else if (p->many || (e == p->first && !e->is_counted)) {
		counts->known += before == 1;
		counts->unknown += before == -1;
	}
	done->redundant += counts->known - then.known + counts->agreed - then.agreed;
	done->unknown += counts->unknown - then.unknown;
}

/* Some load finds another value than was left there. */
static bool is_surprise(const struct naive *naive, const struct element *e, const struct place *p)
{
	int held = naive_held(naive, e);

	return p->first_load == e && !p->is_stored && !p->is_contested &&
	       (held == 0 || (held == 1 && p->loads_differ));
}

static void judge_launch(struct naive *naive, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++) {
		const struct element *e = &naive->list[i];
		struct place p = look(naive, first, end, e);

		if (e->what == STORE && !e->is_silent)
			judge_store(naive, e, &p);
		if (is_private(e))
			continue;
		if (is_surprise(naive, e, &p))
			naive->surprises++;
		if (p.first != e || p.is_contested)
			continue;
		naive->equal += p.varies ? 0 : p.stores - 1;
		naive->candidates += p.varies && p.many ? p.stores : 0;
	}
}

/* Where nothing stores, bytes are known that all loads say the same of. */
static void agree(const struct element *e, struct place p)
{
	for (uint32_t i = 0; i < e->bytes && !p.is_stored && !p.is_contested; i++)
		if (p.loads_differ ||
		    memory[e->address - BASE + i].value != (uint8_t)(e->value >> 8 * i))
			forget(e->address + i, 1);
}

/* Keeps what the launch leaves. */
static void leave(struct naive *naive, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++) {
		const struct element *e = &naive->list[i];
		struct place p = look(naive, first, end, e);

		if (CT_ADDRESS_SPACE(e->address) != CT_SPACE_GLOBAL)
			continue;
		if (e->what == EXCHANGE || e->what == BLIND_STORE) {
			forget(e->address, e->bytes);
		} else if (e->what == STORE) {
			if (p.is_contested || (p.many && p.varies) || !is_ordered(naive, e->step))
				forget(e->address, e->bytes);
			else
				learn(p.last, e->step);
		} else if (e->what == LOAD && !p.is_stored && !p.is_contested) {
			if (p.loads_differ || !is_ordered(naive, e->step))
				forget(e->address, e->bytes);
			else
				learn(p.first_load, e->step);
		}
	}
	for (size_t i = first; i < end; i++)
		if (naive->list[i].what == LOAD &&
		    CT_ADDRESS_SPACE(naive->list[i].address) == CT_SPACE_GLOBAL)
			agree(&naive->list[i], look(naive, first, end, &naive->list[i]));
}

/* The object that the address is in when the transfer runs. */
static const struct ct_object_info *object_of(const struct naive *naive,
					      const struct ct_transfer_info *transfer)
{
	const struct ct_object_info *objects;
	size_t count = ct_trace_objects(naive->trace, &objects);

	for (size_t i = 0; i < count; i++)
		if (transfer->event->target - objects[i].event->address < objects[i].event->bytes &&
		    objects[i].allocated_at < transfer->event_index &&
		    objects[i].freed_at > transfer->event_index)
			return &objects[i];
	return NULL;
}

static bool is_known(const struct naive *naive, uint32_t since, uint32_t step,
		     uint64_t allocated_at)
{
	if (since == NOT_KNOWN || before_step(&naive->before, since)->event_index < allocated_at)
		return false;
	for (uint32_t s = since; s <= step; s++)
		if (before_step(&naive->before, s)->launch &&
		    is_opaque(before_step(&naive->before, s)->launch))
			return false;
	return true;
}

/* Random traces have memsets of one row. */
static void set_memory(struct naive *naive, const struct ct_transfer_info *transfer, uint32_t step)
{
	const struct ct_event_transfer *event = transfer->event;
	const struct ct_object_info *object = object_of(naive, transfer);
	bool is_reported = object->event->kind == 1 && is_ordered(naive, step);
	uint64_t same = 0, unknown = 0;

	for (uint64_t i = 0; i < event->width; i++) {
		uint64_t at = event->target - BASE + i;
		uint8_t byte = event->value_bytes
				   ? (uint8_t)(event->value >> 8 * (i % event->value_bytes))
				   : 0;

		if (!event->value_bytes || !is_reported ||
		    !is_known(naive, memory[at].since, step, object->allocated_at))
			unknown++;
		else
			same += memory[at].value == byte;
		follow_memset(naive, step, event->target + i,
			      event->value_bytes && is_reported &&
				  is_known(naive, memory[at].since, step, object->allocated_at) &&
				  memory[at].value == byte);
		memory[at].value = byte;
		memory[at].since = event->value_bytes && is_ordered(naive, step) ? step : NOT_KNOWN;
	}
	printf("transfer %u %llu %llu\n", event->transfer, (unsigned long long)same,
	       (unsigned long long)unknown);
}

void judge_memory(struct naive *naive)
{
	size_t at = 0;

	forget(BASE, BYTES);
	follow_begin(naive);
	for (uint32_t s = 0; s < naive->before.steps; s++) {
		const struct ct_transfer_info *transfer = before_step(&naive->before, s)->transfer;
		size_t first = at;

		while (at < naive->count && naive->list[at].step == s)
			at++;
		judge_launch(naive, first, at);
		if (transfer)
			follow_step(naive, s);
		else
			follow_launch(naive, s, first, at);
		leave(naive, first, at);
		if (transfer)
			set_memory(naive, transfer, s);
	}
	follow_end(naive);
}
