/* SPDX-License-Identifier: Apache-2.0 */
/* Launches that may store to global memory what the trace does not tell. */
#include "postproc/facts/opaque.h"
#include "postproc/facts/operation.h"

#include <errno.h>
#include <stdlib.h>

struct ct_opaque {
	const struct ct_launch_info *launches;
	const struct ct_unit *units;
	uint8_t *is_lossy; /* by launch */
	uint8_t **hidden;  /* by unit, by kernel of it: what its code does unseen */
	size_t unit_count;
};

enum { STORES = 1, LOADS = 2 };

/* Whether it may store without an access record. */
static bool is_hidden_store(const struct ct_unit_site *site)
{
	switch (ct_operation_class(site->operation)) {
	case CT_CLASS_STORE:
	case CT_CLASS_ATOMIC:
		if (site->verdict == CT_VERDICT_ELSEWHERE)
			return site->space == CT_SPACE_GLOBAL || site->space == CT_SPACE_GENERIC;
		return site->verdict == CT_VERDICT_SKIPPED || site->verdict == CT_VERDICT_FILTERED;
	case CT_CLASS_EVENT:
		return site->operation == CT_OP_LAUNCH || site->operation == CT_OP_COPY_TENSOR ||
		       site->operation == CT_OP_ASSEMBLY;
	default:
		return false;
	}
}

/* Likewise. Fetches of textures are from arrays or from linear memory. */
static bool is_hidden_load(const struct ct_unit_site *site)
{
	if (site->operation == CT_OP_TEXTURE_LOAD)
		return true;
	if (ct_operation_class(site->operation) != CT_CLASS_LOAD)
		return false;
	return site->verdict == CT_VERDICT_SKIPPED || site->verdict == CT_VERDICT_FILTERED;
}

static void find_hidden(uint8_t *hidden, const struct ct_unit *unit)
{
	const uint32_t kinds = unit->header->kinds, stores = CT_KIND_STORE | CT_KIND_ATOMIC;
	uint8_t all = 0;

	all |= (kinds & stores) != stores ? STORES : 0;
	all |= !(kinds & CT_KIND_LOAD) ? LOADS : 0;
	all |= !(unit->header->spaces & 1u << CT_SPACE_GLOBAL) ? STORES | LOADS : 0;

	for (uint32_t s = 0; s < unit->header->site_count; s++) {
		const struct ct_unit_site *site = &unit->sites[s];

		uint8_t what =
		    (is_hidden_store(site) ? STORES : 0) | (is_hidden_load(site) ? LOADS : 0);

		if (site->kernel == CT_NONE)
			all |= what; /* a function, which any kernel may call */
		else
			hidden[site->kernel] |= what;
	}
	for (uint32_t k = 0; k < unit->header->kernel_count; k++)
		hidden[k] |= all;
}

static int find_all_hidden(struct ct_opaque *opaque)
{
	opaque->hidden = calloc(opaque->unit_count + 1, sizeof(*opaque->hidden));
	if (!opaque->hidden)
		return -ENOMEM;
	for (size_t u = 0; u < opaque->unit_count; u++) {
		uint8_t *hidden = calloc(opaque->units[u].header->kernel_count + 1u, 1);

		opaque->hidden[u] = hidden;
		if (!hidden)
			return -ENOMEM;
		find_hidden(hidden, &opaque->units[u]);
	}
	return 0;
}

static void mark_part(struct ct_opaque *opaque, size_t launches, uint32_t part)
{
	for (size_t l = 0; l < launches; l++)
		opaque->is_lossy[l] |= opaque->launches[l].part == part;
}

/* Files of a part are cut, or were not copied. */
static void find_cut(struct ct_opaque *opaque, const struct ct_trace *trace, size_t launches)
{
	const struct ct_process_info *processes;
	size_t count = ct_trace_processes(trace, &processes);

	for (size_t i = 0; i < count; i++)
		if (processes[i].missing)
			mark_part(opaque, launches, processes[i].part);
}

/* A loss without a launch may be of any of its part. */
static void find_lossy(struct ct_opaque *opaque, const struct ct_trace *trace, size_t launches)
{
	const struct ct_loss_info *losses;
	size_t count = ct_trace_losses(trace, &losses);

	for (size_t i = 0; i < count; i++) {
		if (losses[i].launch) {
			opaque->is_lossy[losses[i].launch - opaque->launches] = 1;
			continue;
		}
		mark_part(opaque, launches, losses[i].part);
	}
}

int ct_opaque_open(struct ct_opaque **out, const struct ct_trace *trace)
{
	struct ct_opaque *opaque = calloc(1, sizeof(*opaque));
	size_t launches;
	int err;

	*out = opaque;
	if (!opaque)
		return -ENOMEM;
	opaque->unit_count = ct_trace_units(trace, &opaque->units);
	launches = ct_trace_launches(trace, &opaque->launches);
	opaque->is_lossy = calloc(launches + 1, 1);
	err = opaque->is_lossy ? find_all_hidden(opaque) : -ENOMEM;
	if (err < 0)
		return err;
	find_cut(opaque, trace, launches);
	find_lossy(opaque, trace, launches);
	return 0;
}

void ct_opaque_close(struct ct_opaque *opaque)
{
	if (!opaque)
		return;
	for (size_t u = 0; opaque->hidden && u < opaque->unit_count; u++)
		free(opaque->hidden[u]);
	free(opaque->hidden);
	free(opaque->is_lossy);
	free(opaque);
}

static bool hides(const struct ct_opaque *opaque, const struct ct_launch_info *launch, uint8_t what)
{
	const struct ct_event_launch *event = launch->event;

	if (!(event->flags & CT_LAUNCH_TRACED) || event->tier || event->block_period > 1 ||
	    !launch->done || launch->error || opaque->is_lossy[launch - opaque->launches])
		return true;
	return !launch->unit || launch->kernel_index == CT_NONE ||
	       opaque->hidden[launch->unit - opaque->units][launch->kernel_index] & what;
}

bool ct_opaque_is(const struct ct_opaque *opaque, const struct ct_launch_info *launch)
{
	return hides(opaque, launch, STORES);
}

bool ct_opaque_hides_loads(const struct ct_opaque *opaque, const struct ct_launch_info *launch)
{
	return hides(opaque, launch, STORES | LOADS);
}
