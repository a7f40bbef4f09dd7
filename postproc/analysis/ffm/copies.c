/* SPDX-License-Identifier: Apache-2.0 */
/* Copies by what they move, each against those before it. */
#include "postproc/analysis/ffm/copies.h"
#include "base/large.h"
#include "trace/read/live.h"
#include <errno.h>
#include <stdlib.h>

#define EARLIER 8u /* copies of the same bytes that are looked at */

struct finding {
	const struct ct_ffm_memory *memory;
	struct ct_ffm_found *found;
	struct ct_map by_hash; /* -> the last copy + 1 of these bytes */
	uint32_t *earlier;     /* by copy: the one before it of the same bytes, + 1; 0: none */
	struct ct_live wrote;  /* by target: the copy that wrote it last */
};

/* The copy's bytes are at its target still, for all that copies, memsets and frees have done. */
static bool is_left(struct finding *finding, uint32_t c, uint64_t index)
{
	const struct ct_ffm_memory *memory = finding->memory;
	const struct ct_ffm_copy *copy = &memory->copy[c];
	const struct ct_live_range *range = ct_live_find(&finding->wrote, copy->target);

	if (!range || range->object != c)
		return false;
	return copy->target_object == CT_FFM_NONE ||
	       memory->object[copy->target_object].freed_at > index;
}

/* The bytes' source is as the copy has found it. */
static bool is_source_left(struct finding *finding, uint32_t c, uint64_t index)
{
	const struct ct_ffm_memory *memory = finding->memory;
	const struct ct_ffm_copy *copy = &memory->copy[c];
	const struct ct_live_range *range =
	    ct_live_overlap(&finding->wrote, copy->source, copy->source_end);

	if (range && memory->copy[range->object].index > copy->index)
		return false;
	return copy->source_object == CT_FFM_NONE ||
	       memory->object[copy->source_object].freed_at > index;
}

/* Nor have kernels: none was launched between. Of the host's memory nothing is known. */
static bool is_held(const struct ct_ffm_memory *memory, uint32_t object, uint64_t from,
		    uint64_t until)
{
	return object != CT_FFM_NONE && memory->object[object].kind == CT_OBJECT_DEVICE &&
	       ct_ffm_launches_until(memory, from) == ct_ffm_launches_until(memory, until);
}

static bool is_way_back(uint32_t way, uint32_t of)
{
	return (way == CT_COPY_TO_DEVICE && of == CT_COPY_TO_HOST) ||
	       (way == CT_COPY_TO_HOST && of == CT_COPY_TO_DEVICE);
}

/* Compares with the last of the earlier copies of the same bytes that will do. */
static void compare_with(struct finding *finding, uint32_t c, uint32_t last)
{
	const struct ct_ffm_memory *memory = finding->memory;
	const struct ct_ffm_copy *copy = &memory->copy[c];
	struct ct_ffm_found *found = &finding->found[c];

	for (uint32_t i = 0; last && i < EARLIER; i++, last = finding->earlier[last - 1]) {
		uint32_t e = last - 1;
		const struct ct_ffm_copy *other = &memory->copy[e];

		if (other->device != copy->device || other->bytes != copy->bytes)
			continue;
		if (is_way_back(copy->way, other->way) && other->target == copy->source &&
		    is_source_left(finding, e, copy->index)) {
			*found = (struct ct_ffm_found){
			    CT_FFM_COPY_ROUND_TRIP,
			    is_held(memory, other->source_object, other->index, copy->index), e};
			return;
		}
		if (found->kind == CT_FFM_COPY_NEW && other->way == copy->way &&
		    other->target != copy->target && is_left(finding, e, copy->index))
			*found = (struct ct_ffm_found){
			    CT_FFM_COPY_REUSED,
			    is_held(memory, other->target_object, other->index, copy->index), e};
	}
}

/* The copy that has put the bytes there: they may have come in another way. */
static uint32_t first_at(const struct finding *finding, uint32_t c, uint32_t last)
{
	const struct ct_ffm_copy *copy = finding->memory->copy;

	for (uint32_t i = 0; last && i < EARLIER; i++, last = finding->earlier[last - 1])
		if (copy[last - 1].target == copy[c].target)
			return finding->found[last - 1].kind == CT_FFM_COPY_REPEATED &&
				       finding->found[last - 1].first != CT_FFM_NONE
				   ? finding->found[last - 1].first
				   : last - 1;
	return CT_FFM_NONE;
}

/* Copies or memsets have written some of its target, since that was allocated; or one has moved
 * these bytes from there, or, of pageable memory, from or to anywhere. last: that moved them. */
static bool is_known_target(struct finding *finding, const struct ct_ffm_copy *copy, uint32_t last)
{
	const struct ct_ffm_memory *memory = finding->memory;
	const struct ct_live_range *range =
	    ct_live_overlap(&finding->wrote, copy->target, copy->target_end);
	uint64_t allocated_at = 0;

	if (copy->target_object == CT_FFM_NONE)
		return range || last;
	allocated_at = memory->object[copy->target_object].allocated_at;
	if (range && memory->copy[range->object].index > allocated_at)
		return true;
	for (uint32_t i = 0; last && i < EARLIER; i++, last = finding->earlier[last - 1])
		if (memory->copy[last - 1].source == copy->target &&
		    memory->copy[last - 1].index > allocated_at)
			return true;
	return false;
}

static int look_at(struct finding *finding, uint32_t c)
{
	const struct ct_ffm_copy *copy = &finding->memory->copy[c];
	struct ct_ffm_found *found = &finding->found[c];
	union ct_map_value *last;
	bool is_fresh;

	if (!copy->is_known || !copy->bytes)
		return 0;
	last = ct_map_put(&finding->by_hash, copy->hash[0], copy->hash[1]);
	if (!last)
		return -ENOMEM;
	is_fresh = !is_known_target(finding, copy, (uint32_t)last->number);
	if (copy->same_bytes == copy->bytes && !is_fresh)
		*found = (struct ct_ffm_found){CT_FFM_COPY_REPEATED, true,
					       first_at(finding, c, (uint32_t)last->number)};
	else
		compare_with(finding, c, (uint32_t)last->number);
	if (found->kind == CT_FFM_COPY_NEW && copy->same_bytes && !is_fresh &&
	    copy->same_bytes < copy->bytes)
		found->kind = CT_FFM_COPY_PARTLY;
	finding->earlier[c] = (uint32_t)last->number;
	last->number = (uint64_t)c + 1;
	return 0;
}

/* A target that it overwrites in part is no copy's target any more. */
static int note_target(struct finding *finding, uint32_t c)
{
	const struct ct_ffm_copy *copy = &finding->memory->copy[c];
	const struct ct_live_range *other;

	if (copy->target >= copy->target_end)
		return 0;
	while ((other = ct_live_overlap(&finding->wrote, copy->target, copy->target_end)))
		ct_live_remove(&finding->wrote, other->begin, other->object);
	return ct_live_insert(&finding->wrote,
			      &(struct ct_live_range){copy->target, copy->target_end, c});
}

int ct_ffm_find_copies(const struct ct_ffm_memory *memory, struct ct_ffm_found *found)
{
	struct finding finding = {.memory = memory, .found = found};
	int err = 0;

	finding.earlier = ct_large_alloc(memory->copies + 1, sizeof(*finding.earlier));
	if (!finding.earlier)
		return -ENOMEM;
	for (size_t c = 0; c < memory->copies && err == 0; c++) {
		found[c] = (struct ct_ffm_found){.first = CT_FFM_NONE};
		err = look_at(&finding, (uint32_t)c);
		if (err == 0)
			err = note_target(&finding, (uint32_t)c);
	}
	ct_large_free(finding.earlier);
	ct_map_fini(&finding.by_hash);
	ct_live_fini(&finding.wrote);
	return err;
}
