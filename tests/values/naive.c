/* SPDX-License-Identifier: Apache-2.0 */
/* values-naive TRACE: prints what is redundant, a line for each site, and sums. */
#include "tests/values/naive.h"
#include "base/array.h"
#include "postproc/facts/operation.h"
#include "postproc/facts/values.h"

#include <cudatrace/unit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ADD = 3, EXCH = 5, CAS = 10, BULK_LOAD = 27, REDUCE = 29 }; /* operations.def */
enum { CONTENT = 16, UNKNOWN_SCALAR = 0 };

#define RANGE_MAX 4096u

static struct ct_access held;
static uint64_t address_of[CT_WARP_LANES];
static struct ct_values values;
static uint64_t range_of[CT_WARP_LANES];
static uint8_t moved[CT_WARP_LANES][RANGE_MAX];
static uint64_t reported[CT_WARP_LANES]; /* bytes of them */
static bool is_held, has_range;
static uint32_t records;

static void must(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "values-naive: %s\n", what);
	exit(1);
}

static void add_element(struct naive *naive, struct element e)
{
	must(ct_array_reserve(&naive->list, &naive->room, naive->count + 1, sizeof(*naive->list)) ==
		 0,
	     "out of memory");
	naive->list[naive->count++] = e;
}

static uint64_t part_of(enum ct_role role, uint32_t lane, uint32_t from, uint32_t bytes)
{
	uint64_t value = 0;

	memcpy(&value, values.data[role][lane] + from, bytes);
	return value;
}

/* The atomics that random traces have, of integers of 4 bytes. */
static enum what atomic_what(uint32_t lane, uint64_t *left)
{
	uint32_t operand = (uint32_t)part_of(CT_ROLE_VALUE, lane, 0, 4);
	uint32_t compare = (uint32_t)part_of(CT_ROLE_COMPARE, lane, 0, 4);
	uint32_t old = (uint32_t)part_of(CT_ROLE_RETURNED, lane, 0, 4), new = operand;

	if (!(values.mask[CT_ROLE_VALUE] >> lane & 1) ||
	    (held.info->operation == CAS && !(values.mask[CT_ROLE_COMPARE] >> lane & 1)))
		return BLIND_STORE;
	if (!(values.mask[CT_ROLE_RETURNED] >> lane & 1))
		return held.info->operation == ADD && !operand ? SAME : BLIND_STORE;
	if (held.info->operation == ADD)
		new = old + operand;
	if (held.info->operation == CAS)
		new = old == compare ? operand : old;
	*left = new;
	return new == old ? SAME : EXCHANGE;
}

static void add_lane(struct naive *naive, uint32_t lane, uint32_t part)
{
	const struct ct_unit_site *site = held.info;
	uint32_t bytes = site->bytes / site->vector_length;
	struct element e = {
	    .step = before_step_of(&naive->before, held.launch),
	    .cta = held.cta,
	    .warp = held.warp,
	    .lane = lane,
	    .record = records,
	    .part = part,
	    .address = address_of[lane] + part * bytes,
	    .bytes = bytes,
	    .launch = held.launch,
	    .unit = held.unit,
	    .site = held.site,
	    .scalar = site->scalar,
	};
	bool is_reported = values.mask[CT_ROLE_VALUE] >> lane & 1;

	e.value = part_of(CT_ROLE_VALUE, lane, part * bytes, bytes);
	if (site->operation >= ADD)
		e.what = atomic_what(lane, &e.value);
	else if (site->operation == CT_KIND_LOAD)
		e.what = is_reported ? LOAD : BLIND_LOAD;
	else
		e.what = is_reported ? STORE : BLIND_STORE;
	add_element(naive, e);
}

/* Adds the elements of a range as far as its bytes are reported, of the site's type or 4 bytes of
 * none; behind them bytes. */
static void add_range(struct naive *naive, uint32_t lane)
{
	bool is_typed = held.info->scalar_bits > 8;
	/* Within shared memory it is where the copy writes, and what was there before. */
	bool is_target = held.info->operation == BULK_LOAD &&
			 CT_ADDRESS_SPACE(address_of[lane]) == CT_SPACE_SHARED;
	bool is_reported = held.info->operation != REDUCE && !is_target;
	enum ct_class class = ct_operation_class(held.info->operation);
	struct element e = {
	    .step = before_step_of(&naive->before, held.launch),
	    .cta = held.cta,
	    .warp = held.warp,
	    .lane = lane,
	    .record = records,
	    .what = class == CT_CLASS_LOAD ? LOAD : STORE,
	    .address = address_of[lane],
	    .bytes = is_typed ? held.info->scalar_bits / 8u : 4u,
	    .launch = held.launch,
	    .unit = held.unit,
	    .site = held.site,
	    .scalar = is_typed ? held.info->scalar : UNKNOWN_SCALAR,
	};
	const uint64_t end = e.address + range_of[lane];
	uint64_t at = 0;

	for (; is_reported && at + e.bytes <= reported[lane]; at += e.bytes) {
		memcpy(&e.value, moved[lane] + at, e.bytes);
		add_element(naive, e);
		e.address += e.bytes;
		e.part++;
	}
	e.what = class == CT_CLASS_LOAD && !is_target ? BLIND_LOAD : BLIND_STORE;
	e.is_unseen = true;
	e.value = 0;
	for (e.bytes = 1; e.address < end; e.address++)
		add_element(naive, e);
}

/* Lanes of a record act at once: their order decides no more than who is said to be the first, and
 * those whose value is not reported come last. */
static void release(struct naive *naive)
{
	if (!is_held)
		return;
	is_held = false;
	records++;
	for (uint32_t rest = has_range ? held.mask : 0; rest; rest &= rest - 1)
		add_range(naive, (uint32_t)__builtin_ctz(rest));
	if (has_range)
		return;
	for (uint32_t part = 0; part < held.info->vector_length; part++)
		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
			if (held.mask >> lane & 1)
				add_lane(naive, lane, part);
}

static int take_access(void *user, const struct ct_access *access)
{
	release(user);
	held = *access;
	memcpy(address_of, access->address, sizeof(address_of));
	has_range = access->range != NULL;
	if (has_range)
		memcpy(range_of, access->range, sizeof(range_of));
	memset(reported, 0, sizeof(reported));
	ct_values_clear(&values);
	is_held = true;
	return 0;
}

static int take_value(void *user, const struct ct_value *value)
{
	(void)user;
	ct_values_add(&values, value);
	for (uint32_t rest = value->part == CONTENT ? value->at->mask : 0; rest; rest &= rest - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);
		uint64_t end = value->offset + value->bytes;

		must(range_of[lane] <= RANGE_MAX, "a range is too long");
		end = end < range_of[lane] ? end : range_of[lane];
		if (value->offset < end)
			memcpy(moved[lane] + value->offset, value->data[lane], end - value->offset);
		reported[lane] = end;
	}
	return 0;
}

static int in_order(const void *a, const void *b)
{
	const struct element *x = a, *y = b;

	if (x->step != y->step)
		return x->step < y->step ? -1 : 1;
	if (x->cta != y->cta)
		return x->cta < y->cta ? -1 : 1;
	if (x->warp != y->warp)
		return x->warp < y->warp ? -1 : 1;
	if (x->record != y->record)
		return x->record < y->record ? -1 : 1;
	if (x->what != y->what)
		return x->what < y->what ? -1 : 1;
	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	return (x->lane > y->lane) - (x->lane < y->lane);
}

static bool is_same_warp(const struct element *a, const struct element *b)
{
	return a->step == b->step && a->cta == b->cta && a->warp == b->warp;
}

static bool is_private(const struct element *e)
{
	return CT_ADDRESS_SPACE(e->address) == CT_SPACE_LOCAL;
}

/* Other memory than global is a CTA's. */
static bool shares_memory(const struct element *a, const struct element *b)
{
	return a->step == b->step &&
	       (CT_ADDRESS_SPACE(a->address) == CT_SPACE_GLOBAL || a->cta == b->cta);
}

/* A store of the launch before e that overlaps it elsewhere than at its own place, or blindly. */
static bool is_covered(const struct naive *naive, size_t i)
{
	const struct element *e = &naive->list[i];

	for (size_t j = i; j-- > 0 && naive->list[j].step == e->step;) {
		const struct element *o = &naive->list[j];

		if (is_store(o) && shares_memory(o, e) && overlaps(o, e) &&
		    (o->what != STORE || !is_same_place(o, e)))
			return true;
	}
	return false;
}

/* Accesses of the thread before e at its place. */
static void judge_own(struct naive *naive, size_t i)
{
	struct element *e = &naive->list[i];
	struct counts *counts = &naive->site[e->site];
	struct done *done = &naive->done[e->step];
	bool is_stale = false, has_own = false, has_any = false;

	for (size_t j = i; j-- > 0 && is_same_warp(&naive->list[j], e);) {
		const struct element *o = &naive->list[j];

		is_stale |= o->what != STORE && is_store(o) && overlaps(o, e) && !is_private(e);
		if (o->lane != e->lane || !is_same_place(o, e) ||
		    (o->what != LOAD && o->what != STORE))
			continue;
		if (!has_any && !is_stale && e->what == STORE) {
			e->is_silent = o->value == e->value;
			e->is_counted = o->value != e->value; /* it has changed memory, at least
								 by what the thread knows */
		}
		has_any = true;
		if (!has_own && o->what == e->what) {
			counts->temporal += o->value == e->value;
			if (e->what == LOAD) {
				done->temporal += o->value == e->value;
				counts->own += o->value == e->value;
			}
			has_own = true;
		}
	}
	if (e->what == STORE && !is_private(e) && is_covered(naive, i))
		e->is_silent = e->is_counted = false;
	if (e->is_unseen)
		return;
	counts->own += e->is_silent || e->what == SAME;
	counts->elements++;
	*(e->what == LOAD || e->what == BLIND_LOAD ? &done->loads : &done->stores) += 1;
	done->redundant += e->is_silent || e->what == SAME;
	done->unreported += e->what == BLIND_LOAD || e->what == BLIND_STORE;
	counts->unreported += e->what == BLIND_LOAD || e->what == BLIND_STORE;
}

static void print_sites(const struct naive *naive)
{
	const struct ct_unit *units;

	ct_trace_units(naive->trace, &units);
	for (uint32_t s = 0; s < units[0].header->site_count; s++) {
		const struct counts *c = &naive->site[s];

		if (c->elements)
			printf("site %u %llu %llu %llu %llu %llu %llu %llu\n",
			       units[0].sites[s].line, (unsigned long long)c->elements,
			       (unsigned long long)c->temporal, (unsigned long long)c->own,
			       (unsigned long long)c->known, (unsigned long long)c->agreed,
			       (unsigned long long)c->unknown, (unsigned long long)c->unreported);
	}
	printf("cells %llu %llu %llu\n", (unsigned long long)naive->equal,
	       (unsigned long long)naive->candidates, (unsigned long long)naive->surprises);
}

static void print_launches(const struct naive *naive)
{
	for (uint32_t s = 0; s < naive->before.steps; s++) {
		const struct done *d = &naive->done[s];

		if (d->loads || d->stores)
			printf("launch %u %llu %llu %llu %llu %llu %llu\n",
			       before_step(&naive->before, s)->launch->event->launch,
			       (unsigned long long)d->loads, (unsigned long long)d->temporal,
			       (unsigned long long)d->stores, (unsigned long long)d->redundant,
			       (unsigned long long)d->unknown, (unsigned long long)d->unreported);
	}
}

int main(int argc, char **argv)
{
	struct naive naive = {.count = 0};
	const struct ct_scan scan = {.access = take_access, .value = take_value, .user = &naive};
	char why[512];

	must(argc == 2, "usage: values-naive TRACE");
	must(ct_trace_open(&naive.trace, argv[1], why, sizeof(why)) == 0, why);
	before_init(&naive.before, naive.trace);
	naive.site = calloc(256, sizeof(*naive.site));
	naive.done = calloc(naive.before.steps + 1, sizeof(*naive.done));
	must(naive.site && naive.done && ct_trace_scan(naive.trace, &scan, NULL) == 0,
	     "cannot read the records");
	release(&naive);
	if (naive.count)
		qsort(naive.list, naive.count, sizeof(*naive.list), in_order);
	for (size_t i = 0; i < naive.count; i++)
		judge_own(&naive, i);
	judge_memory(&naive);
	print_sites(&naive);
	print_launches(&naive);
	print_sets(&naive);
	free(naive.list);
	free(naive.site);
	free(naive.done);
	before_fini(&naive.before);
	ct_trace_close(naive.trace);
	return 0;
}
