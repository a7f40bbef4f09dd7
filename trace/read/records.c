/* SPDX-License-Identifier: Apache-2.0 */
/* Resolve records and hand them out. */
#include "trace/read/records.h"
#include "trace/read/hand_out.h"

#include <cudatrace/error.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A position in a chunk is counted in words. */
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

static int open_paths(struct ct_records *records)
{
	int err = 0;

	records->all_paths = calloc(CT_WARP_CLASSES, sizeof(struct ct_paths *));
	if (!records->all_paths)
		return -ENOMEM;
	for (uint32_t i = 0; i < CT_WARP_CLASSES && err == 0; i++)
		err = ct_paths_open(&records->all_paths[i]);
	return err;
}

static int open_parking(struct ct_records *records)
{
	int err = 0;

	records->all_parking = calloc(CT_WARP_CLASSES, sizeof(struct ct_parking *));
	if (!records->all_parking)
		return -ENOMEM;
	for (uint32_t i = 0; i < CT_WARP_CLASSES && err == 0; i++)
		err = ct_parking_open(&records->all_parking[i]);
	return err;
}

int ct_records_init(struct ct_records *records, struct ct_trace *trace,
		    const struct ct_scan *request)
{
	int err = 0;

	memset(records, 0, sizeof(*records));
	records->trace = trace;
	records->request = request;
	ct_trace_launches(trace, &records->launches);
	ct_trace_units(trace, &records->units);
	if (request->paths && has_calls(trace))
		err = open_paths(records);
	if (err == 0 && request->value)
		err = open_parking(records);
	if (err < 0)
		ct_records_fini(records);
	return err;
}

void ct_records_fini(struct ct_records *records)
{
	for (uint32_t i = 0; records->all_paths && i < CT_WARP_CLASSES; i++)
		ct_paths_close(records->all_paths[i]);
	for (uint32_t i = 0; records->all_parking && i < CT_WARP_CLASSES; i++)
		ct_parking_close(records->all_parking[i]);
	for (uint32_t i = records->held.begin; i < records->held.end; i++)
		ct_held_drop_content(&records->held.at[i]);
	records->held.begin = records->held.end = 0;
	free(records->all_paths);
	free(records->all_parking);
	records->all_paths = NULL;
	records->all_parking = NULL;
}

static void clear_paths(struct ct_records *records)
{
	for (uint32_t i = 0; records->all_paths && i < CT_WARP_CLASSES; i++)
		ct_paths_clear(records->all_paths[i]);
}

void ct_records_begin(struct ct_records *records, const struct ct_trace_file *file)
{
	records->file = file->name;
	records->part = ct_trace_part(records->trace, file->what.part);
	records->launch = NULL;
	records->tag_launch = NULL;
	clear_paths(records);
}

static void hand_out_piece(struct ct_records *records, struct ct_held *held,
			   const struct ct_decoded_value *piece)
{
	uint32_t mask = held->access.mask;

	ct_hand_out_value(records, &held->access, piece);
	held->access.mask = mask;
}

/* Hands out the content of a range that was kept, behind the access. */
static void hand_out_kept(struct ct_records *records, struct ct_held *held)
{
	for (uint32_t i = 0; held->content && i < held->content->count; i++)
		hand_out_piece(records, held, &held->content->piece[i]);
	ct_held_drop_content(held);
}

static void release_first(struct ct_records *records)
{
	struct ct_held *held = &records->held.at[records->held.begin++];

	if (!held->is_reported)
		ct_hand_out_access(records, &held->access, held->values, CT_VALUE_PARTS);
	hand_out_kept(records, held);
}

/* Those that need not wait any longer. */
static void release_complete(struct ct_records *records)
{
	struct ct_held_row *row = &records->held;

	while (!ct_held_row_is_empty(row) && ct_held_is_complete(&row->at[row->begin]))
		release_first(records);
	if (ct_held_row_is_empty(row))
		row->begin = row->end = 0;
}

static void release(struct ct_records *records)
{
	while (!ct_held_row_is_empty(&records->held))
		release_first(records);
	records->held.begin = records->held.end = 0;
}

/* The warp of what follows. */
static void select_class(struct ct_records *records, uint32_t launch, uint64_t cta, uint32_t warp)
{
	uint32_t class = ct_warp_class(launch, cta, warp);

	if (records->all_parking)
		records->parking = records->all_parking[class];
	if (!records->all_paths)
		return;
	records->paths = records->all_paths[class];
	ct_paths_select(records->paths, launch, cta, warp);
}

static void release_parked(void *user)
{
	struct ct_records *records = user;
	const struct ct_access *access = &records->held.at[records->held.begin].access;

	select_class(records, access->launch->event->launch, access->cta, access->warp);
	release(records);
}

/* Hand out everything that waits for values. Leaves no warp selected. */
static void release_all(struct ct_records *records)
{
	release(records);
	for (uint32_t i = 0; records->all_parking && i < CT_WARP_CLASSES; i++)
		ct_parking_empty(records->all_parking[i], &records->held, release_parked, records);
}

void ct_records_lost(struct ct_records *records)
{
	release_all(records);
	clear_paths(records);
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
	select_class(records, segment->launch, segment->cta, segment->warp);
	if (!records->parking)
		return;
	if (ct_parking_is_full(records->parking)) {
		ct_parking_empty(records->parking, &records->held, release_parked, records);
		select_class(records, segment->launch, segment->cta, segment->warp);
	}
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

	records->trace->place =
	    (records->trace->place & ~CT_PLACE_MASK) | (segment->position & CT_PLACE_MASK);
	if (!ct_held_row_is_empty(&records->held) &&
	    ct_parking_put(records->parking, &records->held) < 0)
		release(records);
	launch = find_launch(records, segment->launch);
	if (records->request->launches &&
	    (!launch || !records->request->launches[launch - records->launches]))
		return 0;
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
		ct_trace_warn(
		    records->trace,
		    "%s: launch %u: records of thread blocks that its grid does not have; skipped",
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

static bool is_wanted(const struct ct_records *records)
{
	const uint8_t *const *sites = records->request->sites;
	const struct ct_access *access = &records->access;

	return !sites || sites[access->unit - records->units][access->site];
}

static int on_site(void *user, uint32_t kind, uint64_t site, uint32_t *bytes)
{
	struct ct_records *records = user;
	struct ct_access *access = &records->access;
	uint32_t index = (uint32_t)site;

	if (kind == CT_REC_EVENT)
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
	/* Calls are on the paths of other sites. */
	return !is_wanted(records) &&
	       (!records->paths || access->info->operation != OPERATION_CALL);
}

/* Ranges of just the size of the site's accesses: how the leader of a group is recorded alone. */
static bool is_plain_range(const struct ct_access *access)
{
	if (access->info->flags & CT_SITE_RANGE)
		return false;
	for (uint32_t rest = access->mask; rest; rest &= rest - 1)
		if (access->range[__builtin_ctz(rest)] != access->info->bytes)
			return false;
	return true;
}

static int on_loop(void *user, uint32_t sites, uint64_t iterations)
{
	struct ct_records *records = user;

	if (!records->stop)
		records->stop = ct_work_add(records->trace->work, sites, iterations);
	return records->stop;
}

/* Counts the work of accesses that move many bytes at once: lanes of a range, or of a site that
 * is a copy. */
static int add_copy_work(struct ct_records *records, const struct ct_decoded_access *decoded)
{
	uint64_t bytes = records->access.info->bytes, work = 0;

	if (!decoded->range && bytes < CT_WORK_BYTES)
		return 0;
	for (uint32_t rest = decoded->mask; rest; rest &= rest - 1)
		work +=
		    (decoded->range ? decoded->range[__builtin_ctz(rest)] : bytes) / CT_WORK_BYTES;
	return ct_work_add(records->trace->work, work, 1);
}

static int on_access(void *user, uint64_t site, const struct ct_decoded_access *decoded)
{
	struct ct_records *records = user;
	struct ct_access *access = &records->access;
	bool is_held = records->parking && access->info->flags & CT_SITE_VALUES;

	if (!records->stop)
		records->stop = add_copy_work(records, decoded);
	if (records->stop)
		return records->stop;

	(void)site;
	/* Values of accesses that others follow are a group's, or of other lanes. */
	if (!is_held || ct_held_row_is_full(&records->held) ||
	    (!decoded->is_ahead && !ct_held_row_is_beside(&records->held, decoded->mask)))
		release(records);
	access->number = records->number++;
	access->mask = decoded->mask;
	access->is_ahead = decoded->is_ahead;
	access->is_linear = decoded->is_linear;
	access->stride = decoded->stride;
	access->range = decoded->range;
	if (is_held && access->range && is_plain_range(access))
		access->range = NULL;
	if (!is_held)
		ct_hand_out_access(records, access, NULL, 0);
	else
		ct_held_row_append(&records->held, access);
	return records->stop;
}

/* The access goes ahead of what it moves. Of more than is kept, what comes behind other warps'
 * accesses comes behind them. */
static int take_content(struct ct_records *records, struct ct_held *held,
			const struct ct_decoded_value *value)
{
	if (!held->is_reported && ct_held_keep(held, value))
		return records->stop;
	if (!held->is_reported)
		ct_hand_out_access(records, &held->access, NULL, 0);
	held->is_reported = true;
	hand_out_kept(records, held);
	hand_out_piece(records, held, value);
	return records->stop;
}

static int on_value(void *user, uint64_t site, const struct ct_decoded_value *value)
{
	struct ct_records *records = user;
	struct ct_access *access = &records->access;
	struct ct_held *held =
	    ct_held_row_find(&records->held, access->unit, access->site, value->mask);

	(void)site;
	if (held && value->part == CT_PART_CONTENT) {
		if (held->access.range && !(value->mask & ~held->access.mask))
			return take_content(records, held, value);
		held = NULL;
	}
	if (held && held == &records->held.at[records->held.begin] &&
	    ct_held_waits_for(held, value)) {
		records->held.begin++;
		ct_hand_out_access(records, &held->access, value, 1);
		release_complete(records);
		return records->stop;
	}
	if (held && ct_held_add(held, value)) {
		release_complete(records);
		return records->stop;
	}
	release(records);
	access->range = NULL;
	access->is_linear = 0;
	ct_hand_out_value(records, access, value);
	return records->stop;
}

/* A call's two events both come from where the call stands. */
static int on_event(void *user, uint64_t site, uint32_t phase, uint32_t mask)
{
	struct ct_records *records = user;
	struct ct_access *access = &records->access;
	const struct ct_path_call call = {access->unit, access->site};
	bool is_call = records->paths && access->info->operation == OPERATION_CALL;
	int err = 0;

	(void)site;
	if (is_call && phase == CT_PHASE_LEAVE)
		ct_paths_leave(records->paths, &call, mask);
	if (records->request->event && is_wanted(records))
		ct_hand_out_event(records, phase, mask);
	else
		records->number++;
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

static struct ct_decoder begin_chunk(struct ct_records *records, uint64_t chunk)
{
	records->chunk = chunk;
	records->number = 0;
	return (struct ct_decoder){
	    .segment = on_segment,
	    .site = on_site,
	    .access = on_access,
	    .event = on_event,
	    .value = records->all_parking ? on_value : NULL,
	    .loop = on_loop,
	    .address = records->access.address,
	    .user = records,
	};
}

int ct_records_chunk(struct ct_records *records, uint64_t chunk, const void *raw, size_t bytes,
		     size_t *position)
{
	const struct ct_decoder decoder = begin_chunk(records, chunk);

	return ct_decode(&decoder, raw, bytes, position);
}

int ct_records_segments(struct ct_records *records, uint64_t chunk, const void *raw,
			const struct ct_segments *segments, uint32_t owner)
{
	const struct ct_decoder decoder = begin_chunk(records, chunk);

	return ct_segments_decode(segments, &decoder, raw, owner);
}
