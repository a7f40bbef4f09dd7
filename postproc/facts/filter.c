/* SPDX-License-Identifier: Apache-2.0 */
/* A selection applied to a trace: launches, sites and objects are finished when it is opened. */
#include "postproc/facts/filter.h"
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_FIELD 1
#define LINE_FIELD 2
#define VARIABLE_FIELD 5

struct ct_filter {
	const struct ct_launch_info *launches;
	const struct ct_object_info *objects;
	const struct ct_unit *units;
	size_t launch_count, object_count, unit_count, passing_launches;
	uint8_t *launch; /* by launch, 1: passes; NULL: all do; the next two likewise */
	uint8_t *object;
	uint8_t **site; /* by unit */
	const char *missing;
	struct ct_cta_choice *cta; /* copied */
	size_t ctas;
};

static bool is_in(const struct ct_id_span *span, size_t count, uint64_t id)
{
	for (size_t i = 0; i < count; i++)
		if (id >= span[i].first && id <= span[i].last)
			return true;
	return count == 0;
}

static int finish_launches(struct ct_filter *filter, const struct ct_selection *selection)
{
	bool has_kernels = selection->kernels != NULL;
	regex_t regex;

	filter->passing_launches = filter->launch_count;
	if (!has_kernels && !selection->launches && !selection->streams)
		return 0;
	filter->launch = calloc(filter->launch_count + 1, 1);
	if (!filter->launch)
		return -ENOMEM;
	if (has_kernels && regcomp(&regex, selection->kernels, REG_EXTENDED | REG_NOSUB))
		return -EINVAL;
	filter->passing_launches = 0;
	for (size_t i = 0; i < filter->launch_count; i++) {
		const struct ct_launch_info *launch = &filter->launches[i];

		filter->launch[i] =
		    is_in(selection->launch, selection->launches, launch->event->launch) &&
		    is_in(selection->stream, selection->streams, launch->event->stream) &&
		    (!has_kernels || !regexec(&regex, launch->kernel, 0, NULL, 0) ||
		     !regexec(&regex, launch->kernel_name, 0, NULL, 0));
		filter->passing_launches += filter->launch[i];
	}
	if (has_kernels)
		regfree(&regex);
	return 0;
}

/* wanted names file, perhaps without leading directories */
static bool same_file(const char *file, const char *wanted)
{
	size_t have = strlen(file), want = strlen(wanted);

	if (want > have || strcmp(file + have - want, wanted))
		return false;
	return want == have || wanted[0] == '/' || file[have - want - 1] == '/';
}

/* The site's own place or that of a call it was inlined through. */
static bool is_at(const struct ct_unit *unit, const struct ct_unit_site *site,
		  const struct ct_site_choice *choice)
{
	if (site->line == choice->number &&
	    same_file(ct_unit_string(unit, site->file), choice->file))
		return true;
	for (uint32_t at = site->inlined_at; at != CT_NONE; at = unit->frames[at].inlined_at)
		if (unit->frames[at].line == choice->number &&
		    same_file(ct_unit_string(unit, unit->frames[at].file), choice->file))
			return true;
	return false;
}

static int finish_sites(struct ct_filter *filter, const struct ct_selection *selection)
{
	if (!selection->sites)
		return 0;
	filter->site = calloc(filter->unit_count + 1, sizeof(*filter->site));
	if (!filter->site)
		return -ENOMEM;
	for (size_t u = 0; u < filter->unit_count; u++) {
		const struct ct_unit *unit = &filter->units[u];

		filter->site[u] = calloc(unit->header->site_count + 1u, 1);
		if (!filter->site[u])
			return -ENOMEM;
		for (uint32_t s = 0; s < unit->header->site_count; s++)
			for (size_t i = 0; i < selection->sites; i++)
				filter->site[u][s] |=
				    selection->site[i].file
					? is_at(unit, &unit->sites[s], &selection->site[i])
					: selection->site[i].number == s;
	}
	return 0;
}

/* By variable, by place of the allocation, or by number. */
static bool is_meant(const struct ct_object_info *object, const char *name)
{
	char file[4096], line[32], place[4160], variable[256], *end;
	unsigned long long id = strtoull(name, &end, 10);

	if (*name && !*end && object->event->object == id)
		return true;
	ct_site_field(object->site, VARIABLE_FIELD, variable, sizeof(variable));
	if (!strcmp(object->name, name) || (*variable && !strcmp(variable, name)) ||
	    (*object->caller && same_file(object->caller, name)))
		return true;
	ct_site_field(object->site, FILE_FIELD, file, sizeof(file));
	ct_site_field(object->site, LINE_FIELD, line, sizeof(line));
	snprintf(place, sizeof(place), "%s:%s", file, line);
	return *file && same_file(place, name);
}

static int finish_objects(struct ct_filter *filter, const struct ct_selection *selection)
{
	if (!selection->objects)
		return 0;
	filter->object = calloc(filter->object_count + 1, 1);
	if (!filter->object)
		return -ENOMEM;
	for (size_t i = 0; i < selection->objects; i++) {
		bool found = false;

		for (size_t o = 0; o < filter->object_count; o++) {
			if (!is_meant(&filter->objects[o], selection->object[i]))
				continue;
			filter->object[o] = 1;
			found = true;
		}
		if (!found && !filter->missing)
			filter->missing = selection->object[i];
	}
	return 0;
}

static int finish_ctas(struct ct_filter *filter, const struct ct_selection *selection)
{
	if (!selection->ctas)
		return 0;
	filter->ctas = selection->ctas;
	filter->cta = malloc(selection->ctas * sizeof(*filter->cta));
	if (!filter->cta)
		return -ENOMEM;
	memcpy(filter->cta, selection->cta, selection->ctas * sizeof(*filter->cta));
	return 0;
}

int ct_filter_open(struct ct_filter **out, const struct ct_trace *trace,
		   const struct ct_selection *selection)
{
	struct ct_filter *filter = calloc(1, sizeof(*filter));
	int err;

	*out = NULL;
	if (!filter)
		return -ENOMEM;
	filter->launch_count = ct_trace_launches(trace, &filter->launches);
	filter->object_count = ct_trace_objects(trace, &filter->objects);
	filter->unit_count = ct_trace_units(trace, &filter->units);
	err = finish_launches(filter, selection);
	if (err == 0)
		err = finish_sites(filter, selection);
	if (err == 0)
		err = finish_objects(filter, selection);
	if (err == 0)
		err = finish_ctas(filter, selection);
	if (err == 0)
		*out = filter;
	else
		ct_filter_close(filter);
	return err;
}

void ct_filter_close(struct ct_filter *filter)
{
	if (!filter)
		return;
	for (size_t u = 0; filter->site && u < filter->unit_count; u++)
		free(filter->site[u]);
	free(filter->site);
	free(filter->launch);
	free(filter->object);
	free(filter->cta);
	free(filter);
}

const uint8_t *ct_filter_launches(const struct ct_filter *filter)
{
	return filter->launch;
}

const uint8_t *const *ct_filter_sites(const struct ct_filter *filter)
{
	return (const uint8_t *const *)filter->site;
}

size_t ct_filter_launch_count(const struct ct_filter *filter)
{
	return filter->passing_launches;
}

int ct_filter_check(const struct ct_filter *filter, const struct ct_trace *trace, char *why,
		    size_t why_bytes)
{
	char kernels[300];
	size_t launches = ct_trace_tell_kernels(trace, kernels, sizeof(kernels));

	if (filter->missing)
		snprintf(why, why_bytes, "%s: there is no object '%s'", ct_trace_directory(trace),
			 filter->missing);
	else if (!ct_filter_launch_count(filter) && launches)
		snprintf(why, why_bytes,
			 "%s: no launch is left by the selection; the trace has %zu, of %s",
			 ct_trace_directory(trace), launches, kernels);
	else
		return 0;
	return -EINVAL;
}

bool ct_filter_launch(const struct ct_filter *filter, const struct ct_launch_info *launch)
{
	return !filter->launch || filter->launch[launch - filter->launches];
}

bool ct_filter_object(const struct ct_filter *filter, const struct ct_object_info *object)
{
	return !filter->object || (object && filter->object[object - filter->objects]);
}

bool ct_filter_all_objects(const struct ct_filter *filter)
{
	return !filter->object;
}

static bool is_cta(const struct ct_cta_choice *choice, const uint32_t grid[3], uint64_t cta)
{
	uint64_t width = grid[0], height = grid[1];

	if (!choice->axes)
		return cta >= choice->linear.first && cta <= choice->linear.last;
	return choice->at[0] < width && choice->at[1] < height &&
	       cta == choice->at[0] + width * (choice->at[1] + height * choice->at[2]);
}

bool ct_filter_passes_at(const struct ct_filter *filter, const struct ct_launch_info *launch,
			 uint64_t cta, const struct ct_unit *unit, uint32_t site)
{
	if (!ct_filter_launch(filter, launch))
		return false;
	if (filter->site && !filter->site[unit - filter->units][site])
		return false;
	for (size_t i = 0; i < filter->ctas; i++)
		if (is_cta(&filter->cta[i], launch->event->grid, cta))
			return true;
	return filter->ctas == 0;
}

bool ct_filter_has_ctas(const struct ct_filter *filter)
{
	return filter->ctas != 0;
}

bool ct_filter_passes_count(const struct ct_filter *filter, const struct ct_count_info *count)
{
	if (!filter)
		return true;
	if (filter->ctas || filter->object || !ct_filter_launch(filter, count->launch))
		return false;
	return !filter->site ||
	       (count->unit && filter->site[count->unit - filter->units][count->event->site]);
}

uint32_t ct_filter_lanes(const struct ct_filter *filter, const struct ct_access *access,
			 struct ct_locator *locator)
{
	uint32_t lanes = 0;

	if (!ct_filter_passes(filter, access))
		return 0;
	if (!filter->object)
		return access->mask;
	for (uint32_t rest = access->mask; rest; rest &= rest - 1) {
		uint64_t address = access->address[__builtin_ctz(rest)];

		if (ct_filter_object(filter, ct_locate(locator, access->launch, address)))
			lanes |= rest & -rest;
	}
	return lanes;
}
