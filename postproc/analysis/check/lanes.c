/* SPDX-License-Identifier: Apache-2.0 */
/* From addresses to objects, and from what lies elsewhere to causes. */
#include "postproc/analysis/check/lanes.h"
#include "postproc/analysis/check/memory.h"
#include "postproc/facts/lanes.h"
#include "postproc/facts/operation.h"

#include "base/array.h"
#include <errno.h>
#include <stdlib.h>

/* A launch gives this to the parameter that a site accesses memory by. */
struct base {
	const struct ct_object_info *object; /* NULL: not known */
	uint64_t given;                      /* the address; 0: not known */
};

struct ct_check_lanes {
	const struct ct_trace *trace;
	const struct ct_filter *filter;
	struct ct_check_causes *causes;
	struct ct_locator locator;
	struct ct_check_givens *givens;
	struct ct_check_owners *owners;
	struct ct_map bases; /* key: launch, name: number of a base, from 1 */
	struct base *base;
	size_t bases_count;
	bool is_cpu;
};

int ct_check_lanes_open(struct ct_check_lanes **out, const struct ct_trace *trace,
			struct ct_check_owners *owners, const struct ct_filter *filter,
			struct ct_check_causes *causes)
{
	struct ct_check_lanes *lanes = calloc(1, sizeof(*lanes));
	const struct ct_device_info *devices;

	*out = lanes;
	if (!lanes)
		return -ENOMEM;
	lanes->trace = trace;
	lanes->owners = owners;
	lanes->filter = filter;
	lanes->causes = causes;
	lanes->locator.trace = trace;
	lanes->is_cpu = ct_trace_devices(trace, &devices) && devices->event->is_cpu_target;
	return ct_check_givens_open(&lanes->givens, trace);
}

void ct_check_lanes_close(struct ct_check_lanes *lanes)
{
	if (!lanes)
		return;
	ct_check_givens_close(lanes->givens);
	ct_map_fini(&lanes->bases);
	free(lanes->base);
	free(lanes);
}

#define BASES_MAX 65536u

static int add_base(struct ct_check_lanes *lanes, const struct ct_access *access,
		    union ct_map_value *number)
{
	struct base base = {.object = NULL};
	const char *name = ct_unit_string(access->unit, access->info->variable);
	int err = ct_array_grow(&lanes->base, lanes->bases_count, sizeof(base));

	if (err < 0)
		return err;
	base.object = ct_check_given(lanes->givens, access->launch, name, &base.given);
	if (!base.given && access->info->flags & CT_SITE_IN_VARIABLE)
		base.object = ct_check_variable(lanes->trace, access->launch, name);
	lanes->base[lanes->bases_count++] = base;
	number->number = lanes->bases_count;
	return 0;
}

/* Finds it for sites in the kernel's own body, whose pointer comes from one variable. */
static int base_of(struct ct_check_lanes *lanes, const struct ct_access *access, struct base *base)
{
	union ct_map_value *number;
	int err = 0;

	*base = (struct base){.object = NULL};
	if (!access->info->variable || access->info->kernel != access->launch->kernel_index ||
	    access->unit != access->launch->unit)
		return 0;
	if (lanes->bases.count >= BASES_MAX) {
		ct_map_clear(&lanes->bases);
		lanes->bases_count = 0;
	}
	number = ct_map_put(&lanes->bases, (uintptr_t)access->launch, access->info->variable);
	if (!number)
		return -ENOMEM;
	if (!number->number)
		err = add_base(lanes, access, number);
	if (err == 0)
		*base = lanes->base[number->number - 1];
	return err;
}

static uint64_t end_of(const struct ct_object_info *object)
{
	return object->event->address + object->event->bytes;
}

/* Outside the object that the cause is about: behind its end, or before its begin. */
static void measure(struct ct_check_cause *cause)
{
	uint64_t begin = cause->object->event->address, end = end_of(cause->object);

	cause->kind = cause->address < begin ? CT_CHECK_BEFORE_BEGIN : CT_CHECK_OUT_OF_BOUNDS;
	cause->beyond =
	    cause->address < begin ? begin - cause->address : cause->address + cause->bytes - end;
}

/* Judges an access of memory in which no object lives. Returns whether it is sure that something is
 * wrong. */
static bool judge_nowhere(const struct ct_check_lanes *lanes, const struct base *base,
			  struct ct_check_cause *cause)
{
	struct ct_check_found found =
	    ct_check_find(lanes->owners, lanes->trace, cause->launch, cause->address);
	struct ct_check_found given = {CT_CHECK_UNKNOWN, NULL};

	if (!base->object && base->given)
		given = ct_check_find(lanes->owners, lanes->trace, cause->launch, base->given);
	if (found.where == CT_CHECK_NOWHERE) {
		cause->kind = CT_CHECK_NO_MEMORY;
		return true;
	}
	/* The heap of kernels on CPU threads may have what was freed long ago. */
	if (found.where == CT_CHECK_FREED && !base->object &&
	    (!lanes->is_cpu || found.object == given.object ||
	     ct_check_is_kept(lanes->owners, found.object, cause->launch))) {
		cause->kind = CT_CHECK_USE_AFTER_FREE;
		cause->object = found.object;
		return true;
	}
	cause->object = base->object ? base->object : found.object;
	cause->is_of_base = base->object != NULL;
	if (base->object || found.where == CT_CHECK_BEHIND) {
		measure(cause);
		return true;
	}
	cause->object = NULL;
	cause->kind = CT_CHECK_HOST_MEMORY;
	return lanes->is_cpu && base->given && given.where == CT_CHECK_UNKNOWN;
}

/* Returns whether it is sure that something is wrong with the lane that the cause is of. */
static bool judge(struct ct_check_lanes *lanes, const struct base *base,
		  struct ct_check_cause *cause)
{
	const struct ct_object_info *object =
	    ct_locate(&lanes->locator, cause->launch, cause->address);

	if (!object)
		return judge_nowhere(lanes, base, cause);
	if (base->object && base->object != object &&
	    (object->event->kind != CT_OBJECT_VARIABLE ||
	     base->object->event->kind == CT_OBJECT_VARIABLE)) {
		cause->object = base->object;
		cause->hit = object;
		cause->is_of_base = true;
		measure(cause);
		return true;
	}
	if (cause->bytes <= end_of(object) - cause->address)
		return false;
	cause->object = object;
	measure(cause);
	return true;
}

/* Copies of a part of their size read less than they name. */
static bool is_exact(const struct ct_access *access)
{
	return access->range ||
	       (access->info->bytes && access->info->operation != CT_OP_COPY_ASYNC);
}

int ct_check_lanes_add(struct ct_check_lanes *lanes, const struct ct_access *access)
{
	uint32_t active = ct_lanes_in(access, CT_SPACE_GLOBAL);
	struct base base;
	int err = 0;

	if (!active || !is_exact(access) || (access->is_ahead && access->launch->error))
		return 0;
	if (lanes->filter)
		active &= ct_filter_lanes(lanes->filter, access, &lanes->locator);
	err = base_of(lanes, access, &base);
	for (; active && err == 0; active &= active - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(active);
		struct ct_check_cause cause = {.unit = access->unit,
					       .site = access->site,
					       .launch = access->launch,
					       .cta = access->cta,
					       .warp = access->warp,
					       .lane = lane,
					       .address = access->address[lane],
					       .bytes = ct_lane_bytes(access, lane),
					       .count = 1};

		if (cause.bytes && judge(lanes, &base, &cause))
			err = ct_check_causes_add(lanes->causes, &cause);
	}
	return err;
}
