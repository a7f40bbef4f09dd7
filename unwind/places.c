/* SPDX-License-Identifier: Apache-2.0 */
/* Places that any thread has met, so that threads learn from each other. */
#include "unwind/places.h"
#include "base/map.h"
#include "unwind/cfi.h"
#include "unwind/lock.h"
#include <stdlib.h>
#include <string.h>

static struct ct_map places; /* of struct ct_stack_place * */
static uint32_t generation;  /* that they hold for */

static void empty(void)
{
	for (struct ct_map_entry *e = NULL; (e = ct_map_next(&places, e));)
		free(e->value.pointer);
	ct_map_clear(&places);
}

static bool find(struct ct_stack_place *place)
{
	union ct_map_value *value;

	pthread_mutex_lock(&ct_stacks_lock);
	if (generation != ct_modules_generation)
		empty();
	generation = ct_modules_generation;
	value = ct_map_find(&places, place->address, 0);
	if (value)
		*place = *(struct ct_stack_place *)value->pointer;
	pthread_mutex_unlock(&ct_stacks_lock);
	return value;
}

static void add(const struct ct_stack_place *place)
{
	struct ct_stack_place *copy = malloc(sizeof(*copy));
	union ct_map_value *value = copy ? ct_map_put(&places, place->address, 0) : NULL;

	if (!value || value->pointer) {
		free(copy);
		return;
	}
	*copy = *place;
	value->pointer = copy;
}

/* Frames of code of no file are left to the unwinder: whoever has made it may tell it more. */
static void learn(struct ct_stack_place *place)
{
	pthread_mutex_lock(&ct_stacks_lock);
	place->module = ct_modules_find(place->address - 1);
	if (!place->module && place->step.kind != CT_STEP_UNKNOWN)
		place->step.kind = CT_STEP_HARD;
	if (place->module && generation == ct_modules_generation)
		add(place);
	pthread_mutex_unlock(&ct_stacks_lock);
}

struct ct_stack_place ct_place_of(uintptr_t address)
{
	struct ct_stack_place place = {.address = address};

	ct_modules_check();
	if (find(&place))
		return place;
	place.step = ct_cfi_step(address, &place.function);
	learn(&place);
	return place;
}

void ct_places_forget(void)
{
	places = (struct ct_map){0};
}
