/* SPDX-License-Identifier: Apache-2.0 */
/* Number the sites of all units one after another, and note what each does to memory. */
#include "host-rt/counts/units.h"
#include "host-rt/base/registry.h"
#include <stdlib.h>
#include <string.h>

enum {
	CLASS_LOAD = CT_COUNTS_READS,
	CLASS_STORE = CT_COUNTS_WRITES,
	CLASS_ATOMIC = CT_COUNTS_READS | CT_COUNTS_WRITES,
	CLASS_EVENT = 0
};

static const uint8_t effect_of[256] = {
#define CT_OPERATION(id, name, text, class, memtrace) [id] = CLASS_##class,
#include <cudatrace/operations.def>
#undef CT_OPERATION
};

static struct ct_counts_units *current;

static int compare_blobs(const void *a, const void *b)
{
	const struct ct_unit_header *x = *(const struct ct_unit_header *const *)a;
	const struct ct_unit_header *y = *(const struct ct_unit_header *const *)b;
	uint32_t of_x = ct_unit_tag(x->unit_id), of_y = ct_unit_tag(y->unit_id);

	if (of_x != of_y)
		return of_x < of_y ? -1 : 1;
	return x->arch < y->arch ? -1 : x->arch > y->arch;
}

/* All blobs, each unit and architecture once. Returns how many. */
static uint32_t gather(const struct ct_unit_header **blob, uint64_t room)
{
	uint32_t count = 0, kept = 0;

	for (struct ct_registered_unit *u = ct_registry_units(); u && count < room; u = u->next)
		blob[count++] = u->blob;
	qsort(blob, count, sizeof(*blob), compare_blobs);
	for (uint32_t i = 0; i < count; i++)
		if (!i || compare_blobs(&blob[i], &blob[kept - 1]))
			blob[kept++] = blob[i];
	return kept;
}

const struct ct_unit_site *ct_counts_unit_sites(const struct ct_unit_header *unit)
{
	const char *at = (const char *)unit + unit->header_bytes;

	at += (uint64_t)unit->kernel_count * sizeof(struct ct_unit_kernel);
	at += (uint64_t)unit->param_count * sizeof(struct ct_unit_param);
	return (const struct ct_unit_site *)at;
}

static int number_sites(struct ct_counts_units *units)
{
	uint64_t sites = 0;

	for (uint32_t i = 0; i < units->unit_count; i++) {
		const struct ct_unit_header *blob = units->blob[i];

		units->unit[i] = (struct ct_counts_unit){ct_unit_tag(blob->unit_id), blob->arch,
							 (uint32_t)sites, blob->site_count};
		sites += blob->site_count;
	}
	if (sites >= UINT32_MAX)
		return -1;
	units->site_count = (uint32_t)sites;
	units->operations = calloc(sites + 1, sizeof(*units->operations));
	if (!units->operations)
		return -1;
	for (uint32_t i = 0; i < units->unit_count; i++)
		for (uint32_t s = 0; s < units->blob[i]->site_count; s++)
			units->operations[units->unit[i].first + s] =
			    effect_of[ct_counts_unit_sites(units->blob[i])[s].operation];
	return 0;
}

static void discard(struct ct_counts_units *units)
{
	if (!units)
		return;
	free(units->unit);
	free(units->blob);
	free(units->operations);
	free(units);
}

const struct ct_counts_units *ct_counts_units_now(void)
{
	uint64_t registered = ct_registry_unit_count();
	struct ct_counts_units *units;

	if (current && current->registered == registered)
		return current;
	units = calloc(1, sizeof(*units));
	if (!units)
		return NULL;
	units->registered = registered;
	units->blob = calloc(registered + 1, sizeof(*units->blob));
	units->unit = calloc(registered + 1, sizeof(*units->unit));
	if (!units->blob || !units->unit)
		goto fail;
	units->unit_count = gather(units->blob, registered);
	if (units->unit_count > CT_COUNTS_UNITS || number_sites(units) < 0)
		goto fail;
	current = units;
	return units;

fail:
	discard(units);
	return NULL;
}

int ct_counts_units_find(const struct ct_counts_units *units, uint64_t unit_id, uint32_t arch)
{
	for (uint32_t i = 0; i < units->unit_count; i++)
		if (units->blob[i]->unit_id == unit_id && units->blob[i]->arch == arch)
			return (int)i;
	return -1;
}

const struct ct_unit_header *ct_counts_units_site(const struct ct_counts_units *units,
						  uint32_t counter, uint32_t *site)
{
	uint32_t low = 0, high = units->unit_count;

	if (counter >= units->site_count)
		return NULL;
	while (high - low > 1) {
		uint32_t middle = (low + high) / 2;

		if (units->unit[middle].first <= counter)
			low = middle;
		else
			high = middle;
	}
	*site = counter - units->unit[low].first;
	return units->blob[low];
}
