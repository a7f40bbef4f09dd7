/* SPDX-License-Identifier: Apache-2.0 */
/* Resolve records and hand them out. */
#include "trace/read/records.h"

#include <cudatrace/error.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* Of a position in a chunk, counted in words. */
_Static_assert(CT_CHUNK_RAW_MAX / 8 == 1u << CT_SEGMENT_IN_CHUNK_BITS,
	       "segments have no room in their ids");

enum {
#define CT_OPERATION(id, name, text, class, memtrace) OPERATION_##name = id,
#include <cudatrace/operations.def>
#undef CT_OPERATION
};

static bool has_calls(const struct ct_trace *trace)
{
	const struct ct_unit *units;
	size_t count = ct_trace_units(trace, &units);

	for (size_t u = 0; u < count; u++)
		for (uint32_t s = 0; s < units[u].header->site_count; s++)
			if (units[u].sites[s].operation == OPERATION_CALL)
				return true;
	return false;
}

int ct_records_init(struct ct_records *records, struct ct_trace *trace,
		    const struct ct_scan *request)
{
	int err = 0;

	memset(records, 0, sizeof(*records));
	records->trace = trace;
	records->request = request;
	if (request->paths && has_calls(trace))
		err = ct_paths_open(&records->paths);
	if (err == 0 && request->value)
		err = ct_parking_open(&records->parking);
	if (err < 0)
		ct_records_fini(records);
	return err;
}

void ct_records_fini(struct ct_records *records)
{
	ct_paths_close(records->paths);
	ct_parking_close(records->parking);
}

void ct_records_begin(struct ct_records *records, const struct ct_trace_file *file)
{
	records->file = file->name;
	records->part = ct_trace_part(records->trace, file->what.part);
	records->launch = NULL;
	records->tag_launch = NULL;
	if (records->paths)
		ct_paths_clear(records->paths);
}

/* Fill in the path of the lowest lane of lanes; returns those that share it. */
static uint32_t take_group(struct ct_records *records, struct ct_access *access, uint32_t lanes)
{
	access->path = NULL;
	access->depth = 0;
	if (!records->paths)
		return lanes;
	return ct_paths_group(records->paths, lanes, &access->path, &access->depth);
}

static void emit_value(struct ct_records *records, const struct ct_access *access,
		       const struct ct_decoded_value *value)
{
	struct ct_access at = *access;
	struct ct_value out = {.at = &at, .part = value->part, .bytes = value->bytes};

	at.mask &= value->mask;
	if (!at.mask || records->stop)
		return;
	memcpy(out.data, value->data, sizeof(out.data));
	records->stop = records->request->value(records->request->user, &out);
}

/* An access and the values that came with it (NULL: none), path by path. */
static void emit_access(struct ct_records *records, struct ct_access *access,
			const struct ct_decoded_value *values)
{
	uint32_t rest = access->mask;

	while (rest && !records->stop) {
		access->mask = take_group(records, access, rest);
		rest &= ~access->mask;
		records->stop = records->request->access(records->request->user, access);
		for (uint32_t part = 0; values && part < CT_VALUE_PARTS; part++)
			if (values[part].mask)
				emit_value(records, access, &values[part]);
	}
}

static void release(struct ct_records *records)
{
	if (!records->held.access.mask)
		return;
	emit_access(records, &records->held.access, records->held.values);
	records->held.access.mask = 0;
}

static void release_parked(void *user)
{
	struct ct_records *records = user;
	const struct ct_access *access = &records->held.access;

	if (records->paths)
		ct_paths_select(records->paths, access->launch->event->launch, access->cta,
				access->warp);
	release(records);
}

/* Hand out everything that waits for values. Leaves no warp selected. */
static void release_all(struct ct_records *records)
{
	release(records);
	if (records->parking)
		ct_parking_empty(records->parking, &records->held, release_parked, records);
}

void ct_records_lost(struct ct_records *records)
{
	release_all(records);
	if (records->paths)
		ct_paths_clear(records->paths);
}

void ct_records_end(struct ct_records *records)
{
	release_all(records);
}

static const struct ct_launch_info *find_launch(struct ct_records *records, uint32_t launch)
{
	if (!records->launch || records->launch->event->launch != launch)
		records->launch =
		    records->part ? ct_part_launch(records->trace, records->part, launch) : NULL;
	return records->launch;
}

static void select_warp(struct ct_records *records, const struct ct_segment *segment)
{
	struct ct_access *access = &records->access;

	access->launch = records->launch;
	access->cta = segment->cta;
	access->warp = segment->warp;
	access->sm = segment->sm;
	access->sequence = segment->sequence;
	access->segment = records->chunk << CT_SEGMENT_IN_CHUNK_BITS | segment->position / 8;
	if (records->parking && ct_parking_is_full(records->parking))
		release_all(records);
	if (records->paths)
		ct_paths_select(records->paths, segment->launch, segment->cta, segment->warp);
	if (records->parking)
		ct_parking_take(records->parking, access->launch, access->cta, access->warp,
				&records->held);
}

/* Whether the launch has the CTA. What a grid of 0 has is not known. */
static bool has_cta(const struct ct_launch_info *launch, uint64_t cta)
{
	const uint32_t *grid = launch->event->grid;
	uint64_t ctas = (uint64_t)grid[0] * grid[1] * grid[2];

	return !ctas || cta < ctas;
}

static int on_segment(void *user, const struct ct_segment *segment)
{
	struct ct_records *records = user;
	const struct ct_launch_info *launch;

	if (records->held.access.mask && ct_parking_put(records->parking, &records->held) < 0)
		release(records);
	if (records->request->launch && segment->launch != records->request->launch)
		return 0;
	launch = find_launch(records, segment->launch);
	if (!launch || !launch->unit) {
		ct_trace_warn(records->trace,
			      launch
				  ? "%s: records of launch %u, whose site table is missing; skipped"
				  : "%s: records of launch %u, whose event is missing; skipped",
			      records->file, segment->launch);
		records->is_damaged = true;
		return 0;
	}
	if (!has_cta(launch, segment->cta)) {
		ct_trace_warn(records->trace,
			      "%s: launch %u: records of CTAs that its grid does not have; skipped",
			      records->file, segment->launch);
		records->is_damaged = true;
		return 0;
	}
	select_warp(records, segment);
	return 1;
}

/* The unit that a site's tag means, or NULL with a warning. */
static const struct ct_unit *find_unit(struct ct_records *records, uint32_t tag)
{
	const struct ct_launch_info *launch = records->access.launch;

	if (!tag)
		return launch->unit;
	if (records->tag != tag || records->tag_launch != launch) {
		records->tag = tag;
		records->tag_launch = launch;
		records->tag_unit = ct_part_tagged_unit(records->trace, records->part, tag,
							launch->event->unit_arch);
	}
	if (!records->tag_unit)
		ct_trace_warn(records->trace,
			      "%s: launch %u: records of a unit with the tag %07x, which is not in "
			      "the trace; skipped",
			      records->file, launch->event->launch, tag);
	return records->tag_unit;
}

static int on_site(void *user, uint32_t kind, uint64_t site, uint32_t *bytes)
{
	struct ct_records *records = user;
	struct ct_access *access = &records->access;
	uint32_t index = (uint32_t)site;

	if (kind != CT_REC_VALUE)
		release(records);
	if (records->stop)
		return -ECANCELED; /* the reason stays in stop */
	access->unit = find_unit(records, (uint32_t)(site >> 32));
	if (!access->unit) {
		records->is_damaged = true;
		return 1;
	}
	if (index >= access->unit->header->site_count) {
		ct_trace_warn(records->trace, "%s: launch %u: site %u: %s", records->file,
			      access->launch->event->launch, index, ct_strerror(CT_ESITE));
		records->is_damaged = true;
		return 1;
	}
	access->site = index;
	access->info = &access->unit->sites[index];
	*bytes = access->info->bytes;
	return 0;
}

static int on_access(void *user, uint64_t site, const struct ct_decoded_access *decoded)
{
	struct ct_records *records = user;
	struct ct_access *access = &records->access;

	(void)site;
	access->mask = decoded->mask;
	access->is_linear = decoded->is_linear;
	access->stride = decoded->stride;
	access->range = decoded->range;
	if (records->parking && access->info->flags & CT_SITE_VALUES)
		ct_held_begin(&records->held, access);
	else
		emit_access(records, access, NULL);
	return records->stop;
}

static int on_value(void *user, uint64_t site, const struct ct_decoded_value *value)
{
	struct ct_records *records = user;
	struct ct_access *access = &records->access;

	(void)site;
	if (records->held.access.mask &&
	    ct_held_add(&records->held, access->unit, access->site, value)) {
		if (ct_held_is_complete(&records->held))
			release(records);
		return records->stop;
	}
	release(records);
	access->range = NULL;
	access->is_linear = 0;
	for (uint32_t rest = value->mask; rest && !records->stop; rest &= ~access->mask) {
		access->mask = take_group(records, access, rest);
		emit_value(records, access, value);
	}
	return records->stop;
}

static void emit_event(struct ct_records *records, uint32_t phase, uint32_t mask)
{
	struct ct_access *access = &records->access;
	const struct ct_event event = {.at = access, .phase = phase};

	access->range = NULL;
	access->is_linear = 0;
	for (uint32_t rest = mask; rest && !records->stop; rest &= ~access->mask) {
		access->mask = take_group(records, access, rest);
		if (records->request->event)
			records->stop = records->request->event(records->request->user, &event);
		else
			return;
	}
}

/* A call's two events both come from where the call stands. */
static int on_event(void *user, uint64_t site, uint32_t phase, uint32_t mask)
{
	struct ct_records *records = user;
	struct ct_access *access = &records->access;
	const struct ct_call call = {access->unit, access->site};
	bool is_call = records->paths && access->info->operation == OPERATION_CALL;
	int err = 0;

	(void)site;
	if (is_call && phase == CT_PHASE_LEAVE)
		ct_paths_leave(records->paths, &call, mask);
	emit_event(records, phase, mask);
	if (is_call && phase == CT_PHASE_HAPPENS)
		err = ct_paths_enter(records->paths, &call, mask);
	if (err > 0)
		ct_trace_warn(records->trace,
			      "%s: too many calls at once; call paths may lack their beginning",
			      records->file);
	if (err < 0 && !records->stop)
		records->stop = err;
	return records->stop;
}

int ct_records_chunk(struct ct_records *records, uint64_t chunk, const void *raw, size_t bytes,
		     size_t *position)
{
	const struct ct_decoder decoder = {
	    .segment = on_segment,
	    .site = on_site,
	    .access = on_access,
	    .event = on_event,
	    .value = records->parking ? on_value : NULL,
	    .address = records->access.address,
	    .user = records,
	};

	records->chunk = chunk;
	return ct_decode(&decoder, raw, bytes, position);
}
