/* SPDX-License-Identifier: Apache-2.0 */
/* Counts per launch, kernel and site. */
#include "postproc/analysis/totals/totals.h"
#include "postproc/facts/lanes.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct ct_totals {
	const struct ct_launch_info *launches;
	size_t launch_count;
	const struct ct_unit *units;
	size_t unit_count;
	struct ct_launch_totals *launch;
	size_t *first_site;   /* of each unit, in site; after the last unit their number */
	size_t *first_kernel; /* likewise */
	struct ct_count *site;
	struct ct_launch_totals *kernel;
	struct ct_launch_totals sum;
};

static int allocate_tables(struct ct_totals *totals)
{
	size_t sites = 0, kernels = 0;

	totals->first_site = calloc(totals->unit_count + 1, sizeof(*totals->first_site));
	totals->first_kernel = calloc(totals->unit_count + 1, sizeof(*totals->first_kernel));
	if (!totals->first_site || !totals->first_kernel)
		return -ENOMEM;
	for (size_t i = 0; i < totals->unit_count; i++) {
		totals->first_site[i] = sites;
		totals->first_kernel[i] = kernels;
		sites += totals->units[i].header->site_count;
		kernels += totals->units[i].header->kernel_count;
	}
	totals->first_site[totals->unit_count] = sites;
	totals->first_kernel[totals->unit_count] = kernels;
	totals->site = calloc(sites + 1, sizeof(*totals->site));
	totals->kernel = calloc(kernels + 1, sizeof(*totals->kernel));
	return totals->site && totals->kernel ? 0 : -ENOMEM;
}

int ct_totals_open(struct ct_totals **out, const struct ct_trace *trace)
{
	struct ct_totals *totals = calloc(1, sizeof(*totals));

	*out = NULL;
	if (!totals)
		return -ENOMEM;
	totals->launch_count = ct_trace_launches(trace, &totals->launches);
	totals->unit_count = ct_trace_units(trace, &totals->units);
	totals->launch = calloc(totals->launch_count + 1, sizeof(*totals->launch));
	if (!totals->launch || allocate_tables(totals) < 0) {
		ct_totals_close(totals);
		return -ENOMEM;
	}
	*out = totals;
	return 0;
}

static void free_list(struct ct_launch_totals *list, size_t count)
{
	for (size_t i = 0; list && i < count; i++)
		free(list[i].other);
	free(list);
}

void ct_totals_close(struct ct_totals *totals)
{
	if (!totals)
		return;
	free_list(totals->launch, totals->launch_count);
	free_list(totals->kernel,
		  totals->first_kernel ? totals->first_kernel[totals->unit_count] : 0);
	free(totals->sum.other);
	free(totals->first_site);
	free(totals->first_kernel);
	free(totals->site);
	free(totals);
}

static struct ct_other_totals *other_of(struct ct_launch_totals *totals)
{
	if (!totals->other)
		totals->other = calloc(1, sizeof(*totals->other));
	return totals->other;
}

static struct ct_count *site_of(const struct ct_totals *totals, const struct ct_access *access)
{
	size_t unit = (size_t)(access->unit - totals->units);

	return &totals->site[totals->first_site[unit] + access->site];
}

static void count(struct ct_count *count, uint64_t threads, uint64_t bytes)
{
	count->warps++;
	count->threads += threads;
	count->bytes += bytes;
}

/* Lanes that access one space. */
static void count_lanes(struct ct_access_totals *totals, const struct ct_access *access,
			uint32_t lanes)
{
	uint64_t threads = (uint64_t)__builtin_popcount(lanes);
	uint64_t bytes = ct_lanes_bytes(access, lanes);

	count(&totals->of[ct_operation_class(access->info->operation)], threads, bytes);
	if (access->info->flags & CT_SITE_REDUCTION)
		count(&totals->reduction, threads, bytes);
}

static int add_other_spaces(struct ct_launch_totals *launch, const struct ct_access *access)
{
	struct ct_other_totals *other = other_of(launch);

	if (!other)
		return -ENOMEM;
	for (uint32_t space = 0; space < CT_SPACES; space++) {
		uint32_t lanes = space == CT_SPACE_GLOBAL ? 0 : ct_lanes_in(access, space);

		if (lanes)
			count_lanes(&other->space[space], access, lanes);
	}
	return 0;
}

int ct_totals_add(struct ct_totals *totals, const struct ct_access *access)
{
	struct ct_launch_totals *launch = &totals->launch[access->launch - totals->launches];
	uint32_t global = ct_lanes_in(access, CT_SPACE_GLOBAL);

	if (ct_operation_class(access->info->operation) >= CT_ACCESS_CLASSES)
		return 0;
	count(site_of(totals, access), (uint64_t)__builtin_popcount(access->mask),
	      ct_lanes_bytes(access, access->mask));
	if (global) {
		count_lanes(&launch->global, access, global);
		launch->records++;
	}
	if (access->is_ahead)
		launch->ahead += (uint64_t)__builtin_popcount(access->mask);
	return global == access->mask ? 0 : add_other_spaces(launch, access);
}

int ct_totals_add_event(struct ct_totals *totals, const struct ct_event *event)
{
	const struct ct_access *at = event->at;
	struct ct_other_totals *other = other_of(&totals->launch[at->launch - totals->launches]);
	uint64_t threads = (uint64_t)__builtin_popcount(at->mask);

	if (!other)
		return -ENOMEM;
	if (event->phase != CT_PHASE_HAPPENS)
		return 0;
	count(&other->event[at->info->operation], threads, 0);
	count(site_of(totals, at), threads, 0);
	return 0;
}

static void add_count(struct ct_count *to, const struct ct_event_count *from)
{
	to->warps += from->warps;
	to->threads += from->lanes;
	to->bytes += from->bytes;
}

/* Adds counts of a site in one launch, as if its accesses were in the trace. */
static int add_counted(struct ct_totals *totals, const struct ct_count_info *counted)
{
	const struct ct_unit_site *site = &counted->unit->sites[counted->event->site];
	struct ct_launch_totals *launch = &totals->launch[counted->launch - totals->launches];
	enum ct_class class = ct_operation_class(site->operation);
	int is_elsewhere = site->verdict == CT_VERDICT_GLOBAL && site->space < CT_SPACES &&
			   site->space > CT_SPACE_GLOBAL;
	struct ct_access_totals *to = &launch->global;

	add_count(
	    &totals->site[totals->first_site[counted->unit - totals->units] + counted->event->site],
	    counted->event);
	if ((class == CT_CLASS_EVENT || is_elsewhere) && !other_of(launch))
		return -ENOMEM;
	if (class == CT_CLASS_EVENT) {
		add_count(&launch->other->event[site->operation], counted->event);
		return 0;
	}
	if (is_elsewhere)
		to = &launch->other->space[site->space];
	else
		launch->records += counted->event->warps;
	add_count(&to->of[class], counted->event);
	if (site->flags & CT_SITE_REDUCTION)
		add_count(&to->reduction, counted->event);
	return 0;
}

int ct_totals_add_counts(struct ct_totals *totals, const struct ct_trace *trace,
			 const struct ct_filter *filter)
{
	const struct ct_count_info *counts;
	size_t count = ct_trace_counts(trace, &counts);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++)
		if (counts[i].launch && counts[i].unit &&
		    ct_filter_passes_count(filter, &counts[i]))
			err = add_counted(totals, &counts[i]);
	return err;
}

static void sum_count(struct ct_count *to, const struct ct_count *from)
{
	to->warps += from->warps;
	to->threads += from->threads;
	to->bytes += from->bytes;
}

static void sum_accesses(struct ct_access_totals *to, const struct ct_access_totals *from)
{
	for (int class = 0; class < CT_ACCESS_CLASSES; class ++)
		sum_count(&to->of[class], &from->of[class]);
	sum_count(&to->reduction, &from->reduction);
}

static int sum_others(struct ct_launch_totals *to, const struct ct_other_totals *from)
{
	if (!other_of(to))
		return -ENOMEM;
	for (uint32_t space = 0; space < CT_SPACES; space++)
		sum_accesses(&to->other->space[space], &from->space[space]);
	for (uint32_t operation = 0; operation < CT_OPERATIONS; operation++)
		sum_count(&to->other->event[operation], &from->event[operation]);
	return 0;
}

int ct_launch_totals_add(struct ct_launch_totals *to, const struct ct_launch_totals *from)
{
	sum_accesses(&to->global, &from->global);
	to->records += from->records;
	to->ahead += from->ahead;
	to->launches += from->launches;
	return from->other ? sum_others(to, from->other) : 0;
}

bool ct_launch_totals_is_bound(const struct ct_launch_totals *totals,
			       const struct ct_launch_info *launch)
{
	return totals->ahead && (launch->error || !launch->done);
}

static size_t site_count(const struct ct_totals *totals)
{
	return totals->first_site[totals->unit_count];
}

int ct_totals_join(struct ct_totals *totals, const struct ct_totals *from)
{
	int err = 0;

	for (size_t i = 0; i < site_count(totals); i++)
		sum_count(&totals->site[i], &from->site[i]);
	for (size_t i = 0; i < totals->launch_count && err == 0; i++)
		err = ct_launch_totals_add(&totals->launch[i], &from->launch[i]);
	return err;
}

/* A launch's or a site's, in bytes; those of a launch may have what is beside behind them. */
struct packed {
	uint64_t index;
	uint32_t is_launch, has_other;
	uint64_t records, ahead;
	struct ct_access_totals global;
	struct ct_count site;
};

static int pack_launch(const struct ct_launch_totals *launch, uint64_t index,
		       struct ct_buffer *bytes)
{
	const struct packed packed = {
	    .index = index,
	    .is_launch = 1,
	    .has_other = launch->other != NULL,
	    .records = launch->records,
	    .ahead = launch->ahead,
	    .global = launch->global,
	};

	if (!ct_buffer_append(bytes, &packed, sizeof(packed)))
		return -ENOMEM;
	if (launch->other && !ct_buffer_append(bytes, launch->other, sizeof(*launch->other)))
		return -ENOMEM;
	return 0;
}

int ct_totals_pack(const struct ct_totals *totals, struct ct_buffer *bytes)
{
	int err = 0;

	for (size_t i = 0; i < site_count(totals); i++) {
		const struct packed packed = {.index = i, .site = totals->site[i]};

		if (packed.site.warps && !ct_buffer_append(bytes, &packed, sizeof(packed)))
			return -ENOMEM;
	}
	for (size_t i = 0; i < totals->launch_count && err == 0; i++)
		if (totals->launch[i].records || totals->launch[i].other)
			err = pack_launch(&totals->launch[i], i, bytes);
	return err;
}

static int unpack_launch(struct ct_totals *totals, const struct packed *packed, const char **at,
			 const char *end)
{
	struct ct_launch_totals *launch = &totals->launch[packed->index];
	struct ct_other_totals other;

	sum_accesses(&launch->global, &packed->global);
	launch->records += packed->records;
	launch->ahead += packed->ahead;
	if (!packed->has_other)
		return 0;
	if ((size_t)(end - *at) < sizeof(other))
		return -EPROTO;
	memcpy(&other, *at, sizeof(other));
	*at += sizeof(other);
	return sum_others(launch, &other);
}

int ct_totals_unpack(struct ct_totals *totals, const void *bytes, size_t count)
{
	const char *at = bytes, *end = at + count;
	struct packed packed;
	int err = 0;

	while (at < end && err == 0) {
		if ((size_t)(end - at) < sizeof(packed))
			return -EPROTO;
		memcpy(&packed, at, sizeof(packed));
		at += sizeof(packed);
		if (packed.index >= (packed.is_launch ? totals->launch_count : site_count(totals)))
			return -EPROTO;
		if (packed.is_launch)
			err = unpack_launch(totals, &packed, &at, end);
		else
			sum_count(&totals->site[packed.index], &packed.site);
	}
	return err;
}

int ct_totals_finish(struct ct_totals *totals, const struct ct_filter *filter)
{
	int err = 0;

	for (size_t i = 0; i < totals->launch_count && err == 0; i++) {
		const struct ct_launch_info *launch = &totals->launches[i];
		size_t kernel;

		if (filter && !ct_filter_launch(filter, launch))
			continue;
		totals->launch[i].launches = 1;
		err = ct_launch_totals_add(&totals->sum, &totals->launch[i]);
		if (err < 0 || !launch->unit || launch->kernel_index == CT_NONE)
			continue;
		kernel = totals->first_kernel[launch->unit - totals->units] + launch->kernel_index;
		err = ct_launch_totals_add(&totals->kernel[kernel], &totals->launch[i]);
	}
	return err;
}

const struct ct_launch_totals *ct_totals_launch(const struct ct_totals *totals, size_t launch)
{
	return &totals->launch[launch];
}

const struct ct_count *ct_totals_site(const struct ct_totals *totals, size_t unit, size_t site)
{
	return &totals->site[totals->first_site[unit] + site];
}

const struct ct_launch_totals *ct_totals_kernel(const struct ct_totals *totals, size_t unit,
						size_t kernel)
{
	return &totals->kernel[totals->first_kernel[unit] + kernel];
}

const struct ct_launch_totals *ct_totals_sum(const struct ct_totals *totals)
{
	return &totals->sum;
}
