/* SPDX-License-Identifier: Apache-2.0 */
/* Measures what took the time that problems cost, before and after: kernels, calls, the run. */
#include "postproc/comparison/measures.h"

#include <string.h>

static const struct ct_compared_call *call_of(const struct ct_comparison *comparison,
					      const char *name)
{
	for (size_t i = 0; i < comparison->calls; i++)
		if (!strcmp(comparison->call[i].name, name))
			return &comparison->call[i];
	return NULL;
}

static bool is_of_kernels(const struct ct_compared_problem *row)
{
	const struct ct_finding *finding = row->part[0] ? row->part[0]->finding : NULL;

	return finding && finding->kernels &&
	       (finding->kernel_share > 0 || finding->kernel_estimate > 0);
}

/* Returns the part of a problem that is of the kernel: its first one, or the one that stands for
 * it, and the same advice for other objects and lines. Seconds; NAN: none. */
static double part_of_kernel(const struct ct_comparison *comparison,
			     const struct ct_compared_problem *row, const char *kernel)
{
	const struct ct_problems *problems = comparison->side[0]->problems;
	const struct ct_problem *problem = &problems->list[row->number[0]];
	double sum = NAN;

	for (size_t p = 0; p < problem->parts; p++) {
		const struct ct_problem_part *part = &problems->part[problem->first + p];
		bool counts =
		    part == row->part[0] || (row->part[0] == &problems->part[problem->first] &&
					     ct_problem_is_likewise(problems, problem, p));

		if (counts && part->finding->kernels && !strcmp(part->finding->kernel[0], kernel))
			sum = (isnan(sum) ? 0 : sum) + (isnan(part->seconds) ? 0 : part->seconds);
	}
	return sum;
}

bool ct_compared_concerns(const struct ct_comparison *comparison,
			  const struct ct_compared_problem *row, size_t kernel)
{
	return is_of_kernels(row) &&
	       !isnan(part_of_kernel(comparison, row, comparison->side[0]->kernel[kernel].name));
}

/* A kernel's launches, by the model or measured; none after is no time after. */
static double seconds_of(const struct ct_comparison *comparison, size_t kernel, unsigned when,
			 bool is_model)
{
	size_t number = when ? ct_compared_pairs_other(&comparison->kernels, 0, kernel) : kernel;
	const struct ct_side *side = comparison->side[when];

	if (number == CT_PAIR_NONE)
		return is_model || !side->kernels || !isnan(side->kernel_seconds) ? 0 : NAN;
	return is_model ? side->kernel[number].predicted : side->kernel[number].figures.seconds;
}

static void measure_kernels(const struct ct_comparison *comparison, struct ct_compared_problem *row,
			    bool is_model)
{
	size_t kernels = 0;

	row->measured[0] = row->measured[1] = 0;
	for (size_t k = 0; k < comparison->side[0]->kernels; k++) {
		if (!ct_compared_concerns(comparison, row, k))
			continue;
		kernels++;
		for (unsigned when = 0; when < 2; when++)
			row->measured[when] += seconds_of(comparison, k, when, is_model);
	}
	if (!kernels)
		row->measured[0] = NAN;
	row->measure = isnan(row->measured[0] - row->measured[1]) ? CT_MEASURED_NOTHING
		       : is_model                                 ? CT_MEASURED_MODEL
								  : CT_MEASURED_KERNEL;
}

static void measure_run(const struct ct_comparison *comparison, struct ct_compared_problem *row)
{
	for (unsigned when = 0; when < 2; when++)
		row->measured[when] = comparison->side[when]->run_seconds;
	if (!isnan(row->measured[0] - row->measured[1]))
		row->measure = CT_MEASURED_RUN;
}

static void measure(const struct ct_comparison *comparison, struct ct_compared_problem *row)
{
	const struct ct_ffm_entry *entry = row->part[0]->finding->entry;
	const struct ct_compared_call *call = entry ? call_of(comparison, entry->site.call) : NULL;

	if (is_of_kernels(row)) {
		measure_kernels(comparison, row, false);
		if (row->measure == CT_MEASURED_NOTHING)
			measure_kernels(comparison, row, true);
		return;
	}
	measure_run(comparison, row);
	if (call && row->measure == CT_MEASURED_RUN) {
		row->measure = CT_MEASURED_CALLS;
		row->call = call->name;
		memcpy(row->measured, call->seconds, sizeof(row->measured));
	}
}

/* Whether what is measured of both is the same, or a part of it. */
static bool is_shared(const struct ct_comparison *comparison, const struct ct_compared_problem *a,
		      const struct ct_compared_problem *b)
{
	if (a->measure != b->measure)
		return false;
	if (a->measure == CT_MEASURED_CALLS)
		return !strcmp(a->call, b->call);
	for (size_t k = 0; k < comparison->side[0]->kernels; k++)
		if (ct_compared_concerns(comparison, a, k) &&
		    ct_compared_concerns(comparison, b, k))
			return true;
	return a->measure == CT_MEASURED_RUN;
}

static bool is_gone(const struct ct_compared_problem *row)
{
	return row->state == CT_COMPARED_GONE;
}

static void count_shared(const struct ct_comparison *comparison, struct ct_compared_problem *row)
{
	for (size_t i = 0; i < comparison->problems && is_gone(row); i++) {
		const struct ct_compared_problem *other = &comparison->problem[i];

		row->shared += other != row && is_gone(other) && !other->is_small &&
			       is_shared(comparison, row, other);
	}
}

/* Predicts what all problems of a kernel that are gone save, together at most all of it. */
static double predict_kernel(const struct ct_comparison *comparison, size_t kernel)
{
	const struct ct_side_kernel *of = &comparison->side[0]->kernel[kernel];
	double all = isnan(of->figures.seconds) ? of->predicted : of->figures.seconds, sum = 0;

	for (size_t i = 0; i < comparison->problems; i++)
		if (is_gone(&comparison->problem[i]) &&
		    ct_compared_concerns(comparison, &comparison->problem[i], kernel))
			sum += part_of_kernel(comparison, &comparison->problem[i], of->name);
	return sum > all ? all : sum;
}

static bool has_gone_calls(const struct ct_comparison *comparison)
{
	for (size_t i = 0; i < comparison->problems; i++)
		if (is_gone(&comparison->problem[i]) &&
		    comparison->problem[i].measure == CT_MEASURED_CALLS)
			return true;
	return false;
}

void ct_compared_measure(struct ct_comparison *comparison)
{
	for (size_t i = 0; i < comparison->problems; i++)
		if (comparison->problem[i].part[0])
			measure(comparison, &comparison->problem[i]);
	for (size_t i = 0; i < comparison->problems; i++)
		count_shared(comparison, &comparison->problem[i]);
	for (size_t k = 0; k < comparison->side[0]->kernels; k++)
		comparison->predicted_kernels += predict_kernel(comparison, k);
	if (comparison->ffm && has_gone_calls(comparison))
		comparison->predicted_calls = 1e-9 * (double)comparison->ffm->replayed_ns;
}
