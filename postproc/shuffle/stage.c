/* SPDX-License-Identifier: Apache-2.0 */
/* Stages that take records out of shuffles into sums have this in common. */
#include "postproc/shuffle/stage.h"

#include <errno.h>
#include <stdlib.h>

const uint64_t ct_stage_all_of_key[2] = {UINT64_MAX, UINT64_MAX};
const uint64_t ct_stage_first_of_key[2] = {UINT64_MAX, 0};

int ct_stage_shuffle(struct ct_shuffle **out, const struct ct_room *room, size_t record_bytes,
		     uint32_t partitions, uint64_t memory_bytes, const uint64_t mask[2])
{
	const struct ct_shuffle_options options = {
	    .record_bytes = record_bytes,
	    .partitions = partitions,
	    .writers = room->threads,
	    .readers = room->threads,
	    .memory_bytes = memory_bytes,
	    .key_mask = {mask[0], mask[1]},
	    .directory = room->directory,
	    .ranks = room->ranks,
	};

	return ct_shuffle_open(out, &options);
}

int ct_stage_open(void **state, size_t bytes, void *job)
{
	struct ct_stage_part *part = calloc(1, bytes);

	*state = part;
	if (!part)
		return -ENOMEM;
	part->job = job;
	return ct_sums_open(&part->sums);
}

void ct_stage_close(void *state)
{
	if (state)
		ct_sums_close(((struct ct_stage_part *)state)->sums);
	free(state);
}

int ct_stage_join(struct ct_sums *sums, void *const *states, uint32_t count, uint32_t part)
{
	int err = 0;

	for (uint32_t i = 0; i < count && err == 0; i++)
		err =
		    ct_sums_merge_part(sums, ((const struct ct_stage_part *)states[i])->sums, part);
	return err;
}
