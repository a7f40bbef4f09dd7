/* SPDX-License-Identifier: Apache-2.0 */
/* Live objects in a hash table by address; guarded by the session's lock. */
#include "host-rt/events/objects.h"
#include "host-rt/base/quiet.h"
#include "host-rt/base/registry.h"
#include "host-rt/calls/call.h"
#include "host-rt/events/events.h"
#include "host-rt/events/session.h"
#include "host-rt/watch/watch.h"
#include <cuda_runtime_api.h>
#include <stdlib.h>

#define BUCKETS 4096u

struct object {
	struct object *next;
	uint64_t address;
	uint64_t bytes;
	uint32_t id;
	enum ct_object_kind kind;
	int device;
};

static struct object *buckets[BUCKETS];
static uint32_t last_id;
static uint64_t version;
static size_t live;

static struct object **bucket_of(uint64_t address)
{
	return &buckets[(address >> 8) * 0x9e3779b97f4a7c15ull >> 52];
}

static void remember(const struct ct_event_alloc *event)
{
	struct object **bucket = bucket_of(event->address), *object = malloc(sizeof(*object));

	if (!object)
		return;
	*object = (struct object){
	    .next = *bucket,
	    .address = event->address,
	    .bytes = event->bytes,
	    .id = event->object,
	    .kind = event->kind,
	    .device = (int)event->device,
	};
	*bucket = object;
	live++;
	version++;
}

static void write_alloc(uint64_t address, uint64_t bytes, enum ct_object_kind kind, int device,
			const char *site, uint32_t stack)
{
	struct ct_event_alloc event = {.address = address,
				       .bytes = bytes,
				       .object = ++last_id,
				       .kind = kind,
				       .device = (uint32_t)device,
				       .stack = stack};

	event.site = ct_events_string(site);
	ct_events_write(ct_event_alloc_header(&event));
	remember(&event);
}

static void write_free(const struct object *object)
{
	const struct ct_call *call = ct_call_innermost;
	struct ct_event_free event = {.address = object->address,
				      .object = object->id,
				      .stack = call && call->log ? call->stack : 0};

	ct_events_write(ct_event_free_header(&event));
	live--;
	version++;
}

static enum ct_watch_memory memory_of(enum ct_object_kind kind)
{
	const struct ct_call *call = ct_call_innermost;

	if (kind == CT_OBJECT_MANAGED)
		return CT_WATCH_MANAGED;
	if (kind != CT_OBJECT_HOST)
		return CT_WATCH_DEVICE_MEMORY;
	return call && (call->number == CT_CALL_cudaHostRegister ||
			call->number == CT_CALL_cuMemHostRegister_v2)
		   ? CT_WATCH_REGISTERED
		   : CT_WATCH_PINNED;
}

void ct_objects_allocated(uint64_t address, uint64_t bytes, enum ct_object_kind kind,
			  const char *site, uint32_t stack)
{
	struct ct_device *device;
	struct ct_quiet quiet;

	ct_call_note_bytes(bytes);
	if (!address || !ct_session_is_active())
		return;
	ct_quiet_begin(&quiet);
	ct_session_lock();
	device = ct_session_is_open() ? ct_device_current() : NULL;
	if (device)
		write_alloc(address, bytes, kind, device->ordinal, site, stack);
	ct_watch_allocated(address, bytes, memory_of(kind));
	ct_session_unlock();
	ct_quiet_end(&quiet);
}

void ct_objects_freed(uint64_t address, unsigned kinds)
{
	struct object **link, *object;
	struct ct_quiet quiet;

	if (!address || !ct_session_is_open())
		return;
	ct_quiet_begin(&quiet);
	ct_session_lock();
	for (link = bucket_of(address); *link && (*link)->address != address;)
		link = &(*link)->next;
	object = *link;
	ct_watch_device_freed(address);
	if (object && kinds >> object->kind & 1 && ct_session_is_open()) {
		*link = object->next;
		write_free(object);
		free(object);
	}
	ct_session_unlock();
	ct_quiet_end(&quiet);
}

void ct_objects_variables(const struct ct_device *device)
{
	static uint32_t contexts[CT_DEVICES_MAX]; /* generations whose variables are announced */
	uint32_t *announced = &contexts[device->ordinal];
	struct ct_registered_variable *variable;
	void *address;

	if (*announced > device->generation)
		return;
	*announced = device->generation + 1;
	for (variable = ct_registry_variables(); variable; variable = variable->next) {
		address = NULL;
		if (cudaGetSymbolAddress(&address, variable->shadow) == cudaSuccess && address)
			write_alloc((uint64_t)(uintptr_t)address, variable->bytes,
				    CT_OBJECT_VARIABLE, device->ordinal, variable->name, 0);
	}
}

uint64_t ct_objects_version(void)
{
	return version;
}

size_t ct_objects_count(void)
{
	return live;
}

void ct_objects_each(void (*each)(void *user, uint64_t address, uint64_t bytes, uint32_t object),
		     void *user)
{
	for (unsigned i = 0; i < BUCKETS; i++)
		for (const struct object *object = buckets[i]; object; object = object->next)
			each(user, object->address, object->bytes, object->id);
}

void ct_objects_forget(const struct ct_device *device)
{
	for (unsigned i = 0; i < BUCKETS; i++) {
		struct object **link = &buckets[i], *object;

		while ((object = *link)) {
			if (object->device != device->ordinal) {
				link = &object->next;
				continue;
			}
			*link = object->next;
			write_free(object);
			free(object);
		}
	}
}
