/* SPDX-License-Identifier: Apache-2.0 */
/* Copies, and objects that live to the end. */
#include "postproc/analysis/check/host.h"
#include "postproc/analysis/check/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Bytes from the first that a side of a copy touches to behind the last. */
static uint64_t extent_of(const struct ct_event_transfer *event, uint64_t row, uint64_t slice)
{
	return (event->depth - 1) * slice + (event->height - 1) * row + event->width;
}

/* Whether a row of the source and one of the target share a byte: their gaps may hold each other's
 * rows. */
static bool rows_overlap(const struct ct_event_transfer *event)
{
	uint64_t target = event->target, source = event->source, i = 0, j = 0;

	while (i < event->height && j < event->height) {
		uint64_t to = target + i * event->target_row, from = source + j * event->source_row;

		if (to < from + event->width && from < to + event->width)
			return true;
		if (to < from)
			i++;
		else
			j++;
	}
	return false;
}

/* Decides it of one slice. What a copy moves onto itself stays. */
static bool overlaps(const struct ct_event_transfer *event)
{
	uint64_t to, from;

	if (event->kind != CT_TRANSFER_COPY || !event->source || !event->target || !event->width ||
	    !event->height || event->depth != 1 || event->source == event->target)
		return false;
	to = extent_of(event, event->target_row, 0);
	from = extent_of(event, event->source_row, 0);
	return event->target < event->source + from && event->source < event->target + to &&
	       rows_overlap(event);
}

/* One side of a copy leaves the object that it begins in. */
static bool leaves(struct ct_check_cause *cause, struct ct_check_owners *owners, uint32_t part,
		   uint64_t index, uint64_t address, uint64_t extent)
{
	const struct ct_object_info *object = ct_check_object_at(owners, part, address, index);
	uint64_t room;

	if (!ct_check_lives(object, index))
		return false;
	room = object->event->address + object->event->bytes - address;
	if (extent <= room)
		return false;
	cause->kind = CT_CHECK_COPY_OUT_OF_BOUNDS;
	cause->object = object;
	cause->address = address;
	cause->beyond = extent - room;
	return true;
}

/* Whether a copy or memset, made or refused, leaves an object. */
static bool is_beyond(struct ct_check_cause *cause, struct ct_check_owners *owners, uint32_t part,
		      uint64_t index, const struct ct_event_transfer *event)
{
	if (!event->width || !event->height || !event->depth)
		return false;
	cause->bytes = event->width * event->height * event->depth;
	return leaves(cause, owners, part, index, event->target,
		      extent_of(event, event->target_row, event->target_slice)) ||
	       (event->kind == CT_TRANSFER_COPY &&
		leaves(cause, owners, part, index, event->source,
		       extent_of(event, event->source_row, event->source_slice)));
}

int ct_check_copies(struct ct_check_causes *causes, const struct ct_trace *trace,
		    struct ct_check_owners *owners)
{
	const struct ct_transfer_info *transfer;
	size_t count = ct_trace_transfers(trace, &transfer);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++, transfer++) {
		const struct ct_event_transfer *event = transfer->event;
		uint64_t index = transfer->event_index;
		struct ct_check_cause cause = {.kind = CT_CHECK_COPY_OVERLAP,
					       .transfer = transfer,
					       .call = transfer->call,
					       .address = event->target,
					       .count = 1};

		if (is_beyond(&cause, owners, transfer->part, index, event)) {
			err = ct_check_causes_add(causes, &cause);
		} else if (overlaps(event)) {
			cause.object =
			    ct_check_object_at(owners, transfer->part, event->target, index);
			cause.object = ct_check_lives(cause.object, index) ? cause.object : NULL;
			err = ct_check_causes_add(causes, &cause);
		}
	}
	return err;
}

/* Whether the call frees memory of other kinds than the object's. */
static bool frees_other(const char *call, const struct ct_object_info *object)
{
	bool is_of_host = strstr(call, "Host") != NULL;

	return is_of_host != (object->event->kind == CT_OBJECT_HOST);
}

/* Whether an error of a free is about its address: what failed before makes any free fail, too. */
static bool is_about_address(int32_t error)
{
	enum { INVALID_VALUE = 1, INVALID_DEVICE_POINTER = 17, INVALID_HANDLE = 400 };
	enum { NOT_REGISTERED = 713 };

	return error == INVALID_VALUE || error == INVALID_DEVICE_POINTER ||
	       error == INVALID_HANDLE || error == NOT_REGISTERED;
}

/* A free that failed, by what lies at its address. False: nothing is sure. */
static bool judge_free(struct ct_check_cause *cause, struct ct_check_owners *owners)
{
	const struct ct_host_event *event = cause->refused;
	const struct ct_object_info *object =
	    ct_check_object_at(owners, event->part, event->refused->target, event->index);

	if (!is_about_address(event->refused->error))
		return false;
	cause->object = object;
	cause->kind = object && !ct_check_lives(object, event->index) &&
			      object->event->address == event->refused->target
			  ? CT_CHECK_DOUBLE_FREE
			  : CT_CHECK_WRONG_FREE;
	/* A free that is right may fail for what went wrong before. */
	return !ct_check_lives(object, event->index) ||
	       object->event->address != event->refused->target ||
	       object->event->kind == CT_OBJECT_VARIABLE || frees_other(cause->call, object);
}

static bool is_of_device(const struct ct_object_info *object)
{
	return object && (object->event->kind == CT_OBJECT_DEVICE ||
			  object->event->kind == CT_OBJECT_VARIABLE);
}

/* Judges one end of a copy that the call took for memory of the device, or of the host. Memory that
 * no object has is the host's; that which one had may be the host's by now. */
static bool is_other_side(const struct ct_object_info *object, uint64_t index, bool is_device)
{
	return ct_check_lives(object, index) ? is_of_device(object) && !is_device : is_device;
}

/* By cudaMemcpyKind: 0 host to host, 1 host to device, 2 device to host, 3 device to device. */
static bool judge_direction(struct ct_check_cause *cause, struct ct_check_owners *owners)
{
	const struct ct_event_refused *refused = cause->refused->refused;
	uint64_t index = cause->refused->index;
	uint32_t part = cause->refused->part;
	const struct ct_object_info *to = ct_check_object_at(owners, part, refused->target, index);
	const struct ct_object_info *from =
	    ct_check_object_at(owners, part, refused->source, index);
	bool to_device = refused->direction & 1, from_device = refused->direction >> 1 & 1;
	const struct ct_object_info *freed = to_device && to && !ct_check_lives(to, index) ? to
					     : from_device && from && !ct_check_lives(from, index)
						 ? from
						 : NULL;

	cause->kind = CT_CHECK_COPY_DIRECTION;
	if (refused->direction > 3)
		return false;
	if (refused->error && freed &&
	    !(ct_check_lives(to, index) && is_other_side(to, index, to_device)) &&
	    !(ct_check_lives(from, index) && is_other_side(from, index, from_device))) {
		cause->kind = CT_CHECK_USE_AFTER_FREE;
		cause->object = freed;
		return true;
	}
	return is_other_side(to, index, to_device) || is_other_side(from, index, from_device);
}

static bool judge_copy(struct ct_check_cause *cause, struct ct_check_owners *owners)
{
	const struct ct_event_refused *refused = cause->refused->refused;
	const struct ct_event_transfer event = {
	    .target = refused->target,
	    .source = refused->source,
	    .width = refused->width,
	    .height = refused->height,
	    .depth = refused->depth,
	    .target_row = refused->target_row,
	    .target_slice = refused->target_slice,
	    .source_row = refused->source_row,
	    .source_slice = refused->source_slice,
	    .kind = refused->kind == CT_REFUSED_COPY ? CT_TRANSFER_COPY : CT_TRANSFER_SET,
	};

	if (refused->error &&
	    is_beyond(cause, owners, cause->refused->part, cause->refused->index, &event))
		return true;
	cause->bytes = event.width * event.height * event.depth;
	return judge_direction(cause, owners);
}

/* An access of the host that nothing has put behind a copy. */
static bool judge_access(struct ct_check_cause *cause, struct ct_check_owners *owners)
{
	const struct ct_host_event *event = cause->refused;
	const struct ct_object_info *object =
	    ct_check_object_at(owners, event->part, event->refused->target, event->index);

	cause->kind = event->refused->kind == CT_REFUSED_LOAD ? CT_CHECK_RESULT_BEFORE_WAIT
							      : CT_CHECK_PINNED_IN_FLIGHT;
	cause->object = ct_check_lives(object, event->index) ? object : NULL;
	cause->bytes = event->refused->width;
	return true;
}

static bool judge(struct ct_check_cause *cause, struct ct_check_owners *owners)
{
	switch (cause->refused->refused->kind) {
	case CT_REFUSED_FREE:
		return judge_free(cause, owners);
	case CT_REFUSED_LOAD:
	case CT_REFUSED_STORE:
		return judge_access(cause, owners);
	default:
		return judge_copy(cause, owners);
	}
}

int ct_check_refused(struct ct_check_causes *causes, const struct ct_trace *trace,
		     struct ct_check_owners *owners)
{
	const struct ct_host_event *event;
	size_t count = ct_trace_events(trace, CT_EVENT_REFUSED, &event);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++, event++) {
		struct ct_check_cause cause = {
		    .refused = event,
		    .call = ct_trace_string(trace, event->part, event->refused->call),
		    .address = event->refused->target,
		    .count = 1};

		if (judge(&cause, owners))
			err = ct_check_causes_add(causes, &cause);
	}
	return err;
}

/* Whether what a part says of frees goes to the end of its program. On a GPU the trace ends before
 * static destructors, which may free. */
static bool is_whole(const struct ct_trace *trace, uint32_t part)
{
	const struct ct_device_info *devices;
	const struct ct_host_event *events;
	size_t count = ct_trace_events(trace, CT_EVENT_RAN, &events);
	bool has_ended = false;

	if (!ct_trace_devices(trace, &devices) || !devices->event->is_cpu_target)
		return false;

	for (size_t i = 0; i < count; i++)
		has_ended |= events[i].part == part;
	count = ct_trace_events(trace, CT_EVENT_STOPPED, &events);
	for (size_t i = 0; i < count; i++)
		has_ended &= events[i].part != part;
	return has_ended;
}

/* By object: whether a wrong free should have freed it. NULL: -ENOMEM */
static bool *freed_wrongly(const struct ct_check_causes *causes, size_t objects)
{
	bool *is_freed = calloc(objects + 1, sizeof(*is_freed));

	for (size_t i = 0; is_freed && i < causes->count; i++)
		if (causes->list[i].kind == CT_CHECK_WRONG_FREE && causes->list[i].object)
			is_freed[causes->list[i].object - causes->first_object] = true;
	return is_freed;
}

int ct_check_leaks(struct ct_check_causes *causes, const struct ct_trace *trace)
{
	const struct ct_object_info *object;
	size_t count = ct_trace_objects(trace, &object);
	bool *is_freed = freed_wrongly(causes, count);
	int err = is_freed ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && err == 0; i++, object++) {
		const struct ct_check_cause cause = {.kind = CT_CHECK_LEAK,
						     .object = object,
						     .address = object->event->address,
						     .bytes = object->event->bytes,
						     .count = 1};

		if (object->event->kind != CT_OBJECT_VARIABLE && object->freed_at == UINT64_MAX &&
		    !is_freed[i] && is_whole(trace, object->part))
			err = ct_check_causes_add(causes, &cause);
	}
	free(is_freed);
	return err;
}
