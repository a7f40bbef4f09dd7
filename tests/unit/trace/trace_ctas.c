/* SPDX-License-Identifier: Apache-2.0 */
/* Times of CTAs, made by hand. */
#include "tests/unit/trace/trace_ctas.h"
#include "tests/builder/trace.h"

#define AT(us) (CTAS_BEGIN_NS + 1000u * (us))

/* Launches and CTAs are in no order. */
static const struct ct_row_cta rows[] = {
    {.cta = 0, .begin_ns = AT(100), .duration_ns = 5000, .launch = 2, .sm = 2},
    {.cta = 5, .begin_ns = AT(20), .duration_ns = 20000, .launch = 1, .sm = 1},
    {.cta = 0, .begin_ns = AT(0), .duration_ns = 10000, .launch = 1, .sm = 0},
    {.cta = 1, .begin_ns = AT(0), .duration_ns = 10000, .launch = 1, .sm = 1},
    {.cta = 4, .begin_ns = AT(10), .duration_ns = 10000, .launch = 1, .sm = 0},
    {.cta = 2, .begin_ns = AT(0), .duration_ns = 10000, .launch = 1, .sm = 2},
    {.cta = 3, .begin_ns = AT(0), .duration_ns = 20000, .launch = 1, .sm = 3},
};

int ctas_make(const char *directory)
{
	struct build *b = build_part(directory, NULL);
	struct build_unit *unit = build_unit(1, 90, "demo.cu");
	int err;

	build_kernel(unit, "_Z4evenPf", "even(float*)", 3);
	build_kernel(unit, "_Z3onePf", "one(float*)", 9);
	build_add_unit(b, unit);
	BUILD_EVENT(b, device, .name = build_string(b, "Demo"), .sm_count = 4);
	BUILD_EVENT(b, clock, .device_ns = 3000, .host_ns = 7200, .error_ns = 5);
	BUILD_EVENT(b, clock, .device_ns = 1000, .host_ns = 5000, .error_ns = 3);
	BUILD_LAUNCH(b, .kernel_name = build_string(b, "_Z4evenPf"), .grid = {3, 2},
		     .tier = CT_TIER_CLOCK);
	BUILD_LAUNCH(b, .kernel_name = build_string(b, "_Z3onePf"));
	build_done(b, 1);
	build_done(b, 2);
	err = ct_writer_rows(b->writer, CT_TABLE_CTA, rows, sizeof(rows) / sizeof(*rows), NULL);
	return err < 0 ? err : build_close(b, "{}");
}
