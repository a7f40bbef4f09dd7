/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of the trace on their way to rows and shuffles. */
#include "postproc/analysis/access/scan.h"
#include "postproc/analysis/access/footprint.h"
#include "postproc/analysis/access/held.h"
#include "postproc/analysis/access/sorted.h"
#include "postproc/analysis/banks/analysis.h"
#include "postproc/facts/lanes.h"

#include <errno.h>
#include <stdlib.h>

#define KEPT 128u

/* Where a site's last request went; the next is mostly there, too. */
struct place {
	const struct ct_launch_info *launch;
	struct ct_object_range range;
	double scale; /* from bytes of it to bins of heat */
	uint32_t hint;
};

struct ct_access_scan {
	const struct ct_access_engine *engine;
	struct ct_access_rows *rows;
	struct ct_access_footprint *footprint;
	struct ct_access_held *atomics;
	struct ct_locator locator;
	struct place *place; /* by site of all units */
	struct ct_access_heat heat;
	/* By site, of which some share one: of global memory, and of others. */
	struct ct_access_kept kept[KEPT], elsewhere[KEPT];
};

int ct_access_scan_open(struct ct_access_scan **out, const struct ct_access_engine *engine,
			const struct ct_worker *worker)
{
	struct ct_access_scan *scan = calloc(1, sizeof(*scan));
	int err;

	*out = scan;
	if (!scan)
		return -ENOMEM;
	scan->engine = engine;
	scan->locator.trace = worker->trace;
	scan->place = calloc((size_t)engine->sites + 1, sizeof(*scan->place));
	if (!scan->place)
		return -ENOMEM;
	err = ct_access_heat_init(&scan->heat, ct_objects_groups(engine->objects));
	if (err == 0)
		err = ct_access_rows_open(&scan->rows, engine->sites);
	if (err == 0)
		err = ct_access_footprint_open(&scan->footprint, engine->pieces, worker->number,
					       engine->page_bytes);
	if (err == 0)
		err = ct_access_held_open(&scan->atomics, engine->atomics, worker->number,
					  engine->page_bytes);
	return err;
}

void ct_access_scan_close(struct ct_access_scan *scan)
{
	if (!scan)
		return;
	ct_access_heat_fini(&scan->heat);
	ct_access_rows_close(scan->rows);
	ct_access_footprint_close(scan->footprint);
	ct_access_held_close(scan->atomics);
	free(scan->place);
	free(scan);
}

struct ct_access_heat *ct_access_scan_heat(struct ct_access_scan *scan)
{
	return &scan->heat;
}

struct ct_access_rows *ct_access_scan_rows(struct ct_access_scan *scan)
{
	return scan->rows;
}

int ct_access_scan_finish(struct ct_access_scan *scan)
{
	int err = ct_access_footprint_finish(scan->footprint);

	return err == 0 ? ct_access_held_finish(scan->atomics) : err;
}

/* The object around an address, in the launch; what was found last is tried first. */
static const struct ct_object_range *range_of(struct ct_access_scan *scan, struct place *place,
					      const struct ct_launch_info *launch, uint64_t address)
{
	if (place->launch != launch || address < place->range.begin ||
	    address >= place->range.end) {
		place->range = ct_objects_range(scan->engine->objects, launch->part, address,
						launch->event_index, &place->hint);
		place->launch = launch;
		place->scale =
		    CT_ACCESS_HEAT_BINS / (double)(place->range.end - place->range.begin);
	}
	return &place->range;
}

/* The group of all that a request accesses; *is_one: and that it is one object, or no known one. */
static uint32_t find_group(struct ct_access_scan *scan, const struct ct_launch_info *launch,
			   struct place *place, const struct ct_access_request *request,
			   bool *is_one)
{
	const struct ct_object_range *range =
	    range_of(scan, place, launch, request->extent[0].begin);
	uint32_t group = range->group;

	*is_one = request->extent[request->extents - 1].end <= range->end;
	for (uint32_t i = 0; i < request->extents && !*is_one; i++) {
		const struct ct_access_extent *extent = &request->extent[i];

		range = range_of(scan, place, launch, extent->begin);
		if (range->group != group || extent->end > range->end)
			return ct_objects_groups(scan->engine->objects) + CT_ACCESS_SEVERAL;
	}
	return group;
}

/* Says what of an access is looked at, and where it goes. */
struct part {
	const struct ct_access *access;
	uint32_t lanes, site, launch, kernel;
	enum ct_class class;
};

/* Where its lanes meet. */
static int add_atomic(struct ct_access_scan *scan, const struct part *part,
		      const struct ct_access_request *request, struct ct_access_figures *figures,
		      bool is_global)
{
	struct ct_access_meeting meeting[CT_WARP_LANES];
	uint32_t count = request->sorted
			     ? ct_access_meet_sorted(meeting, request->address, request->sorted)
			     : ct_access_meet(meeting, part->access->address, part->lanes);
	uint32_t most = 0;

	for (uint32_t i = 0; i < count; i++)
		most = meeting[i].lanes > most ? meeting[i].lanes : most;
	figures->contended += most;
	if (most > figures->most_contended)
		figures->most_contended = most;
	return is_global
		   ? ct_access_held_add(scan->atomics, meeting, count, part->launch, part->site)
		   : 0;
}

/* In own, unless it is one that is kept. */
static const struct ct_access_request *
make_request(struct ct_access_scan *scan, const struct part *part, struct ct_access_request *own)
{
	const struct ct_access *access = part->access;

	if (!access->range && !(access->is_linear && part->lanes == access->mask))
		return ct_access_request_keep(&scan->kept[part->site % KEPT], part->site,
					      access->address, part->lanes, access->info->bytes);
	if (access->range)
		ct_access_request_make(own, access->address, part->lanes, access->info->bytes,
				       access->range);
	else
		ct_access_request_make_linear(own, access->address[__builtin_ctz(part->lanes)],
					      access->stride, part->lanes, access->info->bytes);
	return own;
}

static int add_global(struct ct_access_scan *scan, const struct part *part)
{
	const struct ct_access *access = part->access;
	struct ct_access_request own;
	const struct ct_access_request *request;
	struct ct_access_figures *figures;
	struct place *place = &scan->place[part->site];
	bool is_one;
	uint32_t group;
	int err;

	request = make_request(scan, part, &own);
	group = find_group(scan, access->launch, place, request, &is_one);
	figures = ct_access_rows_find(scan->rows, part->kernel, group, part->site);
	if (!figures)
		return -ENOMEM;
	ct_access_figures_count(figures, request, true);
	if (request->pattern == CT_ACCESS_STRIDED && is_one && place->range.is_known)
		ct_access_figures_place(figures, request->extent[0].begin - place->range.begin,
					request->figure);
	err = is_one && place->range.is_known ? ct_access_heat_add(&scan->heat, group, request,
								   place->range.begin, place->scale)
					      : 0;
	if (err == 0)
		err = ct_access_footprint_add(scan->footprint, request, part->launch, group,
					      part->site);
	if (part->class != CT_CLASS_ATOMIC || access->range || err < 0)
		return err;
	return add_atomic(scan, part, request, figures, true);
}

/* As analysis/banks counts them. */
static void count_banks(struct ct_access_figures *figures, const struct part *part)
{
	const struct ct_access *access = part->access;
	struct ct_banks_request banks;

	if (!ct_banks_is_counted(access))
		return;
	banks = ct_banks_request(access->address, part->lanes, access->info->bytes);
	figures->banked++;
	figures->ways += banks.ways;
	figures->wavefronts += banks.wavefronts;
	figures->ideal_wavefronts += banks.ideal;
}

static int add_elsewhere(struct ct_access_scan *scan, const struct part *part, uint32_t space)
{
	static const uint8_t beside[8] = {[CT_SPACE_SHARED] = CT_ACCESS_SHARED,
					  [CT_SPACE_CONSTANT] = CT_ACCESS_CONSTANT,
					  [CT_SPACE_LOCAL] = CT_ACCESS_LOCAL};
	const struct ct_access *access = part->access;
	uint32_t group = ct_objects_groups(scan->engine->objects) + beside[space & 7];
	struct ct_access_request own, *request = &own;
	struct ct_access_figures *figures;

	if (access->range)
		ct_access_request_make(request, access->address, part->lanes, access->info->bytes,
				       access->range);
	else
		request = ct_access_request_keep(&scan->elsewhere[part->site % KEPT], part->site,
						 access->address, part->lanes, access->info->bytes);
	if (request->pattern == CT_ACCESS_MISALIGNED) { /* of sectors, which there are none of */
		request->pattern = CT_ACCESS_UNIT;
		request->figure = 0;
	}
	figures = ct_access_rows_find(scan->rows, part->kernel, group, part->site);
	if (!figures)
		return -ENOMEM;
	ct_access_figures_count(figures, request, false);
	if (space == CT_SPACE_SHARED)
		count_banks(figures, part);
	if (part->class == CT_CLASS_ATOMIC && !access->range)
		return add_atomic(scan, part, request, figures, false);
	return 0;
}

int ct_access_scan_access(struct ct_access_scan *scan, const struct ct_access *access)
{
	const struct ct_access_engine *engine = scan->engine;
	uint32_t lanes = access->mask;
	struct part part = {.access = access};
	int err = 0;

	if (engine->filter)
		lanes &= ct_filter_lanes(engine->filter, access, &scan->locator);
	if (!lanes)
		return 0;
	part.site =
	    engine->site[engine->first_site[access->unit - engine->units] + access->site].first;
	part.launch = (uint32_t)(access->launch - engine->first_launch);
	part.kernel = engine->kernels.of_launch[part.launch];
	part.class = engine->site[part.site].class;
	part.lanes = lanes & ct_lanes_in(access, CT_SPACE_GLOBAL);
	if (part.lanes)
		err = add_global(scan, &part);
	lanes &= ~part.lanes;
	while (lanes && err == 0) {
		uint32_t space = CT_ADDRESS_SPACE(access->address[__builtin_ctz(lanes)]);

		part.lanes = lanes & ct_lanes_in(access, space);
		err = add_elsewhere(scan, &part, space);
		lanes &= ~part.lanes;
	}
	return err;
}
