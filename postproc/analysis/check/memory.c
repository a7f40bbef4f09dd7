/* SPDX-License-Identifier: Apache-2.0 */
/* Objects around an address, and those that parameters point into. */
#include "postproc/analysis/check/memory.h"
#include "base/map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NOTHING_BELOW 65536u /* the first pages, which no system hands out */
#define CPU_GRANULE 256u     /* of device memory (cpu-target/runtime/memory) */
#define GPU_GRANULE 512u     /* of cudaMalloc */
#define NEAR 64u             /* of a pointer to the end of an array, or before its begin */

static uint64_t end_of(const struct ct_object_info *object)
{
	uint64_t end = object->event->address + object->event->bytes;

	return end < object->event->address ? UINT64_MAX : end;
}

static uint64_t granule_of(const struct ct_trace *trace)
{
	const struct ct_device_info *devices;

	return ct_trace_devices(trace, &devices) && devices->event->is_cpu_target ? CPU_GRANULE
										  : GPU_GRANULE;
}

/* Memory of which allocations take whole granules. */
static bool takes_granules(const struct ct_object_info *object)
{
	return object->event->kind == CT_OBJECT_DEVICE || object->event->kind == CT_OBJECT_MANAGED;
}

const struct ct_object_info *ct_check_object_at(const struct ct_trace *trace, uint32_t part,
						uint64_t address, uint64_t index)
{
	const struct ct_object_info *object, *last = NULL;
	size_t count = ct_trace_objects(trace, &object);

	for (size_t i = 0; i < count; i++, object++)
		if (object->part == part && object->allocated_at < index &&
		    address >= object->event->address &&
		    address - object->event->address < object->event->bytes)
			last = object;
	return last;
}

bool ct_check_lives(const struct ct_object_info *object, uint64_t index)
{
	return object && object->freed_at > index;
}

struct ct_check_found ct_check_find(const struct ct_trace *trace,
				    const struct ct_launch_info *launch, uint64_t address)
{
	const struct ct_object_info *object, *freed = NULL, *behind = NULL;
	size_t count = ct_trace_objects(trace, &object);
	uint64_t granule = granule_of(trace), at = launch->event_index;

	if (address < NOTHING_BELOW)
		return (struct ct_check_found){CT_CHECK_NOWHERE, NULL};
	for (size_t i = 0; i < count; i++, object++) {
		uint64_t begin = object->event->address, end = end_of(object);

		if (object->part != launch->part || object->allocated_at > at || address < begin)
			continue;
		if (address < end && ct_check_lives(object, at))
			return (struct ct_check_found){CT_CHECK_LIVE, object};
		if (address < end && (!freed || object->freed_at > freed->freed_at))
			freed = object;
		else if (address >= end && address - end < granule &&
			 address / granule == (end - 1) / granule && takes_granules(object) &&
			 ct_check_lives(object, at))
			behind = object;
	}
	if (behind)
		return (struct ct_check_found){CT_CHECK_BEHIND, behind};
	if (freed)
		return (struct ct_check_found){CT_CHECK_FREED, freed};
	return (struct ct_check_found){CT_CHECK_UNKNOWN, NULL};
}

/* "const float *__restrict", as host-rt decides it (launch/given.c). */
static bool is_pointer(const char *type)
{
	const char *star = strrchr(type, '*');

	return star && !strchr(star, '>');
}

/* Which of its pointers a parameter is, from 0; of how many: *pointers. -1: it is none, or
 * another one has its name. */
static int number_of(const struct ct_launch_info *launch, const char *name, size_t *pointers)
{
	const struct ct_unit *unit = launch->unit;
	const struct ct_unit_kernel *kernel = &unit->kernels[launch->kernel_index];
	int number = -1, named = 0;

	*pointers = 0;
	for (uint32_t i = 0; i < kernel->param_count; i++) {
		const struct ct_unit_param *param = &unit->params[kernel->param_first + i];
		bool is_named = !strcmp(ct_unit_string(unit, param->name), name);

		named += is_named;
		if (!is_pointer(ct_unit_string(unit, param->type)))
			continue;
		if (is_named)
			number = (int)*pointers;
		++*pointers;
	}
	return named == 1 ? number : -1;
}

/* A pointer near the end of one object and the begin of the next may be of either. */
static bool is_of_one(const struct ct_trace *trace, const struct ct_launch_info *launch,
		      const struct ct_object_info *object, uint64_t address)
{
	const struct ct_object_info *other;

	if (address - object->event->address < NEAR) {
		other = ct_trace_object_at(trace, launch, object->event->address - 1);
		if (other && other != object)
			return false;
	}
	other = end_of(object) - address <= NEAR ? ct_trace_object_at(trace, launch, end_of(object))
						 : NULL;
	return !other || other == object;
}

struct ct_check_givens {
	const struct ct_trace *trace;
	const struct ct_host_event *event;
	size_t count;
	struct ct_map first; /* key: part, launch; number of its first event, from 1 */
};

int ct_check_givens_open(struct ct_check_givens **out, const struct ct_trace *trace)
{
	struct ct_check_givens *givens = calloc(1, sizeof(*givens));

	*out = givens;
	if (!givens)
		return -ENOMEM;
	givens->trace = trace;
	givens->count = ct_trace_events(trace, CT_EVENT_GIVEN, &givens->event);
	for (size_t i = 0; i < givens->count; i++) {
		const struct ct_host_event *event = &givens->event[i];
		union ct_map_value *first =
		    ct_map_put(&givens->first, event->part, event->given->launch);

		if (!first)
			return -ENOMEM;
		if (!first->number)
			first->number = i + 1;
	}
	return 0;
}

void ct_check_givens_close(struct ct_check_givens *givens)
{
	if (!givens)
		return;
	ct_map_fini(&givens->first);
	free(givens);
}

/* The address of a pointer by its number, if the launch has events for all of them; 0: not known,
 * or null. A launch's events are one behind another. */
static uint64_t address_of(const struct ct_check_givens *givens,
			   const struct ct_launch_info *launch, size_t number, size_t pointers)
{
	const union ct_map_value *first =
	    ct_map_find(&givens->first, launch->part, launch->event->launch);
	uint64_t address = 0;
	size_t seen = 0;

	for (size_t i = first ? first->number - 1 : givens->count; i < givens->count; i++) {
		const struct ct_host_event *event = &givens->event[i];

		if (event->part != launch->part || event->given->launch != launch->event->launch)
			break;
		if ((!event->given->address && !(event->given->flags & CT_GIVEN_NULL)) ||
		    event->given->flags & CT_GIVEN_MEMBER)
			continue;
		if (seen++ == number)
			address = event->given->address;
	}
	return seen == pointers ? address : 0;
}

const struct ct_object_info *ct_check_given(const struct ct_check_givens *givens,
					    const struct ct_launch_info *launch, const char *name,
					    uint64_t *given)
{
	const struct ct_object_info *object;
	size_t pointers = 0;
	int number = launch->unit && launch->kernel_index != CT_NONE
			 ? number_of(launch, name, &pointers)
			 : -1;

	*given = number >= 0 ? address_of(givens, launch, (size_t)number, pointers) : 0;
	object = *given ? ct_trace_object_at(givens->trace, launch, *given) : NULL;
	return object && is_of_one(givens->trace, launch, object, *given) ? object : NULL;
}
