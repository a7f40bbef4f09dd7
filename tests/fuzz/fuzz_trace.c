/* SPDX-License-Identifier: Apache-2.0 */
/* A whole trace, as scratch_trace takes it apart. */
#include "tests/fuzz/scratch.h"
#include "trace/read/scanner.h"

#include <stdlib.h>

/* Loops may stand for any number of accesses. */
#define ACCESSES_MOST 5000u

struct user {
	struct ct_trace *trace;
	unsigned accesses;
};

static void check(const struct ct_access *access)
{
	if (!access->mask || access->site >= access->unit->header->site_count ||
	    access->info != &access->unit->sites[access->site])
		abort();
	for (uint32_t i = 0; i < access->depth; i++)
		if (access->path[i].site >= access->path[i].unit->header->site_count)
			abort();
}

static int on_access(void *user, const struct ct_access *access)
{
	struct user *at = user;

	check(access);
	ct_trace_object_at(at->trace, access->launch, access->address[__builtin_ctz(access->mask)]);
	return ++at->accesses == ACCESSES_MOST;
}

static int on_event(void *user, const struct ct_event *event)
{
	(void)user;
	check(event->at);
	return 0;
}

static int on_value(void *user, const struct ct_value *value)
{
	(void)user;
	check(value->at);
	if (value->bytes < 1 || value->bytes > CT_VALUE_BYTES_MAX)
		abort();
	return 0;
}

static void use_tables(struct ct_trace *trace)
{
	const struct ct_launch_info *launches;
	const struct ct_object_info *objects;
	size_t launch_count = ct_trace_launches(trace, &launches);
	size_t object_count = ct_trace_objects(trace, &objects);
	const struct ct_transfer_info *transfers;
	const struct ct_host_event *orders;
	size_t transfer_count = ct_trace_transfers(trace, &transfers);
	size_t order_count = ct_trace_events(trace, CT_EVENT_ORDER, &orders);
	char field[16];

	for (size_t i = 0; i < launch_count; i++) {
		if (!launches[i].kernel || !launches[i].reason)
			abort();
		ct_site_field(launches[i].site, 1, field, sizeof(field));
	}
	for (size_t i = 0; i < object_count; i++)
		if (!objects[i].name || objects[i].freed_at < objects[i].allocated_at)
			abort();
	for (size_t i = 0; i < transfer_count; i++)
		if (!transfers[i].call || transfers[i].event->kind > CT_TRANSFER_SET)
			abort();
	for (size_t i = 0; i < order_count; i++)
		if (orders[i].order->kind > CT_ORDER_WAIT)
			abort();
}

static void use_marks(struct ct_trace *trace)
{
	const struct ct_touched_info *touched;
	const struct ct_host_event *regions;
	const struct ct_count_info *counts;
	size_t touched_count = ct_trace_touched(trace, &touched);
	size_t region_count = ct_trace_events(trace, CT_EVENT_REGION, &regions);
	size_t count_count = ct_trace_counts(trace, &counts);

	for (size_t i = 0; i < region_count; i++)
		if (!ct_trace_string(trace, regions[i].part, regions[i].region->name) ||
		    regions[i].region->phase > CT_REGION_RESUME)
			abort();
	for (size_t i = 0; i < count_count; i++)
		if (counts[i].unit && (!counts[i].launch ||
				       counts[i].event->site >= counts[i].unit->header->site_count))
			abort();
	for (size_t i = 0; i < touched_count; i++)
		if (touched[i].object &&
		    touched[i].object->event->object != touched[i].event->object)
			abort();
}

static unsigned scan_once(struct ct_trace *trace, struct ct_scan *scan)
{
	struct user user = {.trace = trace};

	scan->user = &user;
	return ct_trace_scan(trace, scan, NULL) < 0 ? ACCESSES_MOST : user.accesses;
}

#define OWNERS 2u

struct owner {
	struct user user;
	struct ct_scan scan;
	struct ct_scanner *scanner;
};

static void open_owner(struct owner *owner, const struct ct_trace *trace,
		       const struct ct_scan *scan, uint32_t number)
{
	*owner = (struct owner){.scan = *scan};
	owner->scan.user = &owner->user;
	if (ct_trace_view(&owner->user.trace, trace) < 0 ||
	    ct_scanner_open(&owner->scanner, owner->user.trace, &owner->scan, OWNERS, number) < 0)
		abort();
}

/* The warps divided, as a pass of several threads does it: one loads a chunk, all take theirs. */
static unsigned scan_by_owners(struct ct_trace *trace, const struct ct_scan *scan)
{
	size_t count = ct_trace_record_chunks(trace);
	struct owner owner[OWNERS];
	struct ct_loaded *loaded;
	unsigned accesses = 0;
	int err = 0;

	if (ct_loaded_open(&loaded) < 0)
		abort();
	for (uint32_t i = 0; i < OWNERS; i++)
		open_owner(&owner[i], trace, scan, i);
	for (size_t chunk = 0; chunk < count && err == 0; chunk++) {
		err = ct_scanner_load(owner[chunk % OWNERS].scanner, chunk, loaded);
		for (uint32_t i = 0; i < OWNERS && err == 0; i++)
			err = ct_scanner_take(owner[i].scanner, loaded);
	}
	for (uint32_t i = 0; i < OWNERS; i++) {
		if (err == 0)
			err = ct_scanner_end(owner[i].scanner);
		accesses += owner[i].user.accesses;
		ct_scanner_close(owner[i].scanner);
		ct_trace_close(owner[i].user.trace);
	}
	ct_loaded_close(loaded);
	return err ? ACCESSES_MOST : accesses;
}

/* Owners have together what one scan has, unless it is cut short. */
static void scan_both_ways(struct ct_trace *trace, struct ct_scan *scan)
{
	unsigned one = scan_once(trace, scan), all = scan_by_owners(trace, scan);

	if (one < ACCESSES_MOST && all < ACCESSES_MOST && one != all)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ct_scan scan = {.access = on_access};
	struct ct_trace *trace;
	char why[256];

	if (scratch_trace(data, size) < 0)
		return -1;
	if (ct_trace_open(&trace, scratch_directory(), why, sizeof(why)) < 0)
		return 0;
	use_tables(trace);
	use_marks(trace);
	scan_once(trace, &scan);
	scan.event = on_event;
	scan.value = on_value;
	scan.paths = CT_SCAN_BY_PATH;
	scan_both_ways(trace, &scan);
	ct_trace_close(trace);
	return 0;
}
