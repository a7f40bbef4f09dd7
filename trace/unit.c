/* SPDX-License-Identifier: Apache-2.0 */
/* Check a unit blob and take views into it. */
#include "unit.h"

#include <cudatrace/error.h>
#include <stdbool.h>

/* Clang itself gives up far earlier; longer chains run in a circle. */
#define CT_INLINE_DEPTH_MAX 4096u

/* Whether the counts of the header add up to the size of the blob. */
static bool is_complete(const struct ct_unit_header *header, size_t bytes)
{
	uint64_t sum = header->header_bytes;

	sum += (uint64_t)header->kernel_count * sizeof(struct ct_unit_kernel);
	sum += (uint64_t)header->param_count * sizeof(struct ct_unit_param);
	sum += (uint64_t)header->site_count * sizeof(struct ct_unit_site);
	sum += (uint64_t)header->frame_count * sizeof(struct ct_unit_frame);
	sum += header->string_bytes;
	return sum == bytes;
}

/* Offset 0 is "" and the last string is terminated, hence all are. */
static bool has_sound_strings(const struct ct_unit *unit)
{
	uint32_t bytes = unit->header->string_bytes;

	return bytes > 0 && unit->strings[0] == '\0' && unit->strings[bytes - 1] == '\0';
}

static bool is_string(const struct ct_unit *unit, uint32_t offset)
{
	return offset < unit->header->string_bytes;
}

static bool is_index(uint32_t index, uint32_t count)
{
	return index == CT_NONE || index < count;
}

static bool is_sound_kernel(const struct ct_unit *unit, const struct ct_unit_kernel *kernel)
{
	return is_string(unit, kernel->name) && is_string(unit, kernel->display) &&
	       is_string(unit, kernel->file) && is_string(unit, kernel->reason) &&
	       (uint64_t)kernel->param_first + kernel->param_count <= unit->header->param_count;
}

static bool is_sound_site(const struct ct_unit *unit, const struct ct_unit_site *site)
{
	return is_string(unit, site->function) && is_string(unit, site->file) &&
	       is_string(unit, site->variable) && is_string(unit, site->reason) &&
	       is_index(site->kernel, unit->header->kernel_count) &&
	       is_index(site->inlined_at, unit->header->frame_count);
}

static bool is_sound_frame(const struct ct_unit *unit, uint32_t i)
{
	const struct ct_unit_frame *frame = &unit->frames[i];

	return is_string(unit, frame->function) && is_string(unit, frame->file) &&
	       is_index(frame->inlined_at, unit->header->frame_count) && frame->inlined_at != i;
}

/* Whether every chain of inlined_at ends, within CT_INLINE_DEPTH_MAX frames. */
static bool do_chains_end(const struct ct_unit *unit)
{
	uint32_t count = unit->header->frame_count;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t steps = 0;

		for (uint32_t at = i; at != CT_NONE; at = unit->frames[at].inlined_at)
			if (steps++ >= CT_INLINE_DEPTH_MAX)
				return false;
	}
	return true;
}

static bool are_tables_sound(const struct ct_unit *unit)
{
	const struct ct_unit_header *header = unit->header;

	if (!is_string(unit, header->source))
		return false;
	for (uint32_t i = 0; i < header->kernel_count; i++)
		if (!is_sound_kernel(unit, &unit->kernels[i]))
			return false;
	for (uint32_t i = 0; i < header->param_count; i++)
		if (!is_string(unit, unit->params[i].name) ||
		    !is_string(unit, unit->params[i].type))
			return false;
	for (uint32_t i = 0; i < header->site_count; i++)
		if (!is_sound_site(unit, &unit->sites[i]))
			return false;
	for (uint32_t i = 0; i < header->frame_count; i++)
		if (!is_sound_frame(unit, i))
			return false;
	return do_chains_end(unit);
}

int ct_unit_view(struct ct_unit *unit, const void *blob, size_t bytes)
{
	const struct ct_unit_header *header = blob;

	if (bytes < sizeof(*header) || header->magic != CT_UNIT_MAGIC || header->version == 0)
		return -CT_EFORMAT;
	if (header->version > CT_UNIT_VERSION)
		return -CT_EVERSION;
	if (header->header_bytes < sizeof(*header) || header->header_bytes % 8 != 0 ||
	    !is_complete(header, bytes))
		return -CT_EFORMAT;

	unit->header = header;
	unit->kernels = (const void *)((const char *)blob + header->header_bytes);
	unit->params = (const void *)(unit->kernels + header->kernel_count);
	unit->sites = (const void *)(unit->params + header->param_count);
	unit->frames = (const void *)(unit->sites + header->site_count);
	unit->strings = (const void *)(unit->frames + header->frame_count);
	return has_sound_strings(unit) && are_tables_sound(unit) ? 0 : -CT_EFORMAT;
}

const char *ct_unit_string(const struct ct_unit *unit, uint32_t offset)
{
	return is_string(unit, offset) ? unit->strings + offset : "";
}
