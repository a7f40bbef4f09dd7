/* SPDX-License-Identifier: Apache-2.0 */
/* Finds launches of whose order of accesses something is not known. */
#include "postproc/analysis/races/launches.h"
#include "postproc/analysis/races/block.h"
#include "postproc/facts/operation.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ALL_KINDS (CT_KIND_LOAD | CT_KIND_STORE | CT_KIND_ATOMIC)

/* Sites of its body, and of functions that it may call, that are not recorded though they may
 * order: all but plain accesses of other memory. */
static bool has_gaps(const struct ct_unit *unit, uint32_t kernel)
{
	for (uint32_t s = 0; s < unit->header->site_count; s++) {
		const struct ct_unit_site *site = &unit->sites[s];

		if (site->kernel != kernel && site->kernel != CT_NONE)
			continue;
		if (site->verdict == CT_VERDICT_SKIPPED || site->verdict == CT_VERDICT_FILTERED ||
		    site->operation == CT_OP_ASSEMBLY)
			return true;
		if (site->verdict == CT_VERDICT_ELSEWHERE &&
		    (site->flags & CT_SITE_VOLATILE ||
		     ct_operation_class(site->operation) == CT_CLASS_ATOMIC))
			return true;
	}
	return false;
}

/* Copies to shared memory that go on beside the thread are recorded as loads. */
static bool has_copies(const struct ct_unit *unit, uint32_t kernel)
{
	for (uint32_t s = 0; s < unit->header->site_count; s++) {
		const struct ct_unit_site *site = &unit->sites[s];

		if ((site->kernel == kernel || site->kernel == CT_NONE) &&
		    (site->operation == CT_OP_COPY_ASYNC ||
		     site->operation == CT_OP_COPY_BULK_LOAD ||
		     site->operation == CT_OP_COPY_TENSOR))
			return true;
	}
	return false;
}

uint32_t ct_races_launch_hides(const struct ct_launch_info *launch)
{
	const struct ct_event_launch *event = launch->event;
	const struct ct_unit *unit = launch->unit;
	uint32_t unknown = 0;

	if (!unit || launch->error || (unit->header->kinds & ALL_KINDS) != ALL_KINDS ||
	    unit->header->sample_sites > 1 || has_gaps(unit, launch->kernel_index))
		return CT_RACES_UNKNOWN | CT_RACES_UNSEEN_SHARED;
	if (event->cluster[0] > 1 || event->cluster[1] > 1 || event->cluster[2] > 1)
		unknown |= CT_RACES_UNKNOWN_CTAS | CT_RACES_UNSEEN_SHARED;
	if (event->flags & CT_LAUNCH_COOPERATIVE)
		unknown |= CT_RACES_UNKNOWN_CTAS;
	if (has_copies(unit, launch->kernel_index))
		unknown |= CT_RACES_UNSEEN_SHARED;
	if (!(unit->header->events & CT_UNIT_BARRIERS))
		unknown |= CT_RACES_UNKNOWN_WARPS;
	return unknown;
}

int ct_races_launches(atomic_uchar **unknown, const struct ct_trace *trace)
{
	const struct ct_launch_info *launches;
	const struct ct_loss_info *losses;
	size_t count = ct_trace_launches(trace, &launches);
	size_t lost = ct_trace_losses(trace, &losses);

	*unknown = malloc((count + 1) * sizeof(**unknown));
	if (!*unknown)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		atomic_init(&(*unknown)[i], (unsigned char)ct_races_launch_hides(&launches[i]));
	for (size_t l = 0; l < lost; l++)
		for (size_t i = 0; i < count; i++)
			if (!losses[l].launch || losses[l].launch == &launches[i])
				atomic_store(&(*unknown)[i],
					     CT_RACES_UNKNOWN | CT_RACES_UNSEEN_SHARED);
	return 0;
}

bool ct_races_are_unknown(const atomic_uchar *unknown, uint32_t launch,
			  enum ct_races_between between)
{
	return atomic_load_explicit(&unknown[launch], memory_order_relaxed) &
	       (between == CT_RACES_CTAS ? CT_RACES_UNKNOWN_CTAS : CT_RACES_UNKNOWN_WARPS);
}

uint16_t ct_races_access_does(const struct ct_access *access)
{
	enum ct_class class = ct_operation_class(access->info->operation);
	uint32_t flags = access->info->flags, does;

	does = class == CT_CLASS_LOAD ? CT_RACES_LOADS : CT_RACES_STORES;
	if (class == CT_CLASS_ATOMIC) {
		does |= CT_RACES_STRONG;
		does |= access->info->operation != CT_OP_ATOMIC_EXCH ? CT_RACES_ADDS : 0;
		does |= flags & (CT_SITE_REDUCTION | CT_SITE_UNUSED) ? 0 : CT_RACES_LOADS;
	}
	return (uint16_t)(does | (flags & CT_SITE_VOLATILE ? CT_RACES_STRONG : 0));
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static const char *name_of(const struct ct_event *event)
{
	return ct_unit_string(event->at->unit, event->at->info->reason);
}

bool ct_races_is_barrier(const struct ct_event *event)
{
	const char *name = name_of(event);

	return event->at->info->operation == CT_OP_BARRIER &&
	       (begins(name, "llvm.nvvm.barrier0") ||
		(begins(name, "llvm.nvvm.barrier.cta.") && strstr(name, ".all")));
}

bool ct_races_is_partial(const struct ct_event *event)
{
	const char *name = name_of(event);

	return event->at->info->operation == CT_OP_BARRIER &&
	       begins(name, "llvm.nvvm.barrier.cta.") && strstr(name, ".count");
}

uint32_t ct_races_event_hides(const struct ct_event *event)
{
	if (event->at->info->operation != CT_OP_BARRIER || ct_races_is_barrier(event) ||
	    ct_races_is_partial(event) || begins(name_of(event), "llvm.nvvm.bar.warp."))
		return 0;
	return CT_RACES_UNKNOWN;
}
