/* SPDX-License-Identifier: Apache-2.0 */
/* Device memory over time. */
#include "postproc/analysis/values/memory.h"

#include <errno.h>
#include <stdlib.h>

static bool is_on_device(const struct ct_values_lifetime *life)
{
	return life->object->event->kind != CT_OBJECT_HOST;
}

/* Bytes that begin, less those that end, at each superstep. */
static void add_span(int64_t *change, uint32_t first, uint32_t end, uint64_t bytes)
{
	change[first] += (int64_t)bytes;
	change[end] -= (int64_t)bytes;
}

int ct_values_memory_replay(struct ct_values_figures *figures, size_t steps)
{
	struct ct_values_memory *memory = &figures->memory;
	int64_t *lived = calloc(steps + 2, sizeof(*lived)), *needed, sum = 0, least = 0;
	int err = 0;

	needed = calloc(steps + 2, sizeof(*needed));
	memory->bytes = calloc(steps + 1, sizeof(*memory->bytes));
	memory->needed = calloc(steps + 1, sizeof(*memory->needed));
	if (!lived || !needed || !memory->bytes || !memory->needed)
		err = -ENOMEM;
	for (size_t i = 0; i < figures->lives && err == 0; i++) {
		const struct ct_values_lifetime *life = &figures->life[i];
		uint64_t bytes = life->object->event->bytes;

		if (!is_on_device(life))
			continue;
		add_span(lived, life->born, life->died, bytes);
		if (!life->is_sure || life->object->event->kind == CT_OBJECT_VARIABLE)
			add_span(needed, life->born, life->died, bytes);
		else if (life->first != CT_NONE)
			add_span(needed, life->first, life->last + 1, bytes);
	}
	for (size_t s = 0; s < steps && err == 0; s++) {
		sum += lived[s];
		least += needed[s];
		memory->bytes[s] = (uint64_t)sum;
		memory->needed[s] = (uint64_t)least;
		if (memory->bytes[s] > memory->peak) {
			memory->peak = memory->bytes[s];
			memory->peak_step = (uint32_t)s;
		}
		if (memory->needed[s] > memory->needed_peak)
			memory->needed_peak = memory->needed[s];
	}
	memory->steps = steps;
	free(lived);
	free(needed);
	return err;
}
