/* SPDX-License-Identifier: Apache-2.0 */
/* Choose accesses by launch, kernel, site, CTA, warp, operation and space. */
#include "postproc/facts/filter.h"
#include "postproc/facts/lanes.h"
#include "postproc/facts/operation.h"
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ct_filter {
	const struct ct_launch_info *launches;
	size_t launch_count;
	uint64_t first_launch, last_launch;
	uint8_t *kernel_passes; /* per launch; NULL: all */
	char *file;             /* with line; NULL: none */
	uint64_t line;
	uint64_t site;       /* UINT64_MAX: any */
	unsigned cta_fields; /* 0: any; 1: linear; 2, 3: coordinates */
	uint64_t cta[3];
	uint64_t warp;             /* UINT64_MAX: any */
	uint8_t *operation_passes; /* by operation; NULL: all */
	uint32_t space;            /* CT_SPACE_GENERIC: any */
};

int ct_filter_open(struct ct_filter **out, const struct ct_trace *trace)
{
	struct ct_filter *filter = calloc(1, sizeof(*filter));

	*out = filter;
	if (!filter)
		return -ENOMEM;
	filter->launch_count = ct_trace_launches(trace, &filter->launches);
	filter->last_launch = UINT64_MAX;
	filter->site = UINT64_MAX;
	filter->warp = UINT64_MAX;
	return 0;
}

void ct_filter_close(struct ct_filter *filter)
{
	if (!filter)
		return;
	free(filter->kernel_passes);
	free(filter->file);
	free(filter->operation_passes);
	free(filter);
}

void ct_filter_launches(struct ct_filter *filter, uint64_t first, uint64_t last)
{
	filter->first_launch = first;
	filter->last_launch = last;
}

int ct_filter_kernel(struct ct_filter *filter, const char *text, char *why, size_t why_bytes)
{
	regex_t regex;
	int err = regcomp(&regex, text, REG_EXTENDED | REG_NOSUB);

	if (err) {
		regerror(err, &regex, why, why_bytes);
		return -EINVAL;
	}
	filter->kernel_passes = calloc(filter->launch_count + 1, 1);
	for (size_t i = 0; filter->kernel_passes && i < filter->launch_count; i++)
		filter->kernel_passes[i] =
		    !regexec(&regex, filter->launches[i].kernel, 0, NULL, 0) ||
		    !regexec(&regex, filter->launches[i].kernel_name, 0, NULL, 0);
	regfree(&regex);
	return filter->kernel_passes ? 0 : -ENOMEM;
}

static int read_number(const char **text, uint64_t *out)
{
	char *end;

	if (**text < '0' || **text > '9')
		return -EINVAL;
	errno = 0;
	*out = strtoull(*text, &end, 10);
	*text = end;
	return errno ? -EINVAL : 0;
}

int ct_filter_site(struct ct_filter *filter, const char *text)
{
	const char *colon = strrchr(text, ':'), *number = colon ? colon + 1 : text;
	uint64_t value;

	if (read_number(&number, &value) < 0 || *number || colon == text)
		return -EINVAL;
	if (!colon) {
		filter->site = value;
		return 0;
	}
	filter->line = value;
	filter->file = strndup(text, (size_t)(colon - text));
	return filter->file ? 0 : -ENOMEM;
}

int ct_filter_cta(struct ct_filter *filter, const char *text)
{
	unsigned fields = 0;

	memset(filter->cta, 0, sizeof(filter->cta));
	for (;;) {
		if (fields == 3 || read_number(&text, &filter->cta[fields]) < 0)
			return -EINVAL;
		fields++;
		if (!*text)
			break;
		if (*text++ != ',')
			return -EINVAL;
	}
	filter->cta_fields = fields;
	return 0;
}

void ct_filter_warp(struct ct_filter *filter, uint64_t warp)
{
	filter->warp = warp;
}

int ct_filter_operation(struct ct_filter *filter, const char *text)
{
	int known = 0;

	filter->operation_passes = calloc(CT_OPERATIONS, 1);
	if (!filter->operation_passes)
		return -ENOMEM;
	for (uint32_t operation = 1; operation < CT_OPERATIONS; operation++) {
		int wanted = !strcmp(ct_operation_text(operation), text) ||
			     !strcmp(ct_class_text(ct_operation_class(operation)), text);

		filter->operation_passes[operation] = (uint8_t)wanted;
		known |= wanted;
	}
	return known ? 0 : -EINVAL;
}

void ct_filter_space(struct ct_filter *filter, const char *text)
{
	filter->space = !strcmp(text, "global")     ? CT_SPACE_GLOBAL
			: !strcmp(text, "shared")   ? CT_SPACE_SHARED
			: !strcmp(text, "constant") ? CT_SPACE_CONSTANT
						    : CT_SPACE_LOCAL;
}

uint32_t ct_filter_single_launch(const struct ct_filter *filter)
{
	if (filter->first_launch == filter->last_launch && filter->first_launch <= UINT32_MAX)
		return (uint32_t)filter->first_launch;
	return 0;
}

/* wanted names file, perhaps without leading directories */
static int same_file(const char *file, const char *wanted)
{
	size_t have = strlen(file), want = strlen(wanted);

	if (want > have || strcmp(file + have - want, wanted))
		return 0;
	return want == have || wanted[0] == '/' || file[have - want - 1] == '/';
}

static int cta_passes(const struct ct_filter *filter, const struct ct_access *access)
{
	const uint32_t *grid = access->launch->event->grid;
	uint64_t width = grid[0], height = grid[1];

	if (!filter->cta_fields)
		return 1;
	if (filter->cta_fields == 1)
		return access->cta == filter->cta[0];
	return filter->cta[0] < width && filter->cta[1] < height &&
	       access->cta == filter->cta[0] + width * (filter->cta[1] + height * filter->cta[2]);
}

/* The site's own place or that of a call it was inlined through. */
static int place_passes(const struct ct_filter *filter, const struct ct_access *access)
{
	const struct ct_unit *unit = access->unit;
	uint32_t at = access->info->inlined_at;

	if (access->info->line == filter->line &&
	    same_file(ct_unit_string(unit, access->info->file), filter->file))
		return 1;
	for (; at != CT_NONE; at = unit->frames[at].inlined_at)
		if (unit->frames[at].line == filter->line &&
		    same_file(ct_unit_string(unit, unit->frames[at].file), filter->file))
			return 1;
	return 0;
}

int ct_filter_passes(const struct ct_filter *filter, const struct ct_access *access)
{
	uint32_t launch = access->launch->event->launch;

	if (launch < filter->first_launch || launch > filter->last_launch)
		return 0;
	if (filter->kernel_passes && !filter->kernel_passes[access->launch - filter->launches])
		return 0;
	if (filter->warp != UINT64_MAX && access->warp != filter->warp)
		return 0;
	if (filter->site != UINT64_MAX && access->site != filter->site)
		return 0;
	if (filter->file && !place_passes(filter, access))
		return 0;
	if (filter->operation_passes && !filter->operation_passes[access->info->operation])
		return 0;
	return cta_passes(filter, access);
}

int ct_filter_passes_space(const struct ct_filter *filter, const struct ct_access *access)
{
	if (filter->space == CT_SPACE_GENERIC)
		return 1;
	return access && ct_lanes_in(access, filter->space);
}
