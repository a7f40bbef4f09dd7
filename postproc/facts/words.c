/* SPDX-License-Identifier: Apache-2.0 */
/* Sites, launches and objects in the words that all outputs use. */
#include "postproc/facts/words.h"
#include <stdio.h>
#include <string.h>

const char *ct_words_location(const struct ct_unit *unit, const struct ct_unit_site *site,
			      char *buffer, size_t bytes)
{
	return ct_place_text(ct_place_of(unit, site), buffer, bytes);
}

const char *ct_words_type(const struct ct_unit_site *site, char *buffer, size_t bytes)
{
	static const char *const prefix[] = {"bytes", "i", "f", "ptr", "bf"};
	uint32_t kind = site->scalar <= CT_SCALAR_BFLOAT ? site->scalar : CT_SCALAR_UNKNOWN;

	if (kind == CT_SCALAR_UNKNOWN)
		snprintf(buffer, bytes, "bytes");
	else if (site->vector_length > 1)
		snprintf(buffer, bytes, "%s%ux%u", prefix[kind], site->scalar_bits,
			 site->vector_length);
	else
		snprintf(buffer, bytes, "%s%u", prefix[kind], site->scalar_bits);
	return buffer;
}

const char *ct_words_verdict(const struct ct_unit_site *site)
{
	switch (site->verdict) {
	case CT_VERDICT_GLOBAL:
		return site->space == CT_SPACE_GLOBAL ? "global" : "definite";
	case CT_VERDICT_CHECKED:
		return "checked";
	case CT_VERDICT_SKIPPED:
		return "skipped";
	case CT_VERDICT_ELSEWHERE:
		return "elsewhere";
	case CT_VERDICT_FILTERED:
		return "filtered";
	default:
		return "unknown";
	}
}

const char *ct_words_space(uint32_t space)
{
	switch (space) {
	case CT_SPACE_GENERIC:
		return "generic";
	case CT_SPACE_GLOBAL:
		return "global";
	case CT_SPACE_SHARED:
		return "shared";
	case CT_SPACE_CONSTANT:
		return "constant";
	case CT_SPACE_LOCAL:
		return "local";
	default:
		return "unknown";
	}
}

const char *ct_words_tier(uint32_t tier)
{
	return tier == CT_TIER_COUNTS   ? "counts"
	       : tier == CT_TIER_VALUES ? "values"
	       : tier == CT_TIER_BLOCKS ? "blocks"
	       : tier == CT_TIER_CLOCK  ? "clock"
					: "full";
}

const char *ct_words_kind(uint32_t bit)
{
	static const char *const text[] = {"load", "store", "atomic"};

	return bit < sizeof(text) / sizeof(*text) ? text[bit] : "unknown";
}

const char *ct_words_event(uint32_t bit)
{
	static const char *const text[] = {"barrier", "block", "cta", "host"};

	return bit < sizeof(text) / sizeof(*text) ? text[bit] : "unknown";
}

const char *ct_words_object_kind(uint32_t kind)
{
	switch (kind) {
	case CT_OBJECT_DEVICE:
		return "device";
	case CT_OBJECT_MANAGED:
		return "managed";
	case CT_OBJECT_HOST:
		return "host";
	case CT_OBJECT_VARIABLE:
		return "variable";
	default:
		return "unknown";
	}
}

const char *ct_words_extent(const uint32_t extent[3], char *buffer, size_t bytes)
{
	if (extent[2] != 1)
		snprintf(buffer, bytes, "%u,%u,%u", extent[0], extent[1], extent[2]);
	else if (extent[1] != 1)
		snprintf(buffer, bytes, "%u,%u", extent[0], extent[1]);
	else
		snprintf(buffer, bytes, "%u", extent[0]);
	return buffer;
}

const char *ct_words_descriptor(const char *descriptor, char *buffer, size_t bytes)
{
	char file[512], line[32], path[512];

	ct_site_field(descriptor, 1, file, sizeof(file));
	ct_site_field(descriptor, 2, line, sizeof(line));
	if (!*file)
		snprintf(buffer, bytes, "%s", "");
	else
		snprintf(buffer, bytes, "%s:%s", ct_place_path(file, path, sizeof(path)), line);
	return buffer;
}

const char *ct_words_object(const struct ct_object_info *object, char *buffer, size_t bytes)
{
	if (*object->name)
		snprintf(buffer, bytes, "%s", object->name);
	else
		snprintf(buffer, bytes, "object %u", object->event->object);
	return buffer;
}

void ct_words_cta(const struct ct_launch_info *launch, uint64_t linear, uint32_t cta[3])
{
	uint64_t width = launch->event->grid[0] ? launch->event->grid[0] : 1;
	uint64_t height = launch->event->grid[1] ? launch->event->grid[1] : 1;

	cta[0] = (uint32_t)(linear % width);
	cta[1] = (uint32_t)(linear / width % height);
	cta[2] = (uint32_t)(linear / width / height);
}
