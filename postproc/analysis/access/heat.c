/* SPDX-License-Identifier: Apache-2.0 */
/* Sectors by where in objects they are. */
#include "postproc/analysis/access/heat.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FEW_BINS 4u /* of so many extents each */
#define BYTES (CT_ACCESS_HEAT_BINS * sizeof(uint64_t))

int ct_access_heat_init(struct ct_access_heat *heat, uint32_t groups)
{
	heat->sectors = calloc((size_t)groups + 1, sizeof(*heat->sectors));
	heat->groups = heat->sectors ? groups : 0;
	return heat->sectors ? 0 : -ENOMEM;
}

void ct_access_heat_fini(struct ct_access_heat *heat)
{
	for (uint32_t g = 0; g < heat->groups; g++)
		free(heat->sectors[g]);
	free(heat->sectors);
	*heat = (struct ct_access_heat){.groups = 0};
}

static uint64_t *bins_of(struct ct_access_heat *heat, uint32_t group)
{
	if (!heat->sectors[group])
		heat->sectors[group] = calloc(CT_ACCESS_HEAT_BINS, sizeof(uint64_t));
	return heat->sectors[group];
}

static inline uint32_t bin_of(uint64_t address, uint64_t begin, double scale)
{
	int64_t offset = address > begin ? (int64_t)(address - begin) : 0;
	uint32_t bin =
	    (uint32_t)((double)offset * scale); /* of signed ones it is one instruction */

	return bin < CT_ACCESS_HEAT_BINS ? bin : CT_ACCESS_HEAT_BINS - 1;
}

/* The bins of the first and the last sector: extents are ascending, and so are bins. False: lanes
 * of ranges may have no bytes. */
static bool find_span(const struct ct_access_request *request, uint64_t begin, double scale,
		      uint32_t span[2])
{
	uint64_t first = request->extent[0].begin / CT_SECTOR_BYTES;
	uint64_t last = (request->extent[request->extents - 1].end - 1) / CT_SECTOR_BYTES;

	if (request->pattern == CT_ACCESS_RANGE || !request->used)
		return false;
	span[0] = bin_of(first * CT_SECTOR_BYTES, begin, scale);
	span[1] = bin_of(last * CT_SECTOR_BYTES, begin, scale);
	return true;
}

/* Sectors of a bin on their way there. Where the next mostly are of the same, they wait for them:
 * adding to one bin again and again takes as long as the processor needs to store and load it. */
struct adding {
	uint64_t *bins, sectors;
	uint32_t bin;
	bool waits;
};

static inline void add_sectors(struct adding *adding, uint32_t bin, uint64_t sectors)
{
	if (!adding->waits) {
		adding->bins[bin] += sectors;
		return;
	}
	if (bin != adding->bin) {
		adding->bins[adding->bin] += adding->sectors;
		adding->bin = bin;
		adding->sectors = 0;
	}
	adding->sectors += sectors;
}

static void add_extents(struct adding *adding, const struct ct_access_request *request,
			uint64_t begin, double scale)
{
	uint64_t next = 0;

	for (uint32_t i = 0; i < request->extents; i++) {
		const struct ct_access_extent *extent = &request->extent[i];
		uint64_t first = extent->begin / CT_SECTOR_BYTES;
		uint64_t end = (extent->end + CT_SECTOR_BYTES - 1) / CT_SECTOR_BYTES;
		uint64_t last = end * CT_SECTOR_BYTES - CT_SECTOR_BYTES;
		uint32_t bin, bin_last;

		first = first > next ? first : next;
		next = end > next ? end : next;
		if (first >= end)
			continue;
		/* A sector counts where the first byte of it is that is the object's. */
		bin = bin_of(first * CT_SECTOR_BYTES, begin, scale);
		bin_last = first + 1 == end ? bin : bin_of(last, begin, scale);
		if (bin == bin_last)
			add_sectors(adding, bin, end - first);
		else
			for (uint64_t s = first; s < end; s++)
				add_sectors(adding, bin_of(s * CT_SECTOR_BYTES, begin, scale), 1);
	}
}

int ct_access_heat_add(struct ct_access_heat *heat, uint32_t group,
		       const struct ct_access_request *request, uint64_t begin, double scale)
{
	struct adding adding = {.bins = bins_of(heat, group)};
	uint32_t span[2];

	if (!adding.bins)
		return -ENOMEM;
	if (find_span(request, begin, scale, span)) {
		if (span[0] == span[1]) {
			adding.bins[span[0]] += request->sectors;
			return 0;
		}
		adding.waits = (span[1] - span[0]) * FEW_BINS < request->extents;
	}
	add_extents(&adding, request, begin, scale);
	adding.bins[adding.bin] += adding.sectors;
	return 0;
}

int ct_access_heat_join(struct ct_access_heat *heat, const struct ct_access_heat *from)
{
	for (uint32_t g = 0; g < from->groups; g++) {
		uint64_t *bins = from->sectors[g] ? bins_of(heat, g) : NULL;

		if (from->sectors[g] && !bins)
			return -ENOMEM;
		for (uint32_t b = 0; bins && b < CT_ACCESS_HEAT_BINS; b++)
			bins[b] += from->sectors[g][b];
	}
	return 0;
}

int ct_access_heat_pack(const struct ct_access_heat *heat, struct ct_buffer *bytes)
{
	for (uint32_t g = 0; g < heat->groups; g++) {
		uint64_t group = g;

		if (heat->sectors[g] && (!ct_buffer_append(bytes, &group, sizeof(group)) ||
					 !ct_buffer_append(bytes, heat->sectors[g], BYTES)))
			return -ENOMEM;
	}
	return 0;
}

int ct_access_heat_unpack(struct ct_access_heat *heat, const void *bytes, size_t count)
{
	const char *at = bytes;
	uint64_t group, sectors[CT_ACCESS_HEAT_BINS], *bins;

	for (; count >= sizeof(group) + BYTES; count -= sizeof(group) + BYTES) {
		memcpy(&group, at, sizeof(group));
		memcpy(sectors, at + sizeof(group), BYTES);
		at += sizeof(group) + BYTES;
		if (group >= heat->groups)
			return -EPROTO;
		bins = bins_of(heat, (uint32_t)group);
		if (!bins)
			return -ENOMEM;
		for (uint32_t b = 0; b < CT_ACCESS_HEAT_BINS; b++)
			bins[b] += sectors[b];
	}
	return count ? -EPROTO : 0;
}

uint64_t ct_access_heat_sum(const struct ct_access_heat *heat, uint32_t group)
{
	uint64_t sum = 0;

	for (uint32_t b = 0; heat->sectors[group] && b < CT_ACCESS_HEAT_BINS; b++)
		sum += heat->sectors[group][b];
	return sum;
}
