/* SPDX-License-Identifier: Apache-2.0 */
/* Counts per launch and per site. */
#include "totals.h"
#include <errno.h>
#include <stdlib.h>

struct ct_totals {
	const struct ct_launch_info *launches;
	size_t launch_count;
	const struct ct_unit *units;
	size_t unit_count;
	struct ct_launch_totals *launch;
	size_t *first_site; /* of each unit, in site */
	struct ct_site_totals *site;
};

static int allocate_sites(struct ct_totals *totals)
{
	size_t sites = 0;

	totals->first_site = calloc(totals->unit_count + 1, sizeof(*totals->first_site));
	if (!totals->first_site)
		return -ENOMEM;
	for (size_t i = 0; i < totals->unit_count; i++) {
		totals->first_site[i] = sites;
		sites += totals->units[i].header->site_count;
	}
	totals->site = calloc(sites + 1, sizeof(*totals->site));
	return totals->site ? 0 : -ENOMEM;
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
	if (!totals->launch || allocate_sites(totals) < 0) {
		ct_totals_close(totals);
		return -ENOMEM;
	}
	*out = totals;
	return 0;
}

void ct_totals_close(struct ct_totals *totals)
{
	if (!totals)
		return;
	free(totals->launch);
	free(totals->first_site);
	free(totals->site);
	free(totals);
}

void ct_totals_add(struct ct_totals *totals, const struct ct_access *access)
{
	struct ct_launch_totals *launch = &totals->launch[access->launch - totals->launches];
	enum ct_class class = ct_operation_class(access->info->operation);
	uint32_t threads = (uint32_t)__builtin_popcount(access->mask);
	size_t unit = (size_t)(access->launch->unit - totals->units);
	struct ct_site_totals *site = &totals->site[totals->first_site[unit] + access->site];

	launch->accesses[class] += threads;
	launch->bytes[class] += (uint64_t)threads * access->info->bytes;
	launch->records++;
	site->executions++;
	site->accesses += threads;
}

const struct ct_launch_totals *ct_totals_launch(const struct ct_totals *totals, size_t launch)
{
	return &totals->launch[launch];
}

const struct ct_site_totals *ct_totals_site(const struct ct_totals *totals, size_t unit,
					    size_t site)
{
	return &totals->site[totals->first_site[unit] + site];
}

struct ct_launch_totals ct_totals_sum(const struct ct_totals *totals)
{
	struct ct_launch_totals sum = {.records = 0};

	for (size_t i = 0; i < totals->launch_count; i++) {
		for (int class = 0; class < CT_CLASSES; class ++) {
			sum.accesses[class] += totals->launch[i].accesses[class];
			sum.bytes[class] += totals->launch[i].bytes[class];
		}
		sum.records += totals->launch[i].records;
	}
	return sum;
}
