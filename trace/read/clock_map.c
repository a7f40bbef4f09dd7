/* SPDX-License-Identifier: Apache-2.0 */
/* CLOCK events in the order of their times, and what lies between two of them. */
#include "trace/read/clock_map.h"
#include <errno.h>
#include <stdlib.h>

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_time(const void *a, const void *b)
{
	const struct ct_event_clock *x = *(const struct ct_event_clock *const *)a;
	const struct ct_event_clock *y = *(const struct ct_event_clock *const *)b;
	int order = compare(x->device, y->device);

	return order ? order : compare(x->device_ns, y->device_ns);
}

int ct_clock_map_init(struct ct_clock_map *map, const struct ct_trace *trace, uint32_t part)
{
	const struct ct_host_event *events;
	size_t count = ct_trace_events(trace, CT_EVENT_CLOCK, &events);

	map->count = 0;
	map->list = calloc(count + 1, sizeof(*map->list));
	if (!map->list)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		if (events[i].part == part)
			map->list[map->count++] = events[i].clock;
	if (map->count)
		qsort(map->list, map->count, sizeof(*map->list), by_time);
	return 0;
}

void ct_clock_map_fini(struct ct_clock_map *map)
{
	free(map->list);
	*map = (struct ct_clock_map){0};
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* How far the host's clock is ahead, modulo 2^64. */
static uint64_t ahead(const struct ct_event_clock *clock)
{
	return clock->host_ns - clock->device_ns;
}

static uint64_t between(const struct ct_event_clock *from, const struct ct_event_clock *to,
			uint64_t device_ns)
{
	int64_t change = (int64_t)(ahead(to) - ahead(from));
	double part =
	    (double)(device_ns - from->device_ns) / (double)(to->device_ns - from->device_ns);

	return device_ns + ahead(from) + (uint64_t)(int64_t)((double)change * part);
}

uint64_t ct_clock_map_host(const struct ct_clock_map *map, uint32_t device, uint64_t device_ns,
			   uint64_t *error_ns)
{
	const struct ct_event_clock *before = NULL, *after = NULL, *nearest;
	uint64_t unused;

	error_ns = error_ns ? error_ns : &unused;
	*error_ns = UINT64_MAX;
	for (size_t i = 0; i < map->count && !after; i++) {
		if (map->list[i]->device != device)
			continue;
		if (map->list[i]->device_ns <= device_ns)
			before = map->list[i];
		else
			after = map->list[i];
	}
	if (!before && !after)
		return device_ns;
	nearest = before ? before : after;
	*error_ns = before && after ? larger(before->error_ns, after->error_ns) : nearest->error_ns;
	return before && after ? between(before, after, device_ns) : device_ns + ahead(nearest);
}
