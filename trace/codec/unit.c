/* SPDX-License-Identifier: Apache-2.0 */
/* Check a unit blob and take views into it. */
#include "trace/codec/unit.h"

#include <cudatrace/error.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Clang itself gives up far earlier; longer chains run in a circle. */
#define CT_INLINE_DEPTH_MAX 4096u

static size_t site_bytes(const struct ct_unit_header *header)
{
	return header->version == 1 ? CT_UNIT_V1_SITE_BYTES : sizeof(struct ct_unit_site);
}

static size_t step_bytes(const struct ct_unit_header *header)
{
	return header->version < 4 ? CT_UNIT_V3_STEP_BYTES : sizeof(struct ct_unit_step);
}

/* Whether the counts of the header add up to the size of the blob. */
static bool is_complete(const struct ct_unit_header *header, size_t bytes)
{
	uint64_t sum = header->header_bytes;

	if (header->version >= 3) {
		sum += (uint64_t)header->block_count * sizeof(struct ct_unit_block);
		sum += (uint64_t)header->mix_count * sizeof(struct ct_unit_mix);
		sum += (uint64_t)header->step_count * step_bytes(header);
		sum += (uint64_t)header->next_count * sizeof(uint32_t);
	}
	if (header->version >= 4) {
		sum += (uint64_t)header->variable_count * sizeof(struct ct_unit_variable);
		sum += (uint64_t)header->statement_count * sizeof(struct ct_unit_statement);
		sum += (uint64_t)header->call_count * sizeof(struct ct_unit_call);
		sum += (uint64_t)header->outcome_count * sizeof(struct ct_unit_outcome);
		sum += (uint64_t)header->share_count * sizeof(struct ct_unit_share);
		sum += (uint64_t)header->list_count * sizeof(uint32_t);
	}
	sum += (uint64_t)header->kernel_count * sizeof(struct ct_unit_kernel);
	sum += (uint64_t)header->param_count * sizeof(struct ct_unit_param);
	sum += (uint64_t)header->site_count * site_bytes(header);
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
	       is_string(unit, site->pattern) &&
	       is_index(site->kernel, unit->header->kernel_count) &&
	       is_index(site->inlined_at, unit->header->frame_count);
}

static bool is_sound_frame(const struct ct_unit *unit, uint32_t i)
{
	const struct ct_unit_frame *frame = &unit->frames[i];

	return is_string(unit, frame->function) && is_string(unit, frame->file) &&
	       is_index(frame->inlined_at, unit->header->frame_count) && frame->inlined_at != i;
}

static bool is_range(uint32_t first, uint32_t count, uint32_t end)
{
	return (uint64_t)first + count <= end;
}

static bool is_sound_block(const struct ct_unit *unit, uint32_t i)
{
	const struct ct_unit_header *header = unit->header;
	const struct ct_unit_block *block = &unit->blocks[i];

	return is_string(unit, block->function) && is_string(unit, block->file) &&
	       is_string(unit, block->pattern) && is_index(block->kernel, header->kernel_count) &&
	       is_index(block->site, header->site_count) &&
	       is_range(block->mix_first, block->mix_count, header->mix_count) &&
	       is_range(block->step_first, block->step_count, header->step_count) &&
	       is_range(block->next_first, block->next_count, header->next_count) &&
	       block->number <= i;
}

/* Only blocks of the same function, which stand together from its number 0 on, may be next. */
static bool has_sound_arcs(const struct ct_unit *unit, uint32_t i)
{
	const struct ct_unit_block *block = &unit->blocks[i];

	for (uint32_t n = 0; n < block->next_count; n++) {
		uint64_t to = (uint64_t)i - block->number + unit->next[block->next_first + n];

		if (to >= unit->header->block_count ||
		    unit->blocks[to].number != unit->next[block->next_first + n])
			return false;
	}
	return true;
}

static bool are_blocks_sound(const struct ct_unit *unit)
{
	for (uint32_t i = 0; i < unit->header->block_count; i++)
		if (!is_sound_block(unit, i))
			return false;
	for (uint32_t i = 0; i < unit->header->block_count; i++)
		if (!has_sound_arcs(unit, i))
			return false;
	return true;
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

/* Where a list begins, and all of it, is in the table, and so are the variables. */
static bool is_list(const struct ct_unit *unit, uint32_t at)
{
	uint32_t end = unit->header->list_count;

	if (at == 0)
		return true;
	if (at >= end || unit->list[at] >= end - at)
		return false;
	for (uint32_t i = 1; i <= unit->list[at]; i++)
		if (unit->list[at + i] >= unit->header->variable_count)
			return false;
	return true;
}

/* Parents come before their parts, so that chains of them end. */
static bool is_sound_variable(const struct ct_unit *unit, uint32_t i)
{
	const struct ct_unit_variable *v = &unit->variables[i];

	return is_string(unit, v->function) && is_string(unit, v->name) &&
	       is_string(unit, v->type) && is_string(unit, v->exit) && is_string(unit, v->file) &&
	       (v->parent == CT_NONE || v->parent < i);
}

static bool is_sound_statement(const struct ct_unit *unit, const struct ct_unit_statement *s)
{
	return is_string(unit, s->function) && is_string(unit, s->file) &&
	       is_list(unit, s->blamed) && is_list(unit, s->nearest) && is_list(unit, s->leaving) &&
	       is_list(unit, s->written) && is_list(unit, s->read);
}

static bool is_sound_call(const struct ct_unit *unit, const struct ct_unit_call *call)
{
	return is_string(unit, call->function) && is_string(unit, call->file) &&
	       is_string(unit, call->callee) &&
	       is_range(call->outcome_first, call->outcome_count, unit->header->outcome_count);
}

static bool is_sound_outcome(const struct ct_unit *unit, const struct ct_unit_outcome *outcome)
{
	return is_string(unit, outcome->exit) && is_list(unit, outcome->blamed) &&
	       is_list(unit, outcome->nearest) && is_list(unit, outcome->leaving) &&
	       is_list(unit, outcome->direct);
}

static bool is_sound_share(const struct ct_unit *unit, uint32_t i)
{
	const struct ct_unit_share *share = &unit->shares[i];

	return share->block < unit->header->block_count &&
	       share->frame < unit->header->frame_count &&
	       (i == 0 || share[-1].block <= share->block);
}

static bool is_blame_sound(const struct ct_unit *unit)
{
	const struct ct_unit_header *header = unit->header;

	for (uint32_t i = 0; i < header->variable_count; i++)
		if (!is_sound_variable(unit, i))
			return false;
	for (uint32_t i = 0; i < header->statement_count; i++)
		if (!is_sound_statement(unit, &unit->statements[i]))
			return false;
	for (uint32_t i = 0; i < header->call_count; i++)
		if (!is_sound_call(unit, &unit->calls[i]))
			return false;
	for (uint32_t i = 0; i < header->outcome_count; i++)
		if (!is_sound_outcome(unit, &unit->outcomes[i]))
			return false;
	for (uint32_t i = 0; i < header->share_count; i++)
		if (!is_sound_share(unit, i))
			return false;
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
	return are_blocks_sound(unit) && do_chains_end(unit) && is_blame_sound(unit);
}

/* The least header of the version, which has all that it writes. */
static size_t least_header(uint16_t version)
{
	return version == 1   ? CT_UNIT_V1_HEADER_BYTES
	       : version == 2 ? CT_UNIT_V2_HEADER_BYTES
	       : version == 3 ? CT_UNIT_V3_HEADER_BYTES
			      : sizeof(struct ct_unit_header);
}

/* Version and sizes. */
static int check_header(const void *blob, size_t bytes)
{
	const struct ct_unit_header *header = blob;

	if (bytes < CT_UNIT_V1_HEADER_BYTES || header->magic != CT_UNIT_MAGIC ||
	    header->version == 0)
		return -CT_EFORMAT;
	if (header->version > CT_UNIT_VERSION)
		return -CT_EVERSION;
	if (header->header_bytes < least_header(header->version) || header->header_bytes % 8 != 0 ||
	    header->header_bytes > bytes || !is_complete(header, bytes))
		return -CT_EFORMAT;
	return 0;
}

int ct_unit_view(struct ct_unit *unit, const void *blob, size_t bytes)
{
	const struct ct_unit_header *header = blob;
	int err = check_header(blob, bytes);

	if (err < 0)
		return err;
	if (header->version != CT_UNIT_VERSION)
		return -CT_EFORMAT;
	unit->header = header;
	unit->kernels = (const void *)((const char *)blob + header->header_bytes);
	unit->params = (const void *)(unit->kernels + header->kernel_count);
	unit->sites = (const void *)(unit->params + header->param_count);
	unit->frames = (const void *)(unit->sites + header->site_count);
	unit->blocks = (const void *)(unit->frames + header->frame_count);
	unit->mix = (const void *)(unit->blocks + header->block_count);
	unit->steps = (const void *)(unit->mix + header->mix_count);
	unit->next = (const void *)(unit->steps + header->step_count);
	unit->variables = (const void *)(unit->next + header->next_count);
	unit->statements = (const void *)(unit->variables + header->variable_count);
	unit->calls = (const void *)(unit->statements + header->statement_count);
	unit->outcomes = (const void *)(unit->calls + header->call_count);
	unit->shares = (const void *)(unit->outcomes + header->outcome_count);
	unit->list = (const void *)(unit->shares + header->share_count);
	unit->strings = (const void *)(unit->list + header->list_count);
	return has_sound_strings(unit) && are_tables_sound(unit) ? 0 : -CT_EFORMAT;
}

/* Entries of `from_bytes` become such of `to_bytes`, what they lack 0. Both go on behind them. */
static void widen(char **to, const char **from, uint32_t count, size_t to_bytes, size_t from_bytes)
{
	for (uint32_t i = 0; i < count; i++) {
		memcpy(*to, *from, from_bytes);
		*from += from_bytes;
		*to += to_bytes;
	}
}

static void convert_header(struct ct_unit_header *header, const struct ct_unit_header *old)
{
	memcpy(header, old, least_header(old->version));
	if (old->version == 1) {
		header->spaces = 1u << CT_SPACE_GLOBAL;
		header->kinds = CT_KIND_LOAD | CT_KIND_STORE | CT_KIND_ATOMIC;
	}
	header->version = CT_UNIT_VERSION;
	header->header_bytes = sizeof(*header);
}

int ct_unit_convert(const void *blob, size_t bytes, void **converted, size_t *converted_bytes)
{
	const struct ct_unit_header *old = blob;
	struct ct_unit_header *header;
	struct ct_unit_step *steps;
	size_t first, middle, last, old_bytes;
	const char *from;
	char *to;
	int err = check_header(blob, bytes);

	*converted = NULL;
	if (err < 0)
		return err;
	if (old->version == CT_UNIT_VERSION)
		return 0;
	old_bytes = old->site_count * site_bytes(old);
	first = (size_t)old->kernel_count * sizeof(struct ct_unit_kernel) +
		(size_t)old->param_count * sizeof(struct ct_unit_param);
	middle = (size_t)old->frame_count * sizeof(struct ct_unit_frame);
	header = calloc(1, sizeof(*header));
	if (!header)
		return -ENOMEM;
	convert_header(header, old);
	middle += header->block_count * sizeof(struct ct_unit_block) +
		  header->mix_count * sizeof(struct ct_unit_mix);
	old_bytes += header->step_count * step_bytes(old);
	last = bytes - old->header_bytes - first - middle - old_bytes;
	*converted_bytes = sizeof(*header) + first + middle + last +
			   header->site_count * sizeof(struct ct_unit_site) +
			   header->step_count * sizeof(struct ct_unit_step);
	to = calloc(1, *converted_bytes);
	if (to)
		memcpy(to, header, sizeof(*header));
	free(header);
	if (!to)
		return -ENOMEM;
	*converted = header = (void *)to;
	from = (const char *)blob + old->header_bytes;
	to += sizeof(*header);
	memcpy(to, from, first);
	to += first;
	from += first;
	widen(&to, &from, header->site_count, sizeof(struct ct_unit_site), site_bytes(old));
	memcpy(to, from, middle);
	to += middle;
	from += middle;
	steps = (void *)to;
	widen(&to, &from, header->step_count, sizeof(*steps), step_bytes(old));
	for (uint32_t i = 0; i < header->step_count; i++)
		steps[i].used_in = CT_NONE;
	memcpy(to, from, last);
	return 0;
}

const char *ct_unit_string(const struct ct_unit *unit, uint32_t offset)
{
	return is_string(unit, offset) ? unit->strings + offset : "";
}
