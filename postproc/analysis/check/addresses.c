/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses modulo sizes, and how far apart those of a local variable are. */
#include "postproc/analysis/check/addresses.h"
#include "postproc/analysis/check/words.h"
#include "postproc/facts/lanes.h"
#include "postproc/facts/operation.h"

#include "base/array.h"
#include <errno.h>
#include <stdlib.h>

/* The range that a site of a launch accesses of a local variable: frames of a kernel are alike in
 * all of its threads, so that offsets in local memory are those of one variable. */
struct reach {
	uint64_t low, high;           /* the least and the greatest address */
	struct ct_check_cause access; /* to the greatest one */
};

struct ct_check_addresses {
	const struct ct_filter *filter;
	struct ct_check_causes *causes;
	struct ct_locator locator;
	struct ct_map first;  /* copy of a site, from 1; key: unit and site */
	struct ct_map number; /* of a reach, from 1; key: launch, unit and first copy */
	struct reach *reach;
	size_t count;
	const struct ct_unit *first_unit;
};

int ct_check_addresses_open(struct ct_check_addresses **out, const struct ct_trace *trace,
			    const struct ct_filter *filter, struct ct_check_causes *causes)
{
	struct ct_check_addresses *addresses = calloc(1, sizeof(*addresses));

	*out = addresses;
	if (!addresses)
		return -ENOMEM;
	addresses->filter = filter;
	addresses->causes = causes;
	addresses->locator.trace = trace;
	ct_trace_units(trace, &addresses->first_unit);
	return 0;
}

void ct_check_addresses_close(struct ct_check_addresses *addresses)
{
	if (!addresses)
		return;
	ct_map_fini(&addresses->first);
	ct_map_fini(&addresses->number);
	free(addresses->reach);
	free(addresses);
}

static struct ct_check_cause cause_of(enum ct_check_kind kind, const struct ct_access *access,
				      uint32_t lane)
{
	return (struct ct_check_cause){.kind = kind,
				       .unit = access->unit,
				       .site = access->site,
				       .launch = access->launch,
				       .cta = access->cta,
				       .warp = access->warp,
				       .lane = lane,
				       .address = access->address[lane],
				       .bytes = access->info->bytes,
				       .count = 1};
}

/* Whether a device faults where the address is no multiple of the size. */
static bool needs_alignment(const struct ct_access *access)
{
	const struct ct_unit_site *site = access->info;
	enum ct_class class = ct_operation_class(site->operation);

	return !access->range && site->bytes > 1 && site->bytes <= 16 &&
	       !(site->bytes & (site->bytes - 1)) && !(site->flags & CT_SITE_SPLIT) &&
	       (site->operation == CT_OP_LOAD || site->operation == CT_OP_STORE ||
		class == CT_CLASS_ATOMIC);
}

static int find_misaligned(struct ct_check_addresses *addresses, const struct ct_access *access)
{
	uint32_t lanes =
	    ct_lanes_in(access, CT_SPACE_GLOBAL) | ct_lanes_in(access, CT_SPACE_SHARED);
	uint64_t any = 0;
	int err = 0;

	for (uint32_t rest = lanes; rest; rest &= rest - 1)
		any |= access->address[__builtin_ctz(rest)];
	if (!(any & (access->info->bytes - 1)) || (access->is_ahead && access->launch->error))
		return 0;
	if (addresses->filter)
		lanes &= ct_filter_lanes(addresses->filter, access, &addresses->locator);
	for (; lanes && err == 0; lanes &= lanes - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(lanes);
		struct ct_check_cause cause = cause_of(CT_CHECK_MISALIGNED, access, lane);

		if (!(cause.address & (cause.bytes - 1)))
			continue;
		if (CT_ADDRESS_SPACE(cause.address) == CT_SPACE_GLOBAL)
			cause.object =
			    ct_locate(&addresses->locator, access->launch, cause.address);
		err = ct_check_causes_add(addresses->causes, &cause);
	}
	return err;
}

/* Whether two sites are copies of one place in the source that access one variable. */
static bool is_copy(const struct ct_unit_site *a, const struct ct_unit_site *b)
{
	return a->branch_line == b->branch_line && a->kernel == b->kernel && a->file == b->file &&
	       a->line && a->line == b->line && a->column == b->column &&
	       a->inlined_at == b->inlined_at && a->space == b->space;
}

/* The first copy of a site that unrolling has made, in a unit's table. */
static uint32_t first_copy(const struct ct_unit *unit, uint32_t site)
{
	uint32_t first = 0;

	while (first < site && !is_copy(&unit->sites[first], &unit->sites[site]))
		first++;
	return first;
}

/* NULL: memory is short. */
static struct reach *reach_of(struct ct_check_addresses *addresses, const struct ct_access *access)
{
	uint64_t unit = (uint64_t)(access->unit - addresses->first_unit) << 32;
	union ct_map_value *first = ct_map_put(&addresses->first, unit | access->site, 0), *number;

	if (!first)
		return NULL;
	if (!first->number)
		first->number = first_copy(access->unit, access->site) + 1;
	number =
	    ct_map_put(&addresses->number, (uintptr_t)access->launch, unit | (first->number - 1));
	if (!number)
		return NULL;
	if (!number->number) {
		if (ct_array_grow(&addresses->reach, addresses->count, sizeof(*addresses->reach)) <
		    0)
			return NULL;
		addresses->reach[addresses->count] = (struct reach){.low = UINT64_MAX};
		number->number = ++addresses->count;
	}
	return &addresses->reach[number->number - 1];
}

static bool is_earlier(const struct ct_check_cause *a, const struct ct_check_cause *b)
{
	if (a->cta != b->cta)
		return a->cta < b->cta;
	return a->warp != b->warp ? a->warp < b->warp : a->lane < b->lane;
}

static int note_local(struct ct_check_addresses *addresses, const struct ct_access *access,
		      uint32_t lanes)
{
	struct reach *reach = reach_of(addresses, access);

	if (!reach)
		return -ENOMEM;
	for (; lanes; lanes &= lanes - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(lanes);
		const struct ct_check_cause own =
		    cause_of(CT_CHECK_LOCAL_OUT_OF_BOUNDS, access, lane);

		reach->low = own.address < reach->low ? own.address : reach->low;
		if (!reach->access.unit || own.address > reach->high ||
		    (own.address == reach->high && is_earlier(&own, &reach->access)))
			reach->access = own;
		reach->high = reach->access.address;
	}
	return 0;
}

int ct_check_addresses_add(struct ct_check_addresses *addresses, const struct ct_access *access)
{
	const struct ct_unit_site *site = access->info;
	uint32_t local;

	if (needs_alignment(access)) {
		int err = find_misaligned(addresses, access);

		if (err < 0)
			return err;
	}
	if (site->space != CT_SPACE_LOCAL || !site->branch_line || access->range ||
	    site->kernel != access->launch->kernel_index || access->unit != access->launch->unit)
		return 0;
	local = ct_lanes_in(access, CT_SPACE_LOCAL);
	return local ? note_local(addresses, access, local) : 0;
}

int ct_check_addresses_end(struct ct_check_addresses *addresses)
{
	int err = 0;

	for (size_t i = 0; i < addresses->count && err == 0; i++) {
		struct reach *reach = &addresses->reach[i];
		uint64_t reached = reach->high - reach->low + reach->access.bytes;
		uint64_t bytes = ct_check_variable_bytes(&reach->access);

		if (reached <= bytes)
			continue;
		reach->access.beyond = reached - bytes;
		err = ct_check_causes_add(addresses->causes, &reach->access);
	}
	return err;
}
