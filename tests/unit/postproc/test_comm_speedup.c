/* SPDX-License-Identifier: Apache-2.0 */
/* Times on several devices (postproc/analysis/comm/scaling/speedup.h). */
#include "postproc/analysis/comm/scaling/speedup.h"

#include <criterion/criterion.h>

/* Three kernels of 10, 20 and 5 s, 1 s of each beyond what they do; on two devices, one of which
 * has 60 % of the CTAs. 100 bytes cross into the second, 300 of the busiest link into the third. */
Test(comm_speedup, times_of_several_devices_are_as_by_hand)
{
	static const double kernel[] = {10, 20, 5};
	uint64_t bytes[] = {0, 100, 400}, most[] = {0, 100, 300};
	const struct ct_speedup_program program = {
	    .supersteps = 3, .kernel = kernel, .fixed = 1, .to_device = 8, .to_host = 2};
	const struct ct_scaling_options links = {.bandwidth = 50, .latency = 0.5};
	const struct ct_scaling_row row[CT_PLACEMENTS] = {
	    {.devices = 2, .balance = 1.2, .superstep_bytes = bytes, .superstep_most = most},
	    {.devices = 2, .balance = 1, .superstep_bytes = bytes, .superstep_most = most},
	    {.devices = 2, .balance = 2, .superstep_bytes = bytes, .superstep_most = most},
	};
	struct ct_speedup s[CT_PLACEMENTS];

	ct_speedup_of(s, row, CT_PLACEMENTS, &program, &links);
	cr_assert_float_eq(s[0].kernels, 6.4 + 12.4 + 3.4, 1e-9); /* 1 + 9 * 0.6, … */
	cr_assert_float_eq(s[0].exchange, 2.5 + 6.5, 1e-9);
	cr_assert_float_eq(s[0].seconds, 22.2 + 9 + 5, 1e-9);
	cr_assert_float_eq(s[0].replicated, 22.2 + 9 + 8 + 1, 1e-9);
	cr_assert_float_eq(s[0].overlapped, 22.2 + 5, 1e-9); /* 2.5 behind 6.4, 6.5 behind 12.4 */
	cr_assert_float_eq(s[0].speedup, 45 / 36.2, 1e-9);
	cr_assert_float_eq(s[0].efficiency, 45 / 72.4, 1e-9);
	cr_assert(!s[0].is_best && s[1].is_best && !s[2].is_best);
}

/* The same, where the host takes 9 s to ask for a kernel and 15 s for one that exchanges: 27 s for
 * one device, whose kernels take longer, and 9 * 2 + 15 * 2 * 2 for two, whose kernels do not. */
Test(comm_speedup, nothing_is_done_sooner_than_it_is_asked_for)
{
	static const double kernel[] = {10, 20, 5};
	uint64_t bytes[] = {0, 100, 400}, most[] = {0, 100, 300};
	const struct ct_speedup_program program = {.supersteps = 3,
						   .kernel = kernel,
						   .fixed = 1,
						   .launch = 9,
						   .issue = 15,
						   .to_device = 8,
						   .to_host = 2};
	const struct ct_scaling_options links = {.bandwidth = 50, .latency = 0.5};
	const struct ct_scaling_row row = {
	    .devices = 2, .balance = 1.2, .superstep_bytes = bytes, .superstep_most = most};
	struct ct_speedup s, alone = ct_speedup_alone(&program);

	cr_assert_float_eq(alone.kernels, 35, 1e-9);
	cr_assert_float_eq(alone.host, 27, 1e-9);
	cr_assert_float_eq(alone.seconds, 35 + 10, 1e-9);
	ct_speedup_of(&s, &row, 1, &program, &links);
	cr_assert_float_eq(s.host, 78, 1e-9);
	cr_assert_float_eq(s.seconds, 78 + 5, 1e-9);
	cr_assert_float_eq(s.replicated, 78 + 8 + 1, 1e-9);
	cr_assert_float_eq(s.overlapped, 78 + 5, 1e-9);
	cr_assert_float_eq(s.speedup, 45 / 83.0, 1e-9);
}
