/* SPDX-License-Identifier: Apache-2.0 */
/* Objects around an address, and those that parameters point into. */
#include "postproc/analysis/check/memory.h"

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

static bool is_freed(const struct ct_object_info *object, uint64_t at)
{
	return object->freed_at <= at;
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
		if (address < end && !is_freed(object, at))
			return (struct ct_check_found){CT_CHECK_LIVE, object};
		if (address < end && (!freed || object->freed_at > freed->freed_at))
			freed = object;
		else if (address >= end && address - end < granule &&
			 address / granule == (end - 1) / granule && takes_granules(object) &&
			 !is_freed(object, at))
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

const struct ct_object_info *ct_check_given(const struct ct_trace *trace,
					    const struct ct_launch_info *launch, const char *name,
					    uint64_t *given)
{
	const struct ct_host_event *events;
	const struct ct_object_info *object;
	size_t count = ct_trace_events(trace, CT_EVENT_GIVEN, &events), pointers = 0, seen = 0;
	int number = launch->unit && launch->kernel_index != CT_NONE
			 ? number_of(launch, name, &pointers)
			 : -1;

	*given = 0;
	for (size_t i = 0; i < count && number >= 0; i++) {
		if (events[i].part != launch->part ||
		    events[i].given->launch != launch->event->launch || !events[i].given->address)
			continue;
		if (seen++ == (size_t)number)
			*given = events[i].given->address;
	}
	/* Null pointers have no event: which is which is not known then. */
	if (seen != pointers)
		*given = 0;
	object = *given ? ct_trace_object_at(trace, launch, *given) : NULL;
	return object && is_of_one(trace, launch, object, *given) ? object : NULL;
}
