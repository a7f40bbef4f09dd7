/* SPDX-License-Identifier: Apache-2.0 */
/* Run-time options: every value is taken whole, or complained about and left at its default. */
#include "host-rt/base/options.h"
#include <criterion/criterion.h>
#include <cudatrace/format.h>
#include <string.h>

static const char *given_name, *given_value;
static int complaints;
static char complained_name[64];

static const char *lookup(const char *name)
{
	return given_name && strcmp(name, given_name) == 0 ? given_value : NULL;
}

static void complain(const char *name, const char *value, const char *expected)
{
	(void)value;
	(void)expected;
	complaints++;
	strncpy(complained_name, name, sizeof(complained_name) - 1);
}

static struct ct_options parse(const char *name, const char *value)
{
	struct ct_options options;

	given_name = name;
	given_value = value;
	complaints = 0;
	memset(&options, 0xee, sizeof(options));
	ct_options_parse(&options, lookup, complain);
	return options;
}

Test(hostrt_options, without_an_environment_the_defaults_hold)
{
	struct ct_options options = parse(NULL, NULL);

	cr_assert_eq(complaints, 0);
	cr_assert_not(options.enabled); /* a program that was not asked to be traced */
	cr_assert_not(options.verbose);
	cr_assert_str_eq(options.output, "");
	cr_assert_eq(options.ring, 0); /* by the target */
	cr_assert_eq(options.limit, 0);
	cr_assert_eq(options.level, 1);
	cr_assert_eq(options.first_launch, 1);
	cr_assert_eq(options.last_launch, UINT64_MAX);
}

Test(hostrt_options, sizes_take_suffixes_of_either_case)
{
	cr_assert_eq(parse("CUDATRACE_RING", "12").ring, 12);
	cr_assert_eq(parse("CUDATRACE_RING", "3k").ring, 3072);
	cr_assert_eq(parse("CUDATRACE_RING", "5M").ring, 5ull << 20);
	cr_assert_eq(parse("CUDATRACE_LIMIT", "10G").limit, 10ull << 30);
	cr_assert_eq(parse("CUDATRACE_LIMIT", "2T").limit, 2ull << 40);
	cr_assert_eq(complaints, 0);
}

static void rejects(const char *name, const char *value)
{
	struct ct_options options = parse(name, value);

	cr_assert_eq(complaints, 1, "%s=%s", name, value);
	cr_assert_str_eq(complained_name, name);
	cr_assert_eq(options.ring, 0); /* by the target */
	cr_assert_eq(options.level, 1);
	cr_assert(options.enabled);
	cr_assert_eq(options.first_launch, 1);
	cr_assert_eq(options.last_launch, UINT64_MAX);
	cr_assert_str_eq(options.kernels, "");
	cr_assert_str_eq(options.region, "");
	cr_assert_eq(options.sample_launches, 1);
	cr_assert_eq(options.sample_blocks, 1);
	cr_assert_eq(options.seed, 1);
	cr_assert_eq(options.delay, 0);
	cr_assert_eq(options.duration, 0);
	cr_assert_eq(options.tier_number, CT_TIER_FULL);
}

Test(hostrt_options, values_that_are_not_understood_leave_the_default)
{
	rejects("CUDATRACE_RING", "");
	rejects("CUDATRACE_RING", "-1");
	rejects("CUDATRACE_RING", "64MB");
	rejects("CUDATRACE_RING", "M");
	rejects("CUDATRACE_RING", "99999999999999999999");
	rejects("CUDATRACE_RING", "99999999999T");
	rejects("CUDATRACE_LEVEL", "20");
	rejects("CUDATRACE_LEVEL", "1 ");
	rejects("CUDATRACE_CONSUMERS", "65");
	rejects("CUDATRACE_KEEP_FREE", "101%");
	rejects("CUDATRACE_KEEP_FREE", "5 %");
	rejects("CUDATRACE_KEEP_FREE", "on");
	rejects("CUDATRACE_KEEP_FREE", "");
	rejects("CUDATRACE", "ON");
	rejects("CUDATRACE", "1");
	rejects("CUDATRACE_KERNELS", "spmv(");
	rejects("CUDATRACE_LAUNCHES", "0");
	rejects("CUDATRACE_LAUNCHES", "7-3");
	rejects("CUDATRACE_LAUNCHES", "3-");
	rejects("CUDATRACE_LAUNCHES", "x");
	rejects("CUDATRACE_REGION", "step[");
	rejects("CUDATRACE_SAMPLE_LAUNCHES", "0");
	rejects("CUDATRACE_SAMPLE_BLOCKS", "2147483648");
	rejects("CUDATRACE_SAMPLE_BLOCKS", "2.5");
	rejects("CUDATRACE_SEED", "-1");
	rejects("CUDATRACE_TIER", "counts ");
	rejects("CUDATRACE_TIER", "");
	rejects("CUDATRACE_DELAY", "1.");
	rejects("CUDATRACE_DELAY", ".5");
	rejects("CUDATRACE_DELAY", "4294967296");
	rejects("CUDATRACE_DURATION", "1.0000000001");
}

Test(hostrt_options, launches_are_a_number_or_an_inclusive_range)
{
	struct ct_options one = parse("CUDATRACE_LAUNCHES", "7");
	struct ct_options range = parse("CUDATRACE_LAUNCHES", "2-900");

	cr_assert_eq(complaints, 0);
	cr_assert_eq(one.first_launch, 7);
	cr_assert_eq(one.last_launch, 7);
	cr_assert_eq(range.first_launch, 2);
	cr_assert_eq(range.last_launch, 900);
}

static void keeps_free(const char *value, uint64_t bytes, unsigned percent)
{
	struct ct_options options = parse("CUDATRACE_KEEP_FREE", value);

	cr_assert_eq(complaints, 0, "%s", value);
	cr_assert_eq(options.keep_free_bytes, bytes, "%s", value);
	cr_assert_eq(options.keep_free_percent, percent, "%s", value);
}

Test(hostrt_options, without_a_limit_some_space_is_kept_free)
{
	keeps_free("auto", 2ull << 30, 5);
	keeps_free("off", 0, 0);
	keeps_free("10G", 10ull << 30, 0);
	keeps_free("100%", 0, 100);
	keeps_free("0", 0, 0);
	cr_assert_eq(parse(NULL, NULL).keep_free_percent, 5);
	cr_assert_eq(parse("CUDATRACE_LIMIT", "1G").keep_free_percent, 0);
	cr_assert_eq(parse("CUDATRACE_LIMIT", "1G").keep_free_bytes, 0);
}

Test(hostrt_options, switches_are_on_or_off)
{
	cr_assert_not(parse("CUDATRACE", "off").enabled);
	cr_assert(parse("CUDATRACE", "on").enabled);
	cr_assert(parse("CUDATRACE_TIER", "counts").enabled);
	cr_assert(parse("CUDATRACE_VERBOSE", "on").verbose);
	cr_assert_eq(complaints, 0);
}

Test(hostrt_options, seconds_have_up_to_nine_digits_after_the_point)
{
	cr_assert_eq(parse("CUDATRACE_DELAY", "2").delay, 2000000000ull);
	cr_assert_eq(parse("CUDATRACE_DELAY", "0.25").delay, 250000000ull);
	cr_assert_eq(parse("CUDATRACE_DURATION", "1.000000001").duration, 1000000001ull);
	cr_assert_eq(complaints, 0);
}

Test(hostrt_options, periods_and_tiers_are_taken)
{
	cr_assert_eq(parse("CUDATRACE_SAMPLE_BLOCKS", "50").sample_blocks, 50);
	cr_assert_eq(parse("CUDATRACE_SAMPLE_LAUNCHES", "2147483647").sample_launches, INT32_MAX);
	cr_assert_eq(parse("CUDATRACE_TIER", "counts").tier_number, CT_TIER_COUNTS);
	cr_assert_eq(parse("CUDATRACE_TIER", "blocks").tier_number, CT_TIER_BLOCKS);
	cr_assert_eq(parse("CUDATRACE_TIER", "full").tier_number, CT_TIER_FULL);
	cr_assert_eq(complaints, 0);
}
