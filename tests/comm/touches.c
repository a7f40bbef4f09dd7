/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of threads, from a scan of the trace. */
#include "tests/comm/touches.h"
#include "tests/comm/bag.h"

#include "postproc/facts/operation.h"
#include <cudatrace/unit.h>
#include <stdlib.h>
#include <string.h>

static int take(void *user, const struct ct_access *access)
{
	struct touches *touches = user;
	enum ct_class class = ct_operation_class(access->info->operation);
	uint32_t superstep = before_step_of(touches->before, access->launch);

	if (class == CT_CLASS_EVENT || superstep == CT_NO_STEP)
		return 0;
	touches->records++;
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		uint64_t bytes = access->range ? access->range[lane] : access->info->bytes;
		uint64_t address = access->address[lane];

		if (!(access->mask >> lane & 1) || !bytes ||
		    CT_ADDRESS_SPACE(address) != CT_SPACE_GLOBAL)
			continue;
		touches->touch = must_grow(touches->touch, touches->count, &touches->room,
					   sizeof(*touches->touch));
		touches->touch[touches->count++] = (struct touch){
		    .superstep = superstep,
		    .cta = (uint32_t)access->cta,
		    .warp = access->warp,
		    .sm = access->sm,
		    .record = touches->records,
		    .address = address,
		    .bytes = bytes,
		    .unit = access->unit,
		    .site = access->site,
		    .reads = class != CT_CLASS_STORE,
		    .writes = class != CT_CLASS_LOAD,
		};
	}
	return 0;
}

static int in_order(const void *a, const void *b)
{
	const struct touch *x = a, *y = b;

	if (x->superstep != y->superstep)
		return x->superstep < y->superstep ? -1 : 1;
	return (x->record > y->record) - (x->record < y->record);
}

int touches_load(struct touches *touches, struct ct_trace *trace, const struct before *before)
{
	const struct ct_scan scan = {.access = take, .user = touches};
	int err;

	memset(touches, 0, sizeof(*touches));
	touches->before = before;
	err = ct_trace_scan(trace, &scan, NULL);
	if (touches->count)
		qsort(touches->touch, touches->count, sizeof(*touches->touch), in_order);
	return err;
}

void touches_fini(struct touches *touches)
{
	free(touches->touch);
}
