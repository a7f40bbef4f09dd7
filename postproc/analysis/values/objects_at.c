/* SPDX-License-Identifier: Apache-2.0 */
/* Which object lives at an address when a superstep begins. */
#include "postproc/analysis/values/engine.h"

#include <errno.h>
#include <stdlib.h>

static int compare_address(const void *a, const void *b, void *user)
{
	const struct ct_object_info *first = user;
	const struct ct_object_info *x = &first[*(const uint32_t *)a];
	const struct ct_object_info *y = &first[*(const uint32_t *)b];

	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	if (x->event->address != y->event->address)
		return x->event->address < y->event->address ? -1 : 1;
	return x->born < y->born ? -1 : x->born > y->born;
}

int ct_value_sort_objects(struct ct_value_engine *engine)
{
	engine->objects = ct_trace_objects(engine->trace, &engine->first_object);
	engine->by_address = malloc((engine->objects + 1) * sizeof(*engine->by_address));
	if (!engine->by_address)
		return -ENOMEM;
	for (uint32_t i = 0; i < engine->objects; i++)
		engine->by_address[i] = i;
	qsort_r(engine->by_address, engine->objects, sizeof(*engine->by_address), compare_address,
		(void *)(uintptr_t)engine->first_object);
	return 0;
}

uint32_t ct_value_object_at(const struct ct_value_engine *engine, uint32_t step, uint64_t address)
{
	const struct ct_superstep *at = &engine->superstep[step];
	size_t low = 0, high = engine->objects;

	while (low < high) { /* the first that begins behind it, or later */
		size_t middle = low + (high - low) / 2;
		const struct ct_object_info *object =
		    &engine->first_object[engine->by_address[middle]];

		if (object->part < at->part ||
		    (object->part == at->part &&
		     (object->event->address < address ||
		      (object->event->address == address && object->born < at->event_index))))
			low = middle + 1;
		else
			high = middle;
	}
	while (low-- > 0) {
		uint32_t number = engine->by_address[low];
		const struct ct_object_info *object = &engine->first_object[number];

		if (object->part != at->part)
			break;
		if (object->born > at->event_index || object->died < at->event_index)
			continue;
		return address - object->event->address < object->event->bytes ? number : CT_NONE;
	}
	return CT_NONE;
}
