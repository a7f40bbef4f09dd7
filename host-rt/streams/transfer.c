/* SPDX-License-Identifier: Apache-2.0 */
/* TRANSFER events: where symbols are, whether the host has waited. */
#include "host-rt/streams/transfer.h"
#include "host-rt/base/quiet.h"
#include "host-rt/base/thread.h"
#include "host-rt/calls/call.h"
#include "host-rt/events/device.h"
#include "host-rt/events/events.h"
#include "host-rt/events/refused.h"
#include "host-rt/events/session.h"
#include "host-rt/streams/streams.h"
#include "host-rt/streams/sync.h"
#include "host-rt/watch/host/allocated.h"
#include "host-rt/watch/watch.h"

static uint32_t last_transfer;

static enum cudaMemoryType type_of(uint64_t address)
{
	struct cudaPointerAttributes attributes = {.type = cudaMemoryTypeUnregistered};

	if (!address) /* an array */
		return cudaMemoryTypeDevice;
	if (cudaPointerGetAttributes(&attributes, (const void *)(uintptr_t)address) != cudaSuccess)
		return cudaMemoryTypeUnregistered;
	return attributes.type;
}

static bool is_host(enum cudaMemoryType type)
{
	return type == cudaMemoryTypeUnregistered || type == cudaMemoryTypeHost;
}

/* Managed memory may be on either side: of it nothing is sure. */
enum cudaMemcpyKind ct_transfer_direction(const struct ct_transfer *transfer)
{
	enum cudaMemoryType from, to;

	if (transfer->direction != cudaMemcpyDefault)
		return transfer->direction;
	from = type_of(transfer->event.source);
	to = type_of(transfer->event.target);
	if (from == cudaMemoryTypeManaged || to == cudaMemoryTypeManaged)
		return cudaMemcpyDefault;
	if (is_host(from))
		return is_host(to) ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
	return is_host(to) ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

bool ct_transfer_is_device(uint64_t address)
{
	return type_of(address) == cudaMemoryTypeDevice;
}

bool ct_transfer_is_pageable(uint64_t address)
{
	return type_of(address) == cudaMemoryTypeUnregistered;
}

/* As CUDA documents it ("API synchronization behavior"): a copy from pageable
 * memory returns when its bytes are staged, not when they have arrived. */
static bool has_waited(const struct ct_transfer *transfer, enum cudaMemcpyKind direction)
{
	switch (direction) {
	case cudaMemcpyHostToHost:
		return true;
	case cudaMemcpyDeviceToHost:
		return transfer->is_synchronous || ct_transfer_is_pageable(transfer->event.target);
	case cudaMemcpyHostToDevice:
		return transfer->is_synchronous &&
		       type_of(transfer->event.source) == cudaMemoryTypeHost;
	default:
		return false;
	}
}

static bool add_symbol(const void *symbol, uint64_t *address)
{
	void *start = NULL;

	if (!symbol)
		return true;
	if (cudaGetSymbolAddress(&start, symbol) != cudaSuccess || !start)
		return false;
	*address += ct_transfer_address(start);
	return true;
}

bool ct_transfer_resolve(struct ct_transfer *transfer)
{
	return add_symbol(transfer->to_symbol, &transfer->event.target) &&
	       add_symbol(transfer->from_symbol, &transfer->event.source);
}

/* The call's own words, which a reader of calls has without its event. */
static void note_call(const struct ct_event_transfer *event, enum cudaMemcpyKind direction)
{
	static const uint8_t copies[] = {
	    [cudaMemcpyHostToHost] = CT_COPY_ON_HOST,
	    [cudaMemcpyHostToDevice] = CT_COPY_TO_DEVICE,
	    [cudaMemcpyDeviceToHost] = CT_COPY_TO_HOST,
	    [cudaMemcpyDeviceToDevice] = CT_COPY_ON_DEVICE,
	    [cudaMemcpyDefault] = CT_COPY_NONE,
	};

	ct_call_note_bytes(event->width * event->height * event->depth);
	ct_call_note_stream(event->stream);
	if (ct_call_innermost && event->kind == CT_TRANSFER_COPY)
		ct_call_innermost->copy = copies[direction];
}

void ct_transfer_write(struct ct_event_transfer *event, int device, const char *call)
{
	if (!event->width || !event->height || !event->depth)
		return;
	event->transfer = ++last_transfer;
	event->device = (uint32_t)device;
	event->thread = ct_thread_id();
	event->call = ct_events_string(call);
	ct_events_write(ct_event_transfer_header(event));
}

static struct ct_watch_box box_of(const struct ct_event_transfer *event, bool is_target)
{
	return (struct ct_watch_box){
	    .address = is_target ? event->target : event->source,
	    .width = event->width,
	    .height = event->height,
	    .depth = event->depth,
	    .row = is_target ? event->target_row : event->source_row,
	    .slice = is_target ? event->target_slice : event->source_slice,
	};
}

void ct_transfer_watch(const struct ct_event_transfer *event)
{
	struct ct_watch_box to = box_of(event, true), from = box_of(event, false);
	bool reads = event->kind == CT_TRANSFER_COPY;

	to.is_device = type_of(event->target) == cudaMemoryTypeDevice;
	from.is_device = reads && type_of(event->source) == cudaMemoryTypeDevice;
	ct_watch_asked(&to, reads ? &from : NULL, (int)event->device, event->stream);
}

/* Copies between host and device that are synchronous by their names wait for what is before them
 * in their stream; so do memsets of the host's memory. */
static bool is_wait(const struct ct_transfer *transfer, enum cudaMemcpyKind direction)
{
	if (transfer->event.kind == CT_TRANSFER_SET)
		return transfer->is_synchronous &&
		       type_of(transfer->event.target) != cudaMemoryTypeDevice;
	return transfer->event.flags & CT_TRANSFER_WAITED ||
	       (transfer->is_synchronous && direction != cudaMemcpyDeviceToDevice);
}

static void watch(const struct ct_transfer *transfer, enum cudaMemcpyKind direction)
{
	const struct ct_event_transfer *event = &transfer->event;

	ct_transfer_watch(event);
	if (is_wait(transfer, direction))
		ct_watch_waited(CT_WATCH_STREAM, (int)event->device, event->stream, NULL);
}

/* Who pins pageable memory must know where it comes from. */
static void tell_origin(uint64_t address)
{
	char name[CT_ALLOCATED_NAME_BYTES];
	struct ct_event_host_block event;

	if (type_of(address) != cudaMemoryTypeUnregistered ||
	    !ct_allocated_find(address, &event, name))
		return;
	event.name = ct_events_string(name);
	ct_events_write(ct_event_host_block_header(&event));
}

static void tell_origins(const struct ct_event_transfer *event)
{
	tell_origin(event->target);
	if (event->kind == CT_TRANSFER_COPY)
		tell_origin(event->source);
}

/* A captured transfer runs when its graph does. */
static void record(struct ct_transfer *transfer, enum cudaMemcpyKind *direction)
{
	struct ct_event_transfer *event = &transfer->event;
	struct ct_device *device;

	if (ct_streams_are_capturing(transfer->stream, transfer->per_thread) ||
	    !ct_transfer_resolve(transfer))
		return;
	*direction = ct_transfer_direction(transfer);
	if (has_waited(transfer, *direction))
		event->flags |= CT_TRANSFER_WAITED;
	ct_session_lock();
	device = ct_session_is_open() ? ct_device_current() : NULL;
	if (device) {
		if (ct_watch_is_on())
			tell_origins(event);
		event->stream = ct_streams_id(transfer->stream, transfer->per_thread);
		ct_transfer_write(event, ct_streams_device(event->stream, device->ordinal),
				  transfer->call);
		note_call(event, *direction);
		if (ct_watch_is_on())
			watch(transfer, *direction);
	}
	ct_session_unlock();
}

/* Whether the copy went another way than the program said. Pinned memory may be either side's: its
 * pointers are the device's, too. */
static bool goes_astray(const struct ct_transfer *transfer)
{
	enum cudaMemoryType from = type_of(transfer->event.source);
	enum cudaMemoryType to = type_of(transfer->event.target);
	bool from_host = transfer->direction == cudaMemcpyHostToHost ||
			 transfer->direction == cudaMemcpyHostToDevice;
	bool to_host = transfer->direction == cudaMemcpyHostToHost ||
		       transfer->direction == cudaMemcpyDeviceToHost;

	if (transfer->direction == cudaMemcpyDefault)
		return false;
	return from == (from_host ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered) ||
	       to == (to_host ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered);
}

/* A copy that failed, or went another way than the program said. */
static void check(struct ct_transfer *transfer, cudaError_t error)
{
	const struct ct_event_transfer *event = &transfer->event;
	bool is_copy = event->kind == CT_TRANSFER_COPY;
	bool has_direction = is_copy && !transfer->to_symbol && !transfer->from_symbol &&
			     event->target && event->source;

	if (ct_streams_are_capturing(transfer->stream, transfer->per_thread) ||
	    (error == cudaSuccess && !(has_direction && event->width && goes_astray(transfer))))
		return;
	if (error == cudaSuccess || ct_transfer_resolve(transfer))
		ct_refused_transfer(
		    event, has_direction ? (uint32_t)transfer->direction : CT_REFUSED_NO_DIRECTION,
		    (int)error);
}

void ct_transfer_begin(const struct ct_transfer *transfer)
{
	struct ct_watch_box to = box_of(&transfer->event, true);
	struct ct_watch_box from = box_of(&transfer->event, false);

	if (!transfer->event.width || transfer->to_symbol || transfer->from_symbol)
		return;
	ct_watch_asking(&to, transfer->event.kind == CT_TRANSFER_COPY ? &from : NULL);
}

cudaError_t ct_transfer_done(struct ct_transfer *transfer, cudaError_t error)
{
	enum cudaMemcpyKind direction = transfer->direction;
	struct ct_quiet quiet;

	if (ct_refused_is_on()) {
		ct_quiet_begin(&quiet);
		check(transfer, error);
		ct_quiet_end(&quiet);
	}
	if (error == cudaSuccess && ct_session_is_active()) {
		ct_quiet_begin(&quiet);
		record(transfer, &direction);
		ct_quiet_end(&quiet);
	}
	if (transfer->is_synchronous && transfer->event.kind == CT_TRANSFER_COPY)
		ct_sync_after(error,
			      &(struct ct_sync){
				  .scope = direction == cudaMemcpyDeviceToHost ? CT_SYNC_COPY
									       : CT_SYNC_NOTHING,
				  .stream = transfer->stream,
				  .per_thread = transfer->per_thread,
			      });
	return error;
}
