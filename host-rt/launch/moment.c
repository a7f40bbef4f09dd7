/* SPDX-License-Identifier: Apache-2.0 */
/* Whether launches of this thread are traced now. */
#include "host-rt/launch/moment.h"
#include "base/clock.h"
#include "host-rt/events/regions.h"

static uint64_t loaded_ns;

__attribute__((constructor)) static void remember_start(void)
{
	loaded_ns = ct_clock_monotonic_ns();
}

const char *ct_moment_refusal_at(const struct ct_options *options, uint64_t since_ns)
{
	if (since_ns < options->delay)
		return "too early (--delay)";
	if (options->duration && since_ns - options->delay >= options->duration)
		return "too late (--duration)";
	return NULL;
}

const char *ct_moment_refusal(const struct ct_options *options)
{
	if (ct_regions_are_paused())
		return "paused by the program (ct_pause)";
	if (*options->region && !ct_regions_match(options->region))
		return "not in a selected region (--region)";
	if (options->delay || options->duration)
		return ct_moment_refusal_at(options, ct_clock_monotonic_ns() - loaded_ns);
	return NULL;
}
