/* SPDX-License-Identifier: Apache-2.0 */
/* A row of numbers for each stream and each event that is recorded. */
#include "host-rt/watch/order/order.h"
#include "host-rt/watch/ranges/finished.h"
#include <errno.h>

#define EVENTS 16384u /* of more, the first ones are forgotten: nothing is known of them */

struct known {
	uint64_t reached[CT_ORDER_SLOTS];
};

struct slot {
	uint64_t stream;
	int device;
	bool is_blocking;
};

struct event {
	const void *handle; /* NULL: none */
	uint32_t slot;      /* that it was recorded in */
	struct known *known;
};

static struct slot slots[CT_ORDER_SLOTS];
static uint32_t slot_count;
static uint64_t now;
static struct known *streams; /* by slot */
static struct known *snapshots;
static struct event events[EVENTS];

int ct_watch_order_init(void)
{
	streams = ct_finished_memory(CT_ORDER_SLOTS * sizeof(*streams));
	snapshots = ct_finished_memory(EVENTS * sizeof(*snapshots));
	return streams && snapshots ? 0 : -ENOMEM;
}

uint32_t ct_watch_slot(int device, uint64_t stream)
{
	for (uint32_t i = 0; i < slot_count; i++)
		if (slots[i].stream == stream && (stream || slots[i].device == device))
			return i;
	if (slot_count == CT_ORDER_SLOTS)
		return CT_ORDER_SLOTS - 1;
	slots[slot_count] = (struct slot){stream, device, true};
	return slot_count++;
}

void ct_watch_slot_is(uint32_t slot, bool is_blocking)
{
	slots[slot].is_blocking = is_blocking;
}

int ct_watch_slot_device(uint32_t slot)
{
	return slots[slot].device;
}

uint32_t ct_watch_slots(void)
{
	return slot_count;
}

static void learn(struct known *known, const struct known *more)
{
	for (uint32_t i = 0; i < slot_count; i++)
		if (more->reached[i] > known->reached[i])
			known->reached[i] = more->reached[i];
}

/* The legacy stream of a device waits for those that block, and they for it. */
static void meet_legacy(uint32_t slot)
{
	bool is_legacy = !slots[slot].stream;

	if (!slots[slot].is_blocking)
		return;
	for (uint32_t i = 0; i < slot_count; i++)
		if (i != slot && slots[i].is_blocking && slots[i].device == slots[slot].device &&
		    (is_legacy || !slots[i].stream))
			learn(&streams[slot], &streams[i]);
}

uint64_t ct_watch_order_work(uint32_t slot)
{
	meet_legacy(slot);
	streams[slot].reached[slot] = ++now;
	return now;
}

uint64_t ct_watch_order_now(void)
{
	return now;
}

static struct event *find(const void *handle, bool makes)
{
	uint32_t first = (uint32_t)((uintptr_t)handle * 0x9e3779b97f4a7c15ull >> 50) % EVENTS;
	struct event *unused = NULL;

	for (uint32_t i = 0; i < 16; i++) {
		struct event *event = &events[(first + i) % EVENTS];

		if (event->handle == handle)
			return event;
		if (!event->handle && !unused)
			unused = event;
	}
	if (!makes)
		return NULL;
	if (!unused)
		unused = &events[first];
	unused->handle = handle;
	unused->known = &snapshots[unused - events];
	return unused;
}

void ct_watch_order_record(uint32_t slot, const void *handle)
{
	struct event *event = find(handle, true);

	meet_legacy(slot);
	event->slot = slot;
	*event->known = streams[slot];
}

void ct_watch_order_wait(uint32_t slot, const void *handle)
{
	const struct event *event = find(handle, false);

	if (event)
		learn(&streams[slot], event->known);
}

void ct_watch_order_drop(const void *handle)
{
	struct event *event = find(handle, false);

	if (event)
		event->handle = NULL;
}

const uint64_t *ct_watch_order_of_stream(uint32_t slot)
{
	meet_legacy(slot);
	return streams[slot].reached;
}

const uint64_t *ct_watch_order_of_event(const void *handle)
{
	const struct event *event = find(handle, false);

	return event ? event->known->reached : NULL;
}

uint64_t ct_watch_order_point(const void *handle, uint32_t *slot)
{
	const struct event *event = find(handle, false);

	*slot = event ? event->slot : 0;
	return event ? event->known->reached[event->slot] : 0;
}
