/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the host asked for, in order, as lines that scripts compare:
 *
 *   host-events [--events] TRACE
 *
 *   launch 1 add stream 0
 *   copy 1 cudaMemcpy host -> #2+16 64 stream 0 waited      #2: the second object
 *   set 2 cudaMemset2D #2+0 24x3 rows 32 stream 1
 *   record 1 stream 2, wait 1 stream 3                      the first event
 *   waited device, waited stream 2, waited event 1
 *   stream 2 non-blocking, stream 2 destroyed
 *
 *   host-events --sites TRACE      where objects and launches were made
 *
 *   object device 64 data freed    its kind, its bytes, the variable that the program names
 *   launch add by add              the expression that names the kernel; nowhere: not known
 */
#include "trace/read/reader.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { LAUNCH, TRANSFER, ORDER, STREAM, KINDS };

/* The next of each kind. */
struct cursor {
	const struct ct_trace *trace;
	const struct ct_launch_info *launches;
	const struct ct_transfer_info *transfers;
	const struct ct_host_event *orders;
	const struct ct_host_event *streams;
	size_t count[KINDS], next[KINDS];
};

static uint64_t position(const struct cursor *c, enum kind kind)
{
	size_t i = c->next[kind];

	if (i == c->count[kind])
		return UINT64_MAX;
	switch (kind) {
	case LAUNCH:
		return c->launches[i].event_index;
	case TRANSFER:
		return c->transfers[i].event_index;
	case ORDER:
		return c->orders[i].index;
	default:
		return c->streams[i].index;
	}
}

/* Variables are known from the first traced launch on, but live from the start. */
static void print_address(const struct ct_trace *trace, uint64_t address, uint64_t when)
{
	const struct ct_object_info *objects;
	size_t count = ct_trace_objects(trace, &objects);

	for (size_t i = 0; i < count; i++) {
		const struct ct_event_alloc *alloc = objects[i].event;
		int is_variable = alloc->kind == CT_OBJECT_VARIABLE;

		if (address - alloc->address >= alloc->bytes ||
		    (!is_variable &&
		     (when < objects[i].allocated_at || when > objects[i].freed_at)))
			continue;
		if (is_variable)
			printf("%s+%" PRIu64, objects[i].name, address - alloc->address);
		else
			printf("#%u+%" PRIu64, alloc->object, address - alloc->address);
		return;
	}
	printf(address ? "host" : "none");
}

static void print_shape(const struct ct_event_transfer *e)
{
	int is_copy = e->kind == CT_TRANSFER_COPY;

	printf(" %" PRIu64, e->width);
	if (e->height == 1 && e->depth == 1)
		return;
	printf("x%" PRIu64, e->height);
	if (e->depth > 1)
		printf("x%" PRIu64, e->depth);
	printf(" rows");
	if (is_copy)
		printf(" %" PRIu64 " ->", e->source_row);
	printf(" %" PRIu64, e->target_row);
	if (e->depth == 1)
		return;
	printf(" slices");
	if (is_copy)
		printf(" %" PRIu64 " ->", e->source_slice);
	printf(" %" PRIu64, e->target_slice);
}

static void print_transfer(const struct ct_trace *trace, const struct ct_transfer_info *transfer)
{
	const struct ct_event_transfer *e = transfer->event;

	printf("%s %u %s ", e->kind == CT_TRANSFER_COPY ? "copy" : "set", e->transfer,
	       transfer->call);
	if (e->kind == CT_TRANSFER_COPY) {
		print_address(trace, e->source, transfer->event_index);
		printf(" -> ");
	}
	print_address(trace, e->target, transfer->event_index);
	print_shape(e);
	printf(" stream %" PRIu64 "%s%s\n", e->stream,
	       e->flags & CT_TRANSFER_WAITED ? " waited" : "",
	       e->flags & CT_TRANSFER_GRAPH ? " graph" : "");
}

static void print_order(const struct ct_event_order *e)
{
	switch (e->kind) {
	case CT_ORDER_DEVICE:
		printf("waited device\n");
		break;
	case CT_ORDER_STREAM:
		printf("waited stream %" PRIu64 "\n", e->stream);
		break;
	case CT_ORDER_EVENT:
		printf("waited event %" PRIu64 "\n", e->event);
		break;
	default:
		printf("%s %" PRIu64 " stream %" PRIu64 "\n",
		       e->kind == CT_ORDER_RECORD ? "record" : "wait", e->event, e->stream);
	}
}

static void print_stream(const struct ct_event_stream *e)
{
	printf("stream %" PRIu64 " %s\n", e->stream,
	       e->flags & CT_STREAM_DESTROYED      ? "destroyed"
	       : e->flags & CT_STREAM_NON_BLOCKING ? "non-blocking"
						   : "blocking");
}

static void print_launch(const struct ct_launch_info *launch)
{
	printf("launch %u %.*s stream %" PRIu64 "\n", launch->event->launch,
	       (int)strcspn(launch->kernel, "("), launch->kernel, launch->event->stream);
}

static void print_next(struct cursor *c, enum kind kind)
{
	size_t i = c->next[kind]++;

	if (kind == LAUNCH)
		print_launch(&c->launches[i]);
	else if (kind == TRANSFER)
		print_transfer(c->trace, &c->transfers[i]);
	else if (kind == ORDER)
		print_order(c->orders[i].order);
	else
		print_stream(c->streams[i].stream);
}

/* A field of a site's descriptor (host.h). */
static void print_field(const char *site, int field)
{
	for (; field && *site; field--)
		site += strcspn(site, "\x1f") + 1;
	printf("%.*s", (int)strcspn(site, "\x1f"), site);
}

static void print_sites(const struct ct_trace *trace)
{
	static const char *const kinds[] = {[CT_OBJECT_DEVICE] = "device",
					    [CT_OBJECT_MANAGED] = "managed",
					    [CT_OBJECT_HOST] = "host",
					    [CT_OBJECT_VARIABLE] = "variable"};
	const struct ct_launch_info *launches;
	const struct ct_object_info *objects;
	size_t count = ct_trace_objects(trace, &objects);

	for (size_t i = 0; i < count; i++)
		printf("object %s %" PRIu64 " %s%s\n", kinds[objects[i].event->kind],
		       objects[i].event->bytes, *objects[i].site ? objects[i].name : "nowhere",
		       objects[i].freed_at == UINT64_MAX ? "" : " freed");
	count = ct_trace_launches(trace, &launches);
	for (size_t i = 0; i < count; i++) {
		printf("launch %.*s ", (int)strcspn(launches[i].kernel, "("), launches[i].kernel);
		if (*launches[i].site) {
			printf("by ");
			print_field(launches[i].site, 5);
		} else {
			printf("nowhere");
		}
		printf("\n");
	}
}

static void print_events(const struct ct_trace *trace)
{
	struct cursor c = {.trace = trace};

	c.count[LAUNCH] = ct_trace_launches(trace, &c.launches);
	c.count[TRANSFER] = ct_trace_transfers(trace, &c.transfers);
	c.count[ORDER] = ct_trace_events(trace, CT_EVENT_ORDER, &c.orders);
	c.count[STREAM] = ct_trace_events(trace, CT_EVENT_STREAM, &c.streams);
	for (;;) {
		enum kind first = LAUNCH;

		for (enum kind kind = TRANSFER; kind < KINDS; kind++)
			if (position(&c, kind) < position(&c, first))
				first = kind;
		if (position(&c, first) == UINT64_MAX)
			break;
		print_next(&c, first);
	}
}

int main(int argc, char **argv)
{
	int has_option = argc == 3;
	int sites = has_option && strcmp(argv[1], "--sites") == 0;
	struct ct_trace *trace;
	char why[512] = "give it one trace";

	if (argc - has_option != 2 || (has_option && !sites && strcmp(argv[1], "--events") != 0) ||
	    ct_trace_open(&trace, argv[argc - 1], why, sizeof(why)) < 0) {
		fprintf(stderr, "host-events: %s\n", why);
		return 1;
	}
	if (sites)
		print_sites(trace);
	else
		print_events(trace);
	ct_trace_close(trace);
	return 0;
}
