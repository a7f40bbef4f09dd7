/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what samples bound a change by: figures by hand. */
#include "postproc/problems/waiting.h"

#include <criterion/criterion.h>
#include <math.h>

/* There are 10 000 samples: 2 500 wait for global memory, 400 for shared memory, 100 at barriers.
 */
static const char *const reasons[] = {"selected", "long_scoreboard", "short_scoreboard", "barrier",
				      "lg_throttle"};
static uint64_t counts[] = {7000, 2000, 400, 100, 500};
static const char name[] = "_Z3sumPf";

static double share_of(uint64_t samples, const char *kernel, enum ct_change change)
{
	struct ct_samples_kernel of = {.symbol = name,
				       .sum = {.samples = samples, .by_reason = counts}};
	struct ct_samples_study study = {.kernels = &of, .kernel_count = 1};

	study.weights.reasons = (const char **)reasons;
	study.weights.reason_count = sizeof(reasons) / sizeof(reasons[0]);
	return ct_waiting_share(&study, kernel, change);
}

Test(waiting, is_for_what_the_change_spares)
{
	double banks = 0.05, sectors = 0.26;

	banks += 2 * sqrt(banks * (1 - banks) / 10000);
	sectors += 2 * sqrt(sectors * (1 - sectors) / 10000);
	cr_assert_float_eq(share_of(10000, name, CT_CHANGE_BANKS), banks, 1e-12);
	cr_assert_float_eq(share_of(10000, name, CT_CHANGE_COALESCE), sectors, 1e-12);
}

Test(waiting, is_not_known_of_others)
{
	cr_assert(isnan(share_of(10000, name, CT_CHANGE_NONE)), "whatever it spares");
	cr_assert(isnan(share_of(10000, "_Z5otheri", CT_CHANGE_BANKS)));
	cr_assert(isnan(share_of(499, name, CT_CHANGE_BANKS)), "of so few nothing follows");
	cr_assert(isnan(ct_waiting_share(NULL, name, CT_CHANGE_BANKS)));
}
