/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When CTAs ran, and where: figures of each launch with a CTA clock, and of each kernel. All times
 * are of the device's clock; docs/ctas.md says what each figure is for.
 *
 *   resident CTAs
 *     peak ┤  ┌────────────┐
 *          │ ┌┘            └──┐
 *     half ┤ │                └─┐
 *          └─┴───────────────────┴──┴─► time
 *            begin            half   end        tail = end - half
 */
#ifndef CT_POSTPROC_ANALYSIS_CTAS_CTAS_H
#define CT_POSTPROC_ANALYSIS_CTAS_CTAS_H

#include "postproc/facts/filter.h"

struct ct_ctas_launch {
	const struct ct_launch_info *launch;
	const struct ct_row_cta *row; /* of the launch, by begin; owned by struct ct_ctas */
	size_t ctas;
	uint64_t begin_ns, end_ns; /* of the first CTA, of the last */
	uint64_t half_ns; /* when the resident CTAs became fewer than half of the peak, or than the
			     mean where that is less, for good */
	uint64_t min_ns, median_ns, p95_ns, max_ns, total_ns; /* durations of CTAs */
	uint64_t peak;                                        /* CTAs resident at once */
	uint64_t peak_of_sm;                                  /* the same on one SM */
	uint32_t sms;                                         /* with CTAs */
	uint32_t device_sms;                                  /* of the device; 0 not known */
	uint64_t busy_ns;                                     /* with a CTA resident, of all SMs */
	uint64_t most_busy_ns;                                /* of one SM */
	bool is_traced; /* the times are of the instrumented kernel */
};

/* Sums over launches of a kernel. */
struct ct_ctas_kernel {
	const char *name;
	uint64_t launches, ctas;
	uint64_t time_ns, tail_ns, saved_ns;
	uint64_t few_ns, few_saved_ns; /* time_ns, saved_ns of launches with fewer CTAs than SMs */
	uint64_t least_ctas;           /* of a launch */
	uint64_t max_ns;               /* of a CTA */
	double waves,
	    slots; /* CTAs over peaks; most CTAs resident in the device, of the launches */
	double imbalance, cta_imbalance; /* of SMs and of CTAs, weighted by time */
	uint32_t device_sms;
	bool is_traced;
	/* A part of the CTAs of some launch was recorded, and took longer than the others for
	 * that. */
	bool is_uneven;
	size_t longest; /* launch */
};

struct ct_ctas {
	struct ct_ctas_launch *launch; /* those with rows, in the trace's order */
	size_t launches;
	struct ct_ctas_kernel *kernel; /* those of the most time first */
	size_t kernels;
	struct ct_row_cta *rows; /* all, by launch and begin */
};

/* Zero-initialise. Launches that filter passes (NULL: all). 0 or a negative error; ct_ctas_fini
 * frees in either case. It borrows from the trace. */
int ct_ctas_init(struct ct_ctas *ctas, struct ct_trace *trace, const struct ct_filter *filter);
void ct_ctas_fini(struct ct_ctas *ctas);

/* From half_ns to the end, the first CTA's begin to the last one's end, and what is between the
 * time of the launch and the SMs' mean busy time: what a perfect balance would save at most. */
uint64_t ct_ctas_tail_ns(const struct ct_ctas_launch *launch);
uint64_t ct_ctas_time_ns(const struct ct_ctas_launch *launch);
uint64_t ct_ctas_saved_ns(const struct ct_ctas_launch *launch);
/* SMs that could have had CTAs: those of the device, as far as that is known. */
uint32_t ct_ctas_sms(const struct ct_ctas_launch *launch);
/* Most busy time of an SM over the mean; longest CTA over the mean. */
double ct_ctas_sm_imbalance(const struct ct_ctas_launch *launch);
double ct_ctas_cta_imbalance(const struct ct_ctas_launch *launch);
/* CTAs over the most that were resident at once. */
double ct_ctas_waves(const struct ct_ctas_launch *launch);
/* On an SM with CTAs, over the launch's time. */
double ct_ctas_mean_resident(const struct ct_ctas_launch *launch);

/* The launches of the most time first; freed by the caller. NULL: memory is short. */
const struct ct_ctas_launch **ct_ctas_by_time(const struct ct_ctas *ctas);

/* Mean number of CTAs resident in each of count equal parts of the launch's time. */
void ct_ctas_course(const struct ct_ctas_launch *launch, double *resident, size_t count);

#endif
