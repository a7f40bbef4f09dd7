/* SPDX-License-Identifier: Apache-2.0 */
/* A trace of tier values that has not all values, made by hand. */
#include "tests/unit/trace/trace_valueless.h"
#include "tests/builder/trace.h"

#define P 0x7f0000001000u

static const char site[] = "_Z4sitePf", called[] = "_Z6calledv", never[] = "_Z5neverPf",
		  unused[] = "_Z6unusedPf", plain[] = "_Z5plainPf";

static void add_own_sites(struct build_unit *unit)
{
	struct ct_unit_site *load = build_site(unit, site, 5, BUILD_LOAD, 4), *skipped;

	load->flags |= CT_SITE_VALUES;
	load->scalar = CT_SCALAR_FLOAT;
	for (int i = 0; i < 2; i++)
		build_site(unit, site, 6, BUILD_COPY_ASYNC, 16)->flags |=
		    CT_SITE_VALUES | CT_SITE_RANGE;
	build_site(unit, site, 7, BUILD_TEXTURE_LOAD, 4)->flags |= CT_SITE_VALUES;
	skipped = build_site(unit, site, 8, BUILD_STORE, 4);
	skipped->verdict = CT_VERDICT_SKIPPED;
	skipped->reason = build_text(unit, "a reason");
	build_site(unit, site, 0, BUILD_STORE, 4);
	build_site(unit, site, 10, BUILD_LOAD, 4)->verdict = CT_VERDICT_ELSEWHERE;
	build_site(unit, site, 11, BUILD_CALL, 0)->reason = build_text(unit, called);
}

static struct build_unit *make_unit(void)
{
	struct build_unit *unit = build_unit(1, 90, "parts.cu");

	unit->header.values = 1;
	build_kernel(unit, site, "site(float*)", 3);
	build_kernel(unit, never, "never(float*)", 19);
	add_own_sites(unit);
	build_site(unit, called, 15, BUILD_SURFACE_STORE, 4)->flags |= CT_SITE_VALUES;
	build_site(unit, never, 20, BUILD_STORE, 4);
	build_site(unit, unused, 25, BUILD_STORE, 4);
	return unit;
}

static struct build_unit *make_plain_unit(void)
{
	struct build_unit *unit = build_unit(2, 90, "plain.cu");

	build_kernel(unit, plain, "plain(float*)", 3);
	build_site(unit, plain, 4, BUILD_LOAD, 4);
	return unit;
}

static void launch(struct build *b, const char *symbol, uint64_t unit, uint32_t tier,
		   const char *reason)
{
	uint32_t id = BUILD_LAUNCH(b, .kernel_name = build_string(b, symbol), .tier = tier,
				   .grid = {4}, .block_period = 2, .unit_id = unit, .unit_arch = 90,
				   .reason = reason ? build_string(b, reason) : 0);

	build_done(b, id);
}

int valueless_make(const char *directory)
{
	const uint32_t one = 0x3f800000, about_one = 0x3f800347, sign = 0x80000000;
	struct build *b = build_part(directory, NULL);

	build_add_unit(b, make_unit());
	build_add_unit(b, make_plain_unit());
	BUILD_EVENT(b, device, .name = build_string(b, "Demo device"), .arch = 90, .sm_count = 1);
	BUILD_EVENT(b, alloc, .address = P, .bytes = 128, .object = 1, .kind = CT_OBJECT_DEVICE,
		    .site = build_descriptor(b, "A|parts.cu|40|2|main|p|n"));
	launch(b, site, 1, CT_TIER_COUNTS, NULL);
	launch(b, site, 1, CT_TIER_VALUES, NULL);
	BUILD_EVENT(b, summary, .launch = b->launches, .site = 0, .unit_id = 1, .warps = 2,
		    .elements = 64, .properties = CT_PROPERTY_FRACTION | CT_PROPERTY_NO_HALF,
		    .same = 32, .high = about_one ^ sign, .low = (uint32_t) ~(one ^ sign),
		    .object = 1);
	launch(b, plain, 2, CT_TIER_VALUES, NULL);
	launch(b, site, 1, CT_TIER_VALUES, "kernel not selected");
	launch(b, site, 1, CT_TIER_VALUES, "kernel not instrumented");
	launch(b, site, 1, CT_TIER_VALUES, "kernel not selected");
	return build_close(b, "{}");
}
