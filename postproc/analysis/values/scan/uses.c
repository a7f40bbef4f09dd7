/* SPDX-License-Identifier: Apache-2.0 */
/* Which objects each launch accesses. */
#include "postproc/analysis/values/scan/uses.h"
#include "postproc/analysis/values/base/facts.h"
#include "postproc/facts/lanes.h"
#include "postproc/facts/locate.h"

#include <errno.h>
#include <stdlib.h>

#define HELD 64u

struct use {
	uint32_t object, step;
	uint64_t loads, stores;
};

struct ct_value_uses {
	const struct ct_value_engine *engine;
	struct ct_locator locator;
	const struct ct_launch_info *launch; /* whose superstep is: */
	uint32_t step;
	struct ct_sums *sums;
	struct use held[HELD]; /* by object; not in the sums yet */
};

int ct_value_uses_open(struct ct_value_uses **out, struct ct_value_engine *engine,
		       const struct ct_worker *worker)
{
	struct ct_value_uses *uses = calloc(1, sizeof(*uses));

	*out = uses;
	if (!uses)
		return -ENOMEM;
	uses->engine = engine;
	uses->locator.trace = worker->trace;
	return ct_sums_open(&uses->sums);
}

void ct_value_uses_close(struct ct_value_uses *uses)
{
	if (uses)
		ct_sums_close(uses->sums);
	free(uses);
}

static int flush(struct ct_sums *sums, struct use *use)
{
	int err = 0;

	if (use->loads || use->stores)
		err = ct_sums_add(sums, CT_VALUE_FACT_KEY(CT_VALUE_FACT_USE, use->object),
				  use->step, use->loads, use->stores);
	*use = (struct use){.object = 0};
	return err;
}

static int add(struct ct_value_uses *uses, uint32_t object, enum ct_class class, uint32_t lanes)
{
	struct use *held = &uses->held[object % HELD];
	int err = 0;

	if (held->object != object || held->step != uses->step)
		err = flush(uses->sums, held);
	held->object = object;
	held->step = uses->step;
	held->loads += class != CT_CLASS_STORE ? lanes : 0;
	held->stores += class != CT_CLASS_LOAD ? lanes : 0;
	return err;
}

static int find_step(struct ct_value_uses *uses, const struct ct_launch_info *launch)
{
	if (launch == uses->launch)
		return 0;
	uses->launch = launch;
	uses->step = ct_order_of_launch(uses->engine->order, launch->part, launch->event->launch);
	return uses->step == CT_NO_SUPERSTEP ? -EAGAIN : 0;
}

static uint32_t lanes_inside(const struct ct_access *access, uint32_t lanes,
			     const struct ct_event_alloc *object)
{
	uint32_t last = 31u - (uint32_t)__builtin_clz(lanes), inside = 0;

	if (access->is_linear && access->address[last] - object->address < object->bytes)
		return lanes; /* as the first one is */
	for (uint32_t rest = lanes; rest; rest &= rest - 1)
		if (access->address[__builtin_ctz(rest)] - object->address < object->bytes)
			inside |= rest & -rest;
	return inside;
}

int ct_value_uses_add(struct ct_value_uses *uses, const struct ct_access *access)
{
	enum ct_class class = ct_operation_class(access->info->operation);
	uint32_t lanes = ct_lanes_in(access, CT_SPACE_GLOBAL);
	int err = lanes ? find_step(uses, access->launch) : 0;

	while (lanes && err == 0) {
		const struct ct_object_info *object = ct_locate(
		    &uses->locator, access->launch, access->address[__builtin_ctz(lanes)]);
		uint32_t inside = lanes & -lanes;

		if (object) {
			inside |= lanes_inside(access, lanes, object->event);
			err = add(uses, (uint32_t)(object - uses->engine->first_object), class,
				  ct_lane_count(inside));
		}
		lanes &= ~inside;
	}
	return err;
}

int ct_value_uses_sum(struct ct_value_uses *uses, struct ct_sums *sums)
{
	int err = 0;

	for (uint32_t i = 0; i < HELD && err == 0; i++)
		err = flush(uses->sums, &uses->held[i]);
	return err == 0 ? ct_sums_merge(sums, uses->sums) : err;
}

int ct_value_uses_join(struct ct_value_uses *uses, struct ct_value_uses *from)
{
	return ct_value_uses_sum(from, uses->sums);
}
