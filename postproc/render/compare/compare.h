/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several traces side by side: the figures of seed 001, chapter 6, of each. What is compared
 * is taken from one analysis after the other, so that never more than one is in memory; every
 * output shows the same series.
 */
#ifndef CT_POSTPROC_RENDER_COMPARE_COMPARE_H
#define CT_POSTPROC_RENDER_COMPARE_COMPARE_H

#include "postproc/analysis/calls/calls.h"
#include "postproc/analysis/comm/comm.h"
#include "postproc/sources/store.h"
#include "postproc/symbols/paths.h"
#include <stdbool.h>
#include <stdio.h>

struct ct_comparison;

/* The map of a trace is that of its first CTAs, one by one. */
#define CT_COMPARE_CTAS 200u

/* A figure's points are of one of these, and so are they drawn. */
enum ct_compare_kind {
	CT_COMPARE_BARS,  /* one value in a series */
	CT_COMPARE_BINS,  /* value of what is from x to y */
	CT_COMPARE_CURVE, /* value: the share of what is at most x */
	CT_COMPARE_LINE,  /* value at superstep x */
	CT_COMPARE_MAP,   /* value of writer x and reader y */
};

enum ct_compare_unit { CT_COMPARE_BYTES, CT_COMPARE_SHARE, CT_COMPARE_COUNT };

enum ct_compare_name {
	CT_COMPARE_VOLUME,
	CT_COMPARE_FRACTION,
	CT_COMPARE_TRANSFER_SIZE,
	CT_COMPARE_DEGREE,
	CT_COMPARE_BISECTION,
	CT_COMPARE_BISECTION_SHARE,
	CT_COMPARE_STRIDE,
	CT_COMPARE_DENSITY,
	CT_COMPARE_SUPERSTEP_VOLUME,
	CT_COMPARE_DISTANCE,
	CT_COMPARE_OUT_DEGREE,
	CT_COMPARE_FIGURES,
};

struct ct_compare_figure {
	const char *name, *title;
	const char *about; /* what stands where, in sentences */
	enum ct_compare_kind kind;
	enum ct_compare_unit x, value;
	const char *series[4]; /* ends with NULL */
};

extern const struct ct_compare_figure ct_compare_figure[CT_COMPARE_FIGURES];

struct ct_compare_point {
	uint64_t x, y;
	double value;
};

struct ct_compare_series {
	struct ct_compare_point *point;
	size_t count;
};

#define CT_COMPARE_SERIES 4u

struct ct_compare_trace {
	char *label, *directory; /* label: as the page names it */
	uint64_t ctas, supersteps, launches, traced_launches, lost_chunks;
	struct ct_compare_series series[CT_COMPARE_FIGURES][CT_COMPARE_SERIES];
};

/* Zero or more traces; zero is empty. */
struct ct_compare {
	struct ct_compare_trace *trace;
	size_t count;
};

/* Add what comm found. Labels that are alike get the directory's name behind them. 0 or
 * -ENOMEM. */
int ct_compare_add(struct ct_compare *compare, const char *label, const char *directory,
		   const struct ct_comm_figures *figures);
void ct_compare_fini(struct ct_compare *compare);

/* The least x at which a curve reaches this share; 0 without points. */
uint64_t ct_compare_quantile(const struct ct_compare_series *curve, double share);

/* Everything is borrowed. */
struct ct_compare_page {
	const char *title; /* NULL: the labels */
	const struct ct_compare *compare;
	/* These are of two studies: what else differs, which the page begins with, their sources,
	 * and what is known of their calls; NULL: nothing. */
	const struct ct_comparison *both;
	struct ct_source_store *sources[2];
	const struct ct_calls *calls[2];
	const struct ct_host_paths *paths[2];
};

/* 0 or a negative error */
int ct_compare_write_page(FILE *out, const struct ct_compare_page *page);

#endif
