/* SPDX-License-Identifier: Apache-2.0 */
/* The last accesses of bytes by steps that run beside others. */
#include "postproc/analysis/check/unordered.h"
#include "postproc/analysis/check/memory.h"
#include "postproc/facts/lanes.h"
#include "postproc/facts/locate.h"
#include "postproc/facts/operation.h"

#include "base/array.h"
#include <errno.h>
#include <stdlib.h>

#define PAGE_BYTES 1024u
#define WINDOW 256u          /* steps that are held against each one */
#define STEPS_MAX (1u << 20) /* of more nothing is looked at */

/* The accesses of a byte: number in `by`, from 1; 0: there is none. */
struct page {
	uint32_t store[PAGE_BYTES], load[PAGE_BYTES];
};

/* A warp's access of a site in a step, the first of these. */
struct by {
	const struct ct_launch_info *launch;
	const struct ct_unit *unit;
	uint64_t cta;
	uint32_t step, site, warp, lane;
};

struct ct_check_unordered {
	struct ct_check_owners *owners;
	const struct ct_trace *trace;
	const struct ct_check_steps *steps;
	const struct ct_superstep *step;
	size_t step_count;
	struct ct_check_causes *causes;
	const struct ct_object_info *first_object;
	uint8_t *is_beside;   /* by step: another one may run at the same time; NULL: none does */
	struct ct_map pages;  /* key: object, number of the page */
	struct ct_map number; /* of by, from 1; key: step, unit and site */
	const struct ct_unit *first_unit;
	struct by *by;
	size_t count;
	struct ct_map strong;   /* key: step: the kernel executes accesses that may order */
	struct ct_map reported; /* key: the two of by, or one and a transfer */
	struct ct_check_cause *found;
	size_t found_count;
	struct ct_locator locator;
	uint64_t left_bytes;
	const struct ct_launch_info *launch; /* of the last access, */
	uint32_t of_launch;                  /* and its step */
};

static bool are_apart(const struct ct_check_unordered *unordered, uint32_t a, uint32_t b)
{
	return a != b && unordered->step[a].part == unordered->step[b].part &&
	       !ct_check_steps_before(unordered->steps, a, b) &&
	       !ct_check_steps_before(unordered->steps, b, a);
}

/* Marks steps that are not ordered with one of those before. */
static int mark(struct ct_check_unordered *unordered)
{
	for (uint32_t t = 1; t < unordered->step_count; t++) {
		uint32_t first = t > WINDOW ? t - WINDOW : 0;

		for (uint32_t s = first; s < t; s++) {
			if (!are_apart(unordered, s, t))
				continue;
			if (!unordered->is_beside)
				unordered->is_beside = calloc(unordered->step_count, 1);
			if (!unordered->is_beside)
				return -ENOMEM;
			unordered->is_beside[s] = unordered->is_beside[t] = 1;
		}
	}
	return 0;
}

int ct_check_unordered_open(struct ct_check_unordered **out, const struct ct_trace *trace,
			    struct ct_check_owners *owners, const struct ct_check_steps *steps,
			    struct ct_check_causes *causes, uint64_t limit_bytes)
{
	struct ct_check_unordered *unordered = calloc(1, sizeof(*unordered));

	*out = unordered;
	if (!unordered)
		return -ENOMEM;
	unordered->trace = unordered->locator.trace = trace;
	unordered->owners = owners;
	unordered->steps = steps;
	unordered->causes = causes;
	unordered->left_bytes = limit_bytes;
	unordered->step_count = ct_check_steps_all(steps, &unordered->step);
	ct_trace_objects(trace, &unordered->first_object);
	ct_trace_units(trace, &unordered->first_unit);
	return unordered->step_count <= STEPS_MAX ? mark(unordered) : 0;
}

void ct_check_unordered_close(struct ct_check_unordered *unordered)
{
	struct ct_map_entry *entry = NULL;

	if (!unordered)
		return;
	while ((entry = ct_map_next(&unordered->pages, entry)))
		free(entry->value.pointer);
	ct_map_fini(&unordered->pages);
	ct_map_fini(&unordered->number);
	ct_map_fini(&unordered->strong);
	ct_map_fini(&unordered->reported);
	free(unordered->is_beside);
	free(unordered->by);
	free(unordered->found);
	free(unordered);
}

/* NULL: memory is short; *is_over: or the limit is reached. */
static struct page *page_of(struct ct_check_unordered *unordered, size_t object, uint64_t number)
{
	union ct_map_value *value = ct_map_put(&unordered->pages, object, number);

	if (value && !value->pointer && unordered->left_bytes >= sizeof(struct page)) {
		value->pointer = calloc(1, sizeof(struct page));
		unordered->left_bytes -= value->pointer ? sizeof(struct page) : 0;
	}
	return value ? value->pointer : NULL;
}

/* Its number in `by`; 0: memory is short. */
static uint32_t number_of(struct ct_check_unordered *unordered, const struct ct_access *access)
{
	uint64_t site = (uint64_t)(access->unit - unordered->first_unit) << 32 | access->site;
	union ct_map_value *number = ct_map_put(&unordered->number, unordered->of_launch, site);

	if (!number)
		return 0;
	if (!number->number) {
		if (ct_array_grow(&unordered->by, unordered->count, sizeof(*unordered->by)) < 0)
			return 0;
		unordered->by[unordered->count++] =
		    (struct by){.launch = access->launch,
				.unit = access->unit,
				.cta = access->cta,
				.step = unordered->of_launch,
				.site = access->site,
				.warp = access->warp,
				.lane = (uint32_t)__builtin_ctz(access->mask)};
		number->number = unordered->count;
	}
	return (uint32_t)number->number;
}

static bool is_store(const struct by *by)
{
	return ct_operation_class(by->unit->sites[by->site].operation) == CT_CLASS_STORE;
}

/* Two launches; the first of them stores. */
static int tell(struct ct_check_unordered *unordered, uint32_t one, uint32_t two,
		const struct ct_object_info *object, uint64_t address)
{
	const struct by *a = &unordered->by[one - 1], *b = &unordered->by[two - 1];
	const struct by *store = is_store(a) && (!is_store(b) || a->step < b->step) ? a : b;
	const struct by *other = store == a ? b : a;
	union ct_map_value *reported =
	    ct_map_put(&unordered->reported, store - unordered->by, other - unordered->by);

	if (!reported)
		return -ENOMEM;
	if (reported->number++)
		return 0;
	if (ct_array_grow(&unordered->found, unordered->found_count, sizeof(*unordered->found)) < 0)
		return -ENOMEM;
	unordered->found[unordered->found_count++] = (struct ct_check_cause){
	    .kind = CT_CHECK_RACE,
	    .unit = store->unit,
	    .site = store->site,
	    .launch = store->launch,
	    .cta = store->cta,
	    .warp = store->warp,
	    .lane = CT_CHECK_NO_LANE,
	    .address = address,
	    .bytes = store->unit->sites[store->site].bytes,
	    .object = object,
	    .count = 1,
	    .other = {.unit = other->unit,
		      .site = other->site,
		      .cta = other->cta,
		      .warp = other->warp,
		      .launch = other->launch,
		      .who = "launches that may run at the same time"},
	    .fix = "Order them: launch both in one stream, or let the second one's stream wait for "
		   "an event behind the first.",
	};
	return 0;
}

/* Whether number, if it is somebody, is of a step that is not ordered with this one. */
static bool is_rival(const struct ct_check_unordered *unordered, uint32_t number, uint32_t step)
{
	return number && are_apart(unordered, unordered->by[number - 1].step, step);
}

static int add_lane(struct ct_check_unordered *unordered, const struct ct_access *access,
		    uint32_t lane, uint32_t number, bool stores)
{
	uint64_t address = access->address[lane], bytes = ct_lane_bytes(access, lane), offset;
	const struct ct_object_info *object =
	    ct_locate(&unordered->locator, access->launch, address);
	struct page *page = NULL;
	int err = 0;

	if (!object)
		return 0;
	offset = address - object->event->address;
	for (uint64_t i = 0; i < bytes && offset + i < object->event->bytes && err == 0; i++) {
		uint64_t at = (offset + i) % PAGE_BYTES;

		if (!page || !at)
			page = page_of(unordered, (size_t)(object - unordered->first_object),
				       (offset + i) / PAGE_BYTES);
		if (!page)
			return 0;
		if (is_rival(unordered, page->store[at], unordered->of_launch))
			err = tell(unordered, page->store[at], number, object, address + i);
		if (err == 0 && stores && is_rival(unordered, page->load[at], unordered->of_launch))
			err = tell(unordered, number, page->load[at], object, address + i);
		if (stores)
			page->store[at] = number;
		else
			page->load[at] = number;
	}
	return err;
}

static bool is_strong(const struct ct_access *access)
{
	return access->info->flags & CT_SITE_VOLATILE ||
	       ct_operation_class(access->info->operation) == CT_CLASS_ATOMIC;
}

int ct_check_unordered_add(struct ct_check_unordered *unordered, const struct ct_access *access)
{
	uint32_t lanes, number;
	bool stores;
	int err = 0;

	if (!unordered->is_beside || access->launch->error)
		return 0;
	if (unordered->launch != access->launch) {
		unordered->launch = access->launch;
		unordered->of_launch = ct_check_steps_of(unordered->steps, access->launch);
	}
	if (unordered->of_launch == CT_NO_SUPERSTEP || !unordered->is_beside[unordered->of_launch])
		return 0;
	lanes = ct_lanes_in(access, CT_SPACE_GLOBAL);
	if (!lanes)
		return 0;
	if (is_strong(access))
		return ct_map_put(&unordered->strong, unordered->of_launch, 0) ? 0 : -ENOMEM;
	number = number_of(unordered, access);
	if (!number)
		return -ENOMEM;
	stores = ct_operation_class(access->info->operation) == CT_CLASS_STORE;
	for (; lanes && err == 0; lanes &= lanes - 1)
		err = add_lane(unordered, access, (uint32_t)__builtin_ctz(lanes), number, stores);
	return err;
}

/* A launch and a transfer, whose place is the cause's own. */
static int tell_transfer(struct ct_check_unordered *unordered, uint32_t number, uint32_t step,
			 const struct ct_object_info *object, uint64_t address)
{
	const struct by *by = &unordered->by[number - 1];
	union ct_map_value *reported =
	    ct_map_put(&unordered->reported, (uint64_t)1 << 32 | step, number);

	if (!reported)
		return -ENOMEM;
	if (reported->number++)
		return 0;
	if (ct_array_grow(&unordered->found, unordered->found_count, sizeof(*unordered->found)) < 0)
		return -ENOMEM;
	unordered->found[unordered->found_count++] = (struct ct_check_cause){
	    .kind = CT_CHECK_RACE,
	    .unit = by->unit,
	    .site = by->site,
	    .launch = by->launch,
	    .cta = by->cta,
	    .warp = by->warp,
	    .lane = CT_CHECK_NO_LANE,
	    .address = address,
	    .bytes = by->unit->sites[by->site].bytes,
	    .object = object,
	    .count = 1,
	    .transfer = unordered->step[step].transfer,
	    .call = unordered->step[step].transfer->call,
	    .other = {.who = "a launch and a copy that may run at the same time"},
	    .fix = "Order them: copy in the launch's stream, or let one stream wait for an event "
		   "behind the other.",
	};
	return 0;
}

/* A row of a transfer, which reads it or writes it. */
static int hold(struct ct_check_unordered *unordered, uint32_t step, uint64_t address,
		uint64_t width, bool writes)
{
	const struct ct_transfer_info *transfer = unordered->step[step].transfer;
	const struct ct_object_info *object =
	    ct_check_object_at(unordered->owners, transfer->part, address, transfer->event_index);
	int err = 0;

	if (!ct_check_lives(object, transfer->event_index))
		return 0;
	for (uint64_t i = 0; i < width && err == 0; i++) {
		uint64_t offset = address + i - object->event->address;
		const union ct_map_value *value =
		    ct_map_find(&unordered->pages, (size_t)(object - unordered->first_object),
				offset / PAGE_BYTES);
		const struct page *page = value ? value->pointer : NULL;

		if (!page) {
			i += PAGE_BYTES - 1 - offset % PAGE_BYTES;
			continue;
		}
		if (is_rival(unordered, page->store[offset % PAGE_BYTES], step))
			err = tell_transfer(unordered, page->store[offset % PAGE_BYTES], step,
					    object, address + i);
		if (err == 0 && writes &&
		    is_rival(unordered, page->load[offset % PAGE_BYTES], step))
			err = tell_transfer(unordered, page->load[offset % PAGE_BYTES], step,
					    object, address + i);
	}
	return err;
}

static int hold_transfer(struct ct_check_unordered *unordered, uint32_t step)
{
	const struct ct_event_transfer *event = unordered->step[step].transfer->event;
	int err = 0;

	for (uint64_t z = 0; z < event->depth && err == 0; z++)
		for (uint64_t y = 0; y < event->height && err == 0; y++) {
			err = hold(unordered, step,
				   event->target + z * event->target_slice + y * event->target_row,
				   event->width, true);
			if (err == 0 && event->kind == CT_TRANSFER_COPY)
				err = hold(unordered, step,
					   event->source + z * event->source_slice +
					       y * event->source_row,
					   event->width, false);
		}
	return err;
}

static bool may_wait(const struct ct_check_unordered *unordered,
		     const struct ct_launch_info *launch)
{
	return launch &&
	       ct_map_find(&unordered->strong, ct_check_steps_of(unordered->steps, launch), 0);
}

int ct_check_unordered_end(struct ct_check_unordered *unordered)
{
	int err = 0;

	for (uint32_t t = 0; unordered->is_beside && t < unordered->step_count && err == 0; t++)
		if (unordered->is_beside[t] && unordered->step[t].transfer)
			err = hold_transfer(unordered, t);
	for (size_t i = 0; i < unordered->found_count && err == 0; i++) {
		const struct ct_check_cause *cause = &unordered->found[i];

		if (!may_wait(unordered, cause->launch) &&
		    !may_wait(unordered, cause->other.launch))
			err = ct_check_causes_add(unordered->causes, cause);
	}
	return err;
}
