/* SPDX-License-Identifier: Apache-2.0 */
/* What warps of each kernel wait for, and which lines make them. */
#include "postproc/analysis/finder.h"
#include "postproc/analysis/samples/samples.h"
#include "postproc/facts/source_name.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTION "samples"
#define KERNELS_MAX 5u
#define LINES_MAX 40u       /* of the section */
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
					.name = "stalls",
					.kind = CT_FINDING_RESULT,
					.section = SECTION,
					.figure = {share, "%"}};
	char brief[CT_BRIEF_NAME_BYTES];

	if (!advice || share < STALL_MIN)
		return;
	ct_findings_add(findings, &like, "%.1f %% of the samples of %s wait for %s.", share,
			ct_source_name_brief(kernel->name, brief), advice->what);
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

enum { KERNEL, LINE, SAMPLES, SHARE, LATENCY, WAITED, REASON };

static const struct ct_section_column columns[] = {
    [KERNEL] = {"kernel", "kernel", NULL, CT_SECTION_NAME, NULL, false},
    [LINE] = {"line", "line", NULL, CT_SECTION_TEXT, NULL, false},
    [SAMPLES] = {"samples", "samples", "How often a warp was found there.", CT_SECTION_NUMBER,
		 "samples", false},
    [SHARE] = {"share_percent", "share", "Of the samples of all kernels.", CT_SECTION_NUMBER, "%",
	       false},
    [LATENCY] = {"latency_percent", "nothing issued",
		 "Of the line's samples, those in which the scheduler issued nothing.",
		 CT_SECTION_NUMBER, "%", true},
    [WAITED] = {"waited_percent", "waited for",
		"Samples that wait for what this line has begun, of those of the kernel.",
		CT_SECTION_NUMBER, "%", false},
    [REASON] = {"reason", "most of all", "What most warps that were found there waited for.",
		CT_SECTION_TEXT, NULL, false},
};

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : NAN;
}

static void add_row(struct ct_sections *sections, const struct ct_samples_study *study,
		    const struct ct_samples_kernel *kernel, const struct ct_samples_line *line)
{
	uint32_t top = ct_samples_top_reason(study, &line->sum);
	char text[512], reason[CT_REASON_BYTES];

	snprintf(text, sizeof(text), "%.480s:%u", line->file, line->line);
	ct_sections_name(sections, kernel->name);
	ct_sections_text(sections, line->line ? text : "not known");
	ct_sections_number(sections, (double)line->sum.samples);
	ct_sections_number(sections,
			   percent((double)line->sum.samples, (double)study->weights.total));
	ct_sections_number(sections, percent((double)line->sum.latency, (double)line->sum.samples));
	ct_sections_number(sections, percent(line->waited, (double)kernel->sum.samples));
	ct_sections_text(sections,
			 top == CT_WEIGHT_NONE
			     ? NULL
			     : ct_samples_reason_text(study->weights.reasons[top], reason));
}

/* Rows come with the most samples first: of all kernels' lines the next one is taken, as of each
 * they are sorted. */
static void add_rows(struct ct_sections *sections, const struct ct_samples_study *study,
		     size_t *next)
{
	for (unsigned rows = 0; rows < LINES_MAX; rows++) {
		size_t best = study->kernel_count;

		for (size_t i = 0; i < study->kernel_count; i++)
			if (next[i] < study->kernels[i].line_count &&
			    (best == study->kernel_count ||
			     study->kernels[i].lines[next[i]].sum.samples >
				 study->kernels[best].lines[next[best]].sum.samples))
				best = i;
		if (best == study->kernel_count)
			return;
		add_row(sections, study, &study->kernels[best],
			&study->kernels[best].lines[next[best]++]);
	}
}

static int show(struct ct_sections *sections, void *job, const struct ct_inquiry *inquiry)
{
	static const struct ct_section like = {
	    .analysis = "samples",
	    .name = SECTION,
	    .title = "What warps wait for, by line",
	    .about = "The lines at which most warps were found (ctrun --samples), what they "
		     "waited for, and how many waited for what the line has begun "
		     "(docs/samples.md).",
	    .column = columns,
	    .columns = sizeof(columns) / sizeof(*columns),
	    .order = SAMPLES,
	};
	const struct ct_samples_study *study = inquiry->samples;
	size_t *next = study ? calloc(study->kernel_count + 1, sizeof(*next)) : NULL;

	(void)job;
	if (study && !next)
		return -ENOMEM;
	if (study) {
		ct_sections_add(sections, &like);
		add_rows(sections, study, next);
	}
	free(next);
	return 0;
}

const struct ct_finder ct_samples_finder = {.find = find, .show = show};
