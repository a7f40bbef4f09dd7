/* SPDX-License-Identifier: Apache-2.0 */
/* Shares of samples by what warps wait for, as bounds of what a change saves. */
#include "postproc/problems/waiting.h"

#include <math.h>
#include <string.h>

#define SAMPLES_MIN 500u

/* Reasons of CUPTI's that end with the change, or may. */
static const char *const of_sectors[] = {
    "long_scoreboard", "lg_throttle", "tex_throttle", "drain", "membar", "barrier", NULL};
static const char *const of_banks[] = {"short_scoreboard", "mio_throttle", "barrier", NULL};

static const char *const *reasons_of(enum ct_change change)
{
	static const char *const none[] = {NULL};

	return change == CT_CHANGE_COALESCE ? of_sectors
	       : change == CT_CHANGE_BANKS  ? of_banks
					    : none;
}

static bool is_among(const char *reason, const char *const *reasons)
{
	for (; *reasons; reasons++)
		if (strcmp(*reasons, reason) == 0)
			return true;
	return false;
}

double ct_waiting_share(const struct ct_samples_study *samples, const char *symbol,
			enum ct_change change)
{
	const char *const *reasons = reasons_of(change);
	const struct ct_samples_sum *sum = NULL;
	double waiting = 0, share;

	for (size_t i = 0; samples && i < samples->kernel_count; i++)
		if (strcmp(samples->kernels[i].symbol, symbol) == 0)
			sum = &samples->kernels[i].sum;
	if (!sum || sum->samples < SAMPLES_MIN || !*reasons)
		return NAN;
	for (uint32_t i = 0; i < samples->weights.reason_count; i++)
		if (is_among(samples->weights.reasons[i], reasons))
			waiting += (double)sum->by_reason[i];
	share = waiting / (double)sum->samples;
	return fmin(share + 2 * sqrt(share * (1 - share) / (double)sum->samples), 1);
}
