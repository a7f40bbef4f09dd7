/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples of program counters by kernel and line of the source, with what warps waited for.
 * docs/samples.md says what each figure means.
 */
#ifndef CT_POSTPROC_ANALYSIS_SAMPLES_SAMPLES_H
#define CT_POSTPROC_ANALYSIS_SAMPLES_SAMPLES_H

#include "postproc/sass/weigh.h"

/* Samples of one kind; by_reason has as many as there are reasons. */
struct ct_samples_sum {
	uint64_t samples;
	uint64_t latency; /* of these: while the scheduler issued nothing */
	uint64_t *by_reason;
};

/* A line of the source in a kernel, whichever calls it was inlined through. */
struct ct_samples_line {
	const char *function; /* of the first place of the line; "" not known */
	const char *file;     /* "": the instructions have no line */
	uint32_t line;
	struct ct_samples_sum sum;
	double waited; /* samples of the kernel that wait for what this line has begun, */
	double *waited_by_reason; /* and of these, as in by_reason */
};

struct ct_samples_kernel {
	const char *symbol;
	char *name; /* as in the source */
	struct ct_samples_sum sum;
	struct ct_samples_line *lines; /* those of the most samples and waits first */
	size_t line_count;
};

struct ct_samples_study {
	struct ct_weights weights;
	struct ct_sampled_facts facts;
	struct ct_samples_kernel *kernels; /* those of the most samples first */
	size_t kernel_count;
	bool lists_all; /* all lines, not only those of the most samples */
};

/* Launches that filter passes (NULL: all). 0 or a negative error; ct_samples_study_fini in either
 * case. It borrows from the trace. */
int ct_samples_study_init(struct ct_samples_study *study, struct ct_trace *trace,
			  const struct ct_filter *filter);
void ct_samples_study_fini(struct ct_samples_study *study);

/* The reason with the most samples, CT_WEIGHT_NONE: there are none. Whether warps waited at all:
 * not "selected", which is issuing, nor "not_selected", which could have. */
uint32_t ct_samples_top_reason(const struct ct_samples_study *study,
			       const struct ct_samples_sum *sum);
bool ct_samples_is_stall(const char *reason);

/* Says what to do about a reason that warps wait for; NULL: nothing is known. */
const char *ct_samples_fix(const char *reason);

/* "long scoreboard" */
#define CT_REASON_BYTES 64u
const char *ct_samples_reason_text(const char *reason, char buffer[CT_REASON_BYTES]);

#endif
