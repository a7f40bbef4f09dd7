/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what warps of each kernel wait for, and which lines make them. */
#include "postproc/analysis/finder.h"
#include "postproc/analysis/samples/samples.h"
#include "postproc/analysis/samples/tables.h"
#include "postproc/facts/folded_name.h"
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTION "sample_lines"
#define KERNELS_MAX 5u
#define KERNEL_SHARE_MIN 5u /* percent of all samples */
#define STALL_MIN 20u       /* percent of a kernel's */
#define SAMPLES_MIN 100u    /* of a kernel: of fewer shares say nothing */

struct advice {
	const char *reason, *what, *fix;
};

static const struct advice advices[] = {
#define CT_ADVICE(reason, what, fix) {#reason, what, fix},
#include "postproc/analysis/samples/advice.def"
};

static const struct advice *advice_on(const char *reason)
{
	for (size_t i = 0; i < sizeof(advices) / sizeof(advices[0]); i++)
		if (strcmp(advices[i].reason, reason) == 0)
			return &advices[i];
	return NULL;
}

const char *ct_samples_fix(const char *reason)
{
	const struct advice *advice = advice_on(reason);

	return advice ? advice->fix : NULL;
}

/* The stall that has most of the kernel's samples. */
static uint32_t top_stall(const struct ct_samples_study *study,
			  const struct ct_samples_kernel *kernel)
{
	uint32_t top = CT_WEIGHT_NONE;

	for (uint32_t i = 0; i < study->weights.reason_count; i++)
		if (ct_samples_is_stall(study->weights.reasons[i]) &&
		    (top == CT_WEIGHT_NONE ||
		     kernel->sum.by_reason[i] > kernel->sum.by_reason[top]))
			top = i;
	return top;
}

/* The line that most of the kernel's samples with this reason wait for, or, of reasons that have no
 * producer, at. */
static const struct ct_samples_line *blamed_line(const struct ct_samples_kernel *kernel,
						 uint32_t reason, double *samples)
{
	const struct ct_samples_line *best = NULL;
	bool has_waits = false;

	*samples = 0;
	for (size_t i = 0; i < kernel->line_count; i++)
		has_waits |= kernel->lines[i].waited_by_reason[reason] > 0;
	for (size_t i = 0; i < kernel->line_count; i++) {
		const struct ct_samples_line *line = &kernel->lines[i];
		double here = has_waits ? line->waited_by_reason[reason]
					: (double)line->sum.by_reason[reason];

		if (line->line && here > *samples) {
			best = line;
			*samples = here;
		}
	}
	return best;
}

static void add_finding(struct ct_findings *findings, const struct ct_samples_study *study,
			const struct ct_samples_kernel *kernel, uint32_t reason)
{
	const struct advice *advice = advice_on(study->weights.reasons[reason]);
	double all = (double)kernel->sum.samples, samples;
	double share = 100 * (double)kernel->sum.by_reason[reason] / all;
	const struct ct_samples_line *line = blamed_line(kernel, reason, &samples);
	const struct ct_finding like = {.analysis = "samples",
					.id = CT_ID_STALLS,
					.kind = CT_FINDING_RESULT,
					.section = SECTION,
					.figure = {share, "%"}};
	char brief[CT_BRIEF_NAME_BYTES];

	if (!advice || share < STALL_MIN)
		return;
	ct_findings_add(findings, &like, "%.1f %% of the samples of %s wait for %s.", share,
			ct_shown_name(kernel->name, brief), advice->what);
	if (line)
		ct_findings_because(findings, "%.1f %% of the kernel's samples are due to %s:%u",
				    100 * samples / all, line->file, line->line);
	ct_findings_fix(findings, "%s", advice->fix);
}

static int find(struct ct_findings *findings, void *job, const struct ct_inquiry *inquiry)
{
	const struct ct_samples_study *study = inquiry->samples;

	(void)job;
	for (size_t i = 0; study && i < study->kernel_count && i < KERNELS_MAX; i++) {
		const struct ct_samples_kernel *kernel = &study->kernels[i];
		uint32_t reason = top_stall(study, kernel);

		if (reason != CT_WEIGHT_NONE && kernel->sum.samples >= SAMPLES_MIN &&
		    100 * kernel->sum.samples >= KERNEL_SHARE_MIN * study->weights.total)
			add_finding(findings, study, kernel, reason);
	}
	return 0;
}

static const struct ct_finder_table tables[] = {
    {&ct_sample_totals_table, NULL, false},
    {&ct_sample_kernels_table, NULL, false},
    {&ct_sample_lines_table, NULL, true},
    {NULL, NULL, false},
};

const struct ct_finder ct_samples_finder = {
    .needs = CT_STUDY_SAMPLES,
    .find = find,
    .shared = offsetof(struct ct_inquiry, samples),
    .tables = tables,
};
