/* SPDX-License-Identifier: Apache-2.0 */
/* Two studies side by side, from what each of them is. */
#include "postproc/comparison/comparison.h"

#include "postproc/comparison/calls.h"
#include "postproc/comparison/doubts.h"
#include "postproc/comparison/problems.h"

#include <errno.h>
#include <stdlib.h>

const char *ct_compared_state_text(enum ct_compared_state state)
{
	static const char *const text[] = {"gone", "new", "remains", "unknown"};

	return text[state];
}

static int compare_ffm(struct ct_comparison *comparison)
{
	const struct ct_ffm_study *before = comparison->side[0]->inquiry->ffm;
	const struct ct_ffm_study *after = comparison->side[1]->inquiry->ffm;
	int err = before && after ? ct_ffm_compare(&comparison->own_ffm, before, after) : 0;

	if (before && after && err == 0)
		comparison->ffm = &comparison->own_ffm;
	return err;
}

int ct_comparison_init(struct ct_comparison *comparison, const struct ct_side *before,
		       const struct ct_side *after)
{
	int err;

	*comparison = (struct ct_comparison){.side = {before, after}};
	err = ct_compared_pairs_kernels(&comparison->kernels, before, after);
	comparison->is_other_program =
	    err == 0 && ct_compared_pairs_are_foreign(&comparison->kernels, before, after);
	if (err == 0)
		err = ct_compared_pairs_lines(&comparison->lines, before, after,
					      &comparison->kernels);
	if (err == 0)
		err = compare_ffm(comparison);
	if (err == 0)
		err = ct_compared_calls_make(comparison);
	if (err == 0)
		err = ct_compared_problems_make(comparison);
	if (err == 0)
		err = ct_compared_doubts_make(comparison);
	return err;
}

void ct_comparison_fini(struct ct_comparison *comparison)
{
	for (size_t i = 0; i < comparison->doubts; i++)
		free(comparison->doubt[i]);
	free(comparison->doubt);
	free(comparison->problem);
	free(comparison->call);
	ct_compared_pairs_fini(&comparison->kernels);
	ct_compared_pairs_fini(&comparison->lines);
	ct_ffm_comparison_fini(&comparison->own_ffm);
	*comparison = (struct ct_comparison){.problems = 0};
}
