/* SPDX-License-Identifier: Apache-2.0 */
/* What makes a site and an object "the same" in two traces of one program. */
#include "match.h"
#include "counters.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a */
static uint64_t hash_text(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return hash;
}

static uint64_t combine(uint64_t hash, uint64_t number)
{
	hash ^= (number + 1) * 0x9e3779b97f4a7c15u;
	hash *= 0xff51afd7ed558ccdu;
	return hash ^ hash >> 32;
}

static int key_sites(struct ct_match *match, size_t unit_count)
{
	size_t sites = 0;

	for (size_t u = 0; u < unit_count; u++) {
		match->first_site[u] = sites;
		sites += match->units[u].header->site_count;
	}
	match->site_key = calloc(sites + 1, sizeof(*match->site_key));
	if (!match->site_key)
		return -ENOMEM;
	for (size_t u = 0; u < unit_count; u++) {
		const struct ct_unit *unit = &match->units[u];
		struct ct_counters place = {.used = 0};

		for (uint32_t s = 0; s < unit->header->site_count; s++) {
			const char *function = ct_unit_string(unit, unit->sites[s].function);
			uint64_t name = hash_text(function) >> 1; /* never the key not allowed */
			uint32_t *next = ct_counters_at(&place, name);

			if (!next) {
				ct_counters_fini(&place);
				return -ENOMEM;
			}
			match->site_key[match->first_site[u] + s] = combine(name, (*next)++);
		}
		ct_counters_fini(&place);
	}
	return 0;
}

static int key_objects(struct ct_match *match, size_t count)
{
	struct ct_counters place = {.used = 0};

	match->object_key = calloc(count + 1, sizeof(*match->object_key));
	if (!match->object_key)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const struct ct_object_info *object = &match->objects[i];
		uint64_t key = combine(object->part, object->event->kind == CT_OBJECT_VARIABLE);
		uint32_t *next = ct_counters_at(&place, object->part);

		if (!next) {
			ct_counters_fini(&place);
			return -ENOMEM;
		}
		if (object->event->kind == CT_OBJECT_VARIABLE)
			key = combine(key, hash_text(object->name));
		else
			key = combine(key, (*next)++);
		match->object_key[i] = key ? key : 1;
	}
	ct_counters_fini(&place);
	return 0;
}

int ct_match_init(struct ct_match *match, const struct ct_trace *trace)
{
	size_t unit_count, object_count;
	int err = -ENOMEM;

	memset(match, 0, sizeof(*match));
	match->locator.trace = trace;
	unit_count = ct_trace_units(trace, &match->units);
	object_count = ct_trace_objects(trace, &match->objects);
	match->first_site = calloc(unit_count + 1, sizeof(*match->first_site));
	if (match->first_site)
		err = key_sites(match, unit_count);
	if (err == 0)
		err = key_objects(match, object_count);
	if (err < 0)
		ct_match_fini(match);
	return err;
}

void ct_match_fini(struct ct_match *match)
{
	free(match->first_site);
	free(match->site_key);
	free(match->object_key);
	memset(match, 0, sizeof(*match));
}

void ct_match_event(struct ct_match *match, const struct ct_access *access, uint32_t lane,
		    struct ct_match_event *event)
{
	uint64_t address = access->address[lane];
	size_t unit = (size_t)(access->unit - match->units);

	event->unit = access->unit;
	event->site = access->info;
	event->site_key = match->site_key[match->first_site[unit] + access->site];
	event->object = ct_locate(&match->locator, access->launch, address);
	event->object_key = event->object ? match->object_key[event->object - match->objects] : 0;
	event->offset = event->object ? address - event->object->event->address : address;
}

int ct_match_same(const struct ct_match_event *a, const struct ct_match_event *b)
{
	return a->site_key == b->site_key && a->site->operation == b->site->operation &&
	       a->site->bytes == b->site->bytes && a->object_key == b->object_key &&
	       (!a->object_key || a->offset == b->offset);
}
