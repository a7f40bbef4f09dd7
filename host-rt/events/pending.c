/* SPDX-License-Identifier: Apache-2.0 */
/* Launches in flight. */
#include "host-rt/events/pending.h"
#include "host-rt/events/events.h"
#include <stdlib.h>

struct pending {
	uint32_t launch;
	int device;
	uint64_t stream;
	uint64_t number; /* how many had been added with it */
};

/* Lists by stream: waiting for one of many shall not look at what is in the others. */
struct pending_list {
	struct pending *entries;
	size_t count, room;
};

#define LISTS 256u

static struct pending_list lists[LISTS];
static uint64_t added, ended; /* launches */
static uint64_t succeeded;    /* atomic */

static struct pending_list *list_of(uint64_t stream)
{
	return &lists[stream % LISTS];
}

/* Out of memory, a launch simply stays without its LAUNCH_DONE. */
void ct_pending_add(uint32_t launch, int device, uint64_t stream)
{
	struct pending_list *list = list_of(stream);

	if (list->count == list->room) {
		size_t more = list->room ? 2 * list->room : 64;
		struct pending *grown = realloc(list->entries, more * sizeof(*grown));

		if (!grown)
			return;
		list->entries = grown;
		list->room = more;
	}
	list->entries[list->count++] = (struct pending){launch, device, stream, ++added};
}

static void write_done(uint32_t launch, int error)
{
	struct ct_event_launch_done event = {.launch = launch, .error = error};

	ended++;
	if (error == 0)
		__atomic_store_n(&succeeded, succeeded + 1, __ATOMIC_RELAXED);
	ct_events_write(ct_event_launch_done_header(&event));
}

static void end_list(struct pending_list *list, int device, uint64_t stream, uint64_t until,
		     int error)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		const struct pending *entry = &list->entries[i];

		if (entry->device == device && entry->number <= until &&
		    (stream == CT_ANY_STREAM || entry->stream == stream))
			write_done(entry->launch, error);
		else
			list->entries[kept++] = *entry;
	}
	list->count = kept;
}

void ct_pending_done(int device, uint64_t stream, int error)
{
	if (stream != CT_ANY_STREAM)
		end_list(list_of(stream), device, stream, UINT64_MAX, error);
	else
		for (size_t i = 0; i < LISTS; i++)
			end_list(&lists[i], device, stream, UINT64_MAX, error);
}

uint64_t ct_pending_added(void)
{
	return added;
}

void ct_pending_done_until(int device, uint64_t stream, uint64_t until)
{
	end_list(list_of(stream), device, stream, until, 0);
}

uint64_t ct_pending_ended(void)
{
	return ended;
}

uint64_t ct_pending_succeeded(void)
{
	return __atomic_load_n(&succeeded, __ATOMIC_RELAXED);
}

void ct_pending_failed(uint32_t launch, int error)
{
	write_done(launch, error);
}
