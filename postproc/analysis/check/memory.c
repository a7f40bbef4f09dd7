/* SPDX-License-Identifier: Apache-2.0 */
/* Objects around an address, and those that parameters point into. */
#include "postproc/analysis/check/memory.h"
#include "base/map.h"
#include "postproc/analysis/check/words.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NOTHING_BELOW 65536u /* the first pages, which no system hands out */
#define CPU_GRANULE 256u     /* of device memory (cpu-target/runtime/memory) */
#define GPU_GRANULE 512u     /* of cudaMalloc */
#define BEGINS_AT 256u       /* a multiple of which allocations begin at */
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

bool ct_check_lives(const struct ct_object_info *object, uint64_t index)
{
	return object && object->freed_at > index;
}

/* An object that ends in the address' granule, before it: it begins at a multiple of BEGINS_AT. */
static const struct ct_object_info *behind(struct ct_check_owners *owners, uint64_t granule,
					   const struct ct_launch_info *launch, uint64_t address)
{
	uint64_t first = address / granule * granule, at = address / BEGINS_AT * BEGINS_AT;

	for (; at >= first; at -= BEGINS_AT) {
		const struct ct_object_info *object =
		    ct_check_object_at(owners, launch->part, at, launch->event_index);

		if (ct_check_lives(object, launch->event_index) && takes_granules(object) &&
		    end_of(object) <= address)
			return object;
	}
	return NULL;
}

struct ct_check_found ct_check_find(struct ct_check_owners *owners, const struct ct_trace *trace,
				    const struct ct_launch_info *launch, uint64_t address)
{
	uint64_t at = launch->event_index;
	const struct ct_object_info *owner, *before;

	if (address < NOTHING_BELOW)
		return (struct ct_check_found){CT_CHECK_NOWHERE, NULL};
	owner = ct_check_object_at(owners, launch->part, address, at);
	if (ct_check_lives(owner, at))
		return (struct ct_check_found){CT_CHECK_LIVE, owner};
	before = behind(owners, granule_of(trace), launch, address);
	if (before)
		return (struct ct_check_found){CT_CHECK_BEHIND, before};
	return (struct ct_check_found){owner ? CT_CHECK_FREED : CT_CHECK_UNKNOWN, owner};
}

bool ct_check_is_kept(struct ct_check_owners *owners, const struct ct_object_info *object,
		      const struct ct_launch_info *launch)
{
	enum { KEPT_BYTES = 8 << 20, ROOM_BYTES = 36 << 10 };

	return ct_check_freed_since(owners, object, launch->event_index, ROOM_BYTES) < KEPT_BYTES;
}

/* "const float *__restrict", as host-rt decides it (launch/given.c). */
static bool is_pointer(const char *type)
{
	const char *star = strrchr(type, '*');

	return star && !strchr(star, '>');
}

/* A pointer that a launch gives its kernel. */
struct pointer {
	int number; /* of the pointers among the parameters, or of those in structures; -1: none */
	size_t all; /* of these */
	bool is_member;
};

static struct pointer find_parameter(const struct ct_launch_info *launch, const char *name)
{
	const struct ct_unit *unit = launch->unit;
	const struct ct_unit_kernel *kernel = &unit->kernels[launch->kernel_index];
	struct pointer found = {.number = -1};
	int named = 0;

	for (uint32_t i = 0; i < kernel->param_count; i++) {
		const struct ct_unit_param *param = &unit->params[kernel->param_first + i];
		bool is_named = !strcmp(ct_unit_string(unit, param->name), name);

		named += is_named;
		if (!is_pointer(ct_unit_string(unit, param->type)))
			continue;
		if (is_named)
			found.number = (int)found.all;
		found.all++;
	}
	if (named != 1)
		found.number = -1;
	return found;
}

/* Those behind the parameters (unit.h). */
static struct pointer find_member(const struct ct_launch_info *launch, const char *name)
{
	const struct ct_unit *unit = launch->unit;
	const struct ct_unit_kernel *kernel = &unit->kernels[launch->kernel_index];
	struct pointer found = {.number = -1, .is_member = true};
	uint32_t i = kernel->param_first + kernel->param_count;
	int named = 0;

	for (; i < unit->header->param_count; i++, found.all++) {
		const struct ct_unit_param *param = &unit->params[i];

		if (!isdigit((unsigned char)*ct_unit_string(unit, param->type)))
			break;
		if (strcmp(ct_unit_string(unit, param->name), name) != 0)
			continue;
		found.number = (int)found.all;
		named++;
	}
	if (named != 1)
		found.number = -1;
	return found;
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

/* The address of a pointer, if the launch has events for all of its kind; 0: not known, or null. A
 * launch's events are one behind another. */
static uint64_t address_of(const struct ct_check_givens *givens,
			   const struct ct_launch_info *launch, const struct pointer *pointer)
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
		    !(event->given->flags & CT_GIVEN_MEMBER) == pointer->is_member)
			continue;
		if (seen++ == (size_t)pointer->number)
			address = event->given->address;
	}
	return seen == pointer->all ? address : 0;
}

const struct ct_object_info *ct_check_given(const struct ct_check_givens *givens,
					    const struct ct_launch_info *launch, const char *name,
					    uint64_t *given)
{
	const struct ct_object_info *object;
	struct pointer pointer = {.number = -1};

	if (launch->unit && launch->kernel_index != CT_NONE) {
		pointer = find_parameter(launch, name);
		if (pointer.number < 0)
			pointer = find_member(launch, name);
	}
	*given = pointer.number >= 0 ? address_of(givens, launch, &pointer) : 0;
	object = *given ? ct_trace_object_at(givens->trace, launch, *given) : NULL;
	return object && is_of_one(givens->trace, launch, object, *given) ? object : NULL;
}

const struct ct_object_info *ct_check_variable(const struct ct_trace *trace,
					       const struct ct_launch_info *launch,
					       const char *name)
{
	const struct ct_object_info *object, *found = NULL;
	size_t count = ct_trace_objects(trace, &object);
	char own[CT_CHECK_NAME_BYTES];

	for (size_t i = 0; i < count; i++, object++) {
		if (object->event->kind != CT_OBJECT_VARIABLE || object->part != launch->part ||
		    object->event->device != launch->event->device ||
		    strcmp(ct_check_variable_name(object->name, own), name) != 0 ||
		    object->allocated_at > launch->event_index ||
		    !ct_check_lives(object, launch->event_index))
			continue;
		if (found)
			return NULL;
		found = object;
	}
	return found;
}
