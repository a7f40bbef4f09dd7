/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Totals of what a sampled trace leaves out, with their standard errors: docs/sampling.md,
 * "Estimates". Global memory only, as the totals beside them.
 */
#ifndef CT_POSTPROC_ANALYSIS_TOTALS_ESTIMATE_H
#define CT_POSTPROC_ANALYSIS_TOTALS_ESTIMATE_H

#include "postproc/analysis/totals/totals.h"
#include "postproc/facts/sampling.h"

/* Threads' accesses and bytes by class, then of all classes. */
enum ct_quantity {
	CT_QUANTITY_ACCESSES = 0,
	CT_QUANTITY_BYTES = CT_ACCESS_CLASSES,
	CT_QUANTITY_CLASSES = 2 * CT_ACCESS_CLASSES,
	CT_QUANTITY_ALL_ACCESSES = CT_QUANTITY_CLASSES,
	CT_QUANTITY_ALL_BYTES,
	CT_QUANTITIES,
};

struct ct_estimate {
	double total[CT_QUANTITIES];
	double error[CT_QUANTITIES]; /* standard error, 0 if nothing is left out */
	int is_error_known;          /* else some are too small: nothing is there to tell by */
	uint64_t seen;               /* launches that are traced or that others stand for */
	uint64_t unseen;             /* launches of which and of whose like no CTA is recorded */
	int is_sampled;              /* something is left out; else the totals are exact */
};

struct ct_estimates;

/* The trace and sampling must outlive the estimates. 0 or -ENOMEM */
int ct_estimates_open(struct ct_estimates **out, const struct ct_trace *trace,
		      const struct ct_sampling *sampling);
void ct_estimates_close(struct ct_estimates *estimates); /* NULL is allowed */

/* Every access, of a scan of all launches. 0 or -ENOMEM */
int ct_estimates_add(struct ct_estimates *estimates, const struct ct_access *access);

/* As ct_totals_join, ct_totals_pack and ct_totals_unpack. */
int ct_estimates_join(struct ct_estimates *estimates, const struct ct_estimates *from);
int ct_estimates_pack(const struct ct_estimates *estimates, struct ct_buffer *bytes);
int ct_estimates_unpack(struct ct_estimates *estimates, const void *bytes, size_t count);

/* After the scan, with the totals of the same. 0 or -ENOMEM */
int ct_estimates_finish(struct ct_estimates *estimates, const struct ct_totals *totals);

/* unit, kernel: index in the trace's tables. */
const struct ct_estimate *ct_estimates_kernel(const struct ct_estimates *estimates, size_t unit,
					      size_t kernel);
const struct ct_estimate *ct_estimates_sum(const struct ct_estimates *estimates);

#endif
