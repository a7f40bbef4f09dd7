/* SPDX-License-Identifier: Apache-2.0 */
/* Totals of what a sampled trace leaves out: docs/sampling.md, "Estimates". */
#include "postproc/analysis/totals/estimate.h"
#include "postproc/facts/lanes.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GROUPS_MAX 65536u /* of the CTAs of one launch, to bound memory */

/* The recorded CTAs of a launch in groups of `each`, in the order of their numbers. */
struct groups {
	uint64_t each, count;
	uint64_t (*sum)[CT_QUANTITY_CLASSES]; /* NULL: nothing was recorded */
};

struct ct_estimates {
	const struct ct_launch_info *launches;
	size_t launch_count;
	const struct ct_unit *units;
	size_t unit_count;
	const struct ct_sampling *sampling;
	struct groups *groups; /* by launch; each 0: all CTAs are recorded */
	size_t *first_kernel;
	struct ct_estimate *kernel;
	struct ct_estimate sum;
};

static int allocate(struct ct_estimates *e)
{
	size_t kernels = 0;

	e->groups = calloc(e->launch_count + 1, sizeof(*e->groups));
	e->first_kernel = calloc(e->unit_count + 1, sizeof(*e->first_kernel));
	if (!e->groups || !e->first_kernel)
		return -ENOMEM;
	for (size_t u = 0; u < e->unit_count; u++) {
		e->first_kernel[u] = kernels;
		kernels += e->units[u].header->kernel_count;
	}
	e->kernel = calloc(kernels + 1, sizeof(*e->kernel));
	if (!e->kernel)
		return -ENOMEM;
	for (size_t k = 0; k < kernels; k++)
		e->kernel[k].is_error_known = 1;
	e->sum.is_error_known = 1;
	return 0;
}

int ct_estimates_open(struct ct_estimates **out, const struct ct_trace *trace,
		      const struct ct_sampling *sampling)
{
	struct ct_estimates *e = calloc(1, sizeof(*e));

	*out = NULL;
	if (!e)
		return -ENOMEM;
	e->launch_count = ct_trace_launches(trace, &e->launches);
	e->unit_count = ct_trace_units(trace, &e->units);
	e->sampling = sampling;
	if (allocate(e) < 0) {
		ct_estimates_close(e);
		return -ENOMEM;
	}
	for (size_t i = 0; i < e->launch_count; i++) {
		uint64_t recorded = sampling->launch[i].recorded;

		if (e->launches[i].event->block_period < 2 || !recorded)
			continue;
		e->groups[i].each = (recorded - 1) / GROUPS_MAX + 1;
		e->groups[i].count = (recorded - 1) / e->groups[i].each + 1;
	}
	*out = e;
	return 0;
}

void ct_estimates_close(struct ct_estimates *e)
{
	if (!e)
		return;
	for (size_t i = 0; e->groups && i < e->launch_count; i++)
		free(e->groups[i].sum);
	free(e->groups);
	free(e->first_kernel);
	free(e->kernel);
	free(e);
}

static int need_sums(struct groups *groups)
{
	if (!groups->sum)
		groups->sum = calloc(groups->count, sizeof(*groups->sum));
	return groups->sum ? 0 : -ENOMEM;
}

int ct_estimates_add(struct ct_estimates *e, const struct ct_access *access)
{
	struct groups *groups = &e->groups[access->launch - e->launches];
	enum ct_class class = ct_operation_class(access->info->operation);
	uint32_t lanes = ct_lanes_in(access, CT_SPACE_GLOBAL);
	const struct ct_event_launch *event = access->launch->event;
	uint64_t group;

	if (!groups->each || class >= CT_ACCESS_CLASSES || !lanes)
		return 0;
	/* The first of the CTAs that are recorded has a number below the period. */
	group = access->cta / event->block_period / groups->each;
	if (group >= groups->count)
		return 0; /* of a CTA that is not in the sample: not sound */
	if (need_sums(groups) < 0)
		return -ENOMEM;
	groups->sum[group][CT_QUANTITY_ACCESSES + class] += (uint64_t)__builtin_popcount(lanes);
	groups->sum[group][CT_QUANTITY_BYTES + class] += ct_lanes_bytes(access, lanes);
	return 0;
}

static void add_row(uint64_t to[CT_QUANTITY_CLASSES], const uint64_t from[CT_QUANTITY_CLASSES])
{
	for (int q = 0; q < CT_QUANTITY_CLASSES; q++)
		to[q] += from[q];
}

int ct_estimates_join(struct ct_estimates *e, const struct ct_estimates *from)
{
	for (size_t i = 0; i < e->launch_count; i++) {
		if (!from->groups[i].sum)
			continue;
		if (need_sums(&e->groups[i]) < 0)
			return -ENOMEM;
		for (uint64_t g = 0; g < e->groups[i].count; g++)
			add_row(e->groups[i].sum[g], from->groups[i].sum[g]);
	}
	return 0;
}

/* Launch by launch: its number and its sums. */
int ct_estimates_pack(const struct ct_estimates *e, struct ct_buffer *bytes)
{
	for (uint64_t i = 0; i < e->launch_count; i++) {
		const struct groups *groups = &e->groups[i];

		if (groups->sum &&
		    (!ct_buffer_append(bytes, &i, sizeof(i)) ||
		     !ct_buffer_append(bytes, groups->sum, groups->count * sizeof(*groups->sum))))
			return -ENOMEM;
	}
	return 0;
}

int ct_estimates_unpack(struct ct_estimates *e, const void *bytes, size_t count)
{
	const char *at = bytes, *end = at + count;
	uint64_t row[CT_QUANTITY_CLASSES], i;

	while (at < end) {
		memcpy(&i, at, sizeof(i));
		at += sizeof(i);
		if (i >= e->launch_count || (size_t)(end - at) < e->groups[i].count * sizeof(row))
			return -EPROTO;
		if (need_sums(&e->groups[i]) < 0)
			return -ENOMEM;
		for (uint64_t g = 0; g < e->groups[i].count; g++, at += sizeof(row)) {
			memcpy(row, at, sizeof(row));
			add_row(e->groups[i].sum[g], row);
		}
	}
	return 0;
}

/* The quantity in a row of classes. */
static double quantity_of(const uint64_t row[CT_QUANTITY_CLASSES], int quantity)
{
	int first = quantity == CT_QUANTITY_ALL_BYTES ? CT_QUANTITY_BYTES : CT_QUANTITY_ACCESSES;
	double sum = 0;

	if (quantity < CT_QUANTITY_CLASSES)
		return (double)row[quantity];
	for (int class = 0; class < CT_ACCESS_CLASSES; class ++)
		sum += (double)row[first + class];
	return sum;
}

static void read_totals(const struct ct_launch_totals *totals, uint64_t row[CT_QUANTITY_CLASSES])
{
	for (int class = 0; class < CT_ACCESS_CLASSES; class ++) {
		row[CT_QUANTITY_ACCESSES + class] = totals->global.of[class].threads;
		row[CT_QUANTITY_BYTES + class] = totals->global.of[class].bytes;
	}
}

/* A launch with recorded CTAs, in one quantity. */
struct unit {
	double ctas, recorded, mean; /* per CTA */
	double variance;             /* of means of groups; < 0: not known */
	double groups;
};

static void measure(const struct ct_estimates *e, size_t index, const uint64_t *row, int quantity,
		    struct unit *unit)
{
	const struct ct_launch_sample *sample = &e->sampling->launch[index];
	const struct groups *groups = &e->groups[index];
	double squares = 0;

	unit->ctas = (double)sample->ctas;
	unit->recorded = (double)sample->recorded;
	unit->mean = quantity_of(row, quantity) / unit->recorded;
	unit->groups = (double)groups->count;
	unit->variance = 0;
	if (sample->recorded == sample->ctas)
		return;
	unit->variance = -1;
	if (groups->count < 2 || e->launches[index].event->tier != CT_TIER_FULL)
		return;
	for (uint64_t g = 0; groups->sum && g < groups->count; g++) {
		uint64_t size =
		    g + 1 < groups->count ? groups->each : sample->recorded - g * groups->each;
		double distance = quantity_of(groups->sum[g], quantity) / (double)size - unit->mean;

		squares += distance * distance;
	}
	unit->variance = squares / (double)(groups->count - 1);
}

/* Launches that stand for one another: those of a context. */
struct stratum {
	const size_t *index; /* in the trace's table */
	size_t count;
	struct unit *unit; /* of those with recorded CTAs, in one quantity */
	size_t units;
	double ctas; /* of all */
};

static int is_left_out(const struct ct_event_launch *event)
{
	return !(event->flags & CT_LAUNCH_TRACED) && event->launch_period > 1;
}

static void measure_all(const struct ct_estimates *e, struct stratum *stratum,
			const struct ct_totals *totals, int quantity)
{
	uint64_t row[CT_QUANTITY_CLASSES];

	stratum->units = 0;
	stratum->ctas = 0;
	for (size_t k = 0; k < stratum->count; k++) {
		size_t i = stratum->index[k];

		stratum->ctas += (double)e->sampling->launch[i].ctas;
		if (!e->sampling->launch[i].recorded)
			continue;
		read_totals(ct_totals_launch(totals, i), row);
		measure(e, i, row, quantity, &stratum->unit[stratum->units++]);
	}
}

/* The variance of a launch of which too little is recorded is that of the others.
 * Returns whether all are known now. */
static int pool_variances(struct stratum *stratum)
{
	double sum = 0, weight = 0;

	for (size_t i = 0; i < stratum->units; i++)
		if (stratum->unit[i].variance >= 0 && stratum->unit[i].groups > 1) {
			sum += stratum->unit[i].variance * (stratum->unit[i].groups - 1);
			weight += stratum->unit[i].groups - 1;
		}
	for (size_t i = 0; i < stratum->units; i++) {
		if (stratum->unit[i].variance >= 0)
			continue;
		if (weight == 0)
			return 0;
		stratum->unit[i].variance = sum / weight;
	}
	return 1;
}

/* Cochran, Sampling Techniques (3rd ed.), section 11.8: the ratio to size estimate, size
 * being the number of CTAs. Adds to *total and *variance; returns whether the variance is known. */
static int estimate_quantity(struct stratum *stratum, double *total, double *variance)
{
	double seen = 0, sum = 0, between = 0, within = 0, ratio;
	double all = (double)stratum->count, units = (double)stratum->units;
	int is_known = pool_variances(stratum);

	for (size_t i = 0; i < stratum->units; i++) {
		seen += stratum->unit[i].ctas;
		sum += stratum->unit[i].ctas * stratum->unit[i].mean;
	}
	ratio = sum / seen;
	*total += stratum->ctas * ratio;
	for (size_t i = 0; i < stratum->units; i++) {
		const struct unit *unit = &stratum->unit[i];
		double distance = unit->ctas * (unit->mean - ratio);

		between += distance * distance;
		if (unit->variance > 0)
			within += unit->ctas * (unit->ctas - unit->recorded) * unit->variance /
				  (unit->groups > 0 ? unit->groups : 1);
	}
	if (units > 1)
		*variance += all * (all - units) / units * between / (units - 1);
	*variance += all / units * within;
	return is_known && (units > 1 || units == all);
}

static void add_to(struct ct_estimate *to, const struct ct_estimate *from)
{
	for (int q = 0; q < CT_QUANTITIES; q++) {
		to->total[q] += from->total[q];
		to->error[q] += from->error[q]; /* variances until all are added */
	}
	to->is_error_known &= from->is_error_known;
	to->is_sampled |= from->is_sampled;
	to->unseen += from->unseen;
	to->seen += from->seen;
}

static void add_stratum(struct ct_estimates *e, struct stratum *stratum,
			const struct ct_totals *totals)
{
	const struct ct_launch_info *launch = &e->launches[stratum->index[0]];
	struct ct_estimate estimate = {.is_error_known = 1};
	size_t recorded = 0;

	for (size_t k = 0; k < stratum->count; k++) {
		const struct ct_launch_sample *sample = &e->sampling->launch[stratum->index[k]];

		recorded += sample->recorded > 0;
		estimate.is_sampled |= sample->recorded < sample->ctas;
	}
	estimate.unseen = recorded ? 0 : stratum->count;
	estimate.seen = recorded ? stratum->count : 0;
	for (int q = 0; q < CT_QUANTITIES && recorded; q++) {
		measure_all(e, stratum, totals, q);
		estimate.is_error_known &=
		    estimate_quantity(stratum, &estimate.total[q], &estimate.error[q]);
	}
	add_to(&e->sum, &estimate);
	if (launch->unit && launch->kernel_index != CT_NONE)
		add_to(&e->kernel[e->first_kernel[launch->unit - e->units] + launch->kernel_index],
		       &estimate);
}

static int compare_text(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a, b);
}

/* By process, kernel and context: launches that differ stand in different strata. */
static int compare_strata(const struct ct_launch_info *a, const struct ct_launch_info *b)
{
	if (a->part != b->part)
		return a->part < b->part ? -1 : 1;
	if (a->unit != b->unit)
		return a->unit < b->unit ? -1 : 1;
	if (a->event->context != b->event->context)
		return a->event->context < b->event->context ? -1 : 1;
	return compare_text(a->kernel_name, b->kernel_name);
}

static int compare_launches(const void *a, const void *b, void *user)
{
	const struct ct_estimates *e = user;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	int order = compare_strata(&e->launches[x], &e->launches[y]);

	return order ? order : x < y ? -1 : x > y;
}

static void take_roots(struct ct_estimate *estimate)
{
	for (int q = 0; q < CT_QUANTITIES; q++)
		estimate->error[q] = sqrt(estimate->error[q]);
}

int ct_estimates_finish(struct ct_estimates *e, const struct ct_totals *totals)
{
	size_t *index = malloc((e->launch_count + 1) * sizeof(*index)), count = 0, kernels = 0;
	struct stratum stratum = {.unit = malloc((e->launch_count + 1) * sizeof(*stratum.unit))};
	int err = -ENOMEM;

	if (!index || !stratum.unit)
		goto free_index;
	for (size_t i = 0; i < e->launch_count; i++)
		if (e->launches[i].event->flags & CT_LAUNCH_TRACED ||
		    is_left_out(e->launches[i].event))
			index[count++] = i;
	qsort_r(index, count, sizeof(*index), compare_launches, e);
	for (size_t i = 0, first = 0; i < count; first = i) {
		while (i < count &&
		       compare_strata(&e->launches[index[first]], &e->launches[index[i]]) == 0)
			i++;
		stratum.index = index + first;
		stratum.count = i - first;
		add_stratum(e, &stratum, totals);
	}
	for (size_t u = 0; u < e->unit_count; u++)
		kernels += e->units[u].header->kernel_count;
	for (size_t k = 0; k < kernels; k++)
		take_roots(&e->kernel[k]);
	take_roots(&e->sum);
	err = 0;

free_index:
	free(stratum.unit);
	free(index);
	return err;
}

const struct ct_estimate *ct_estimates_kernel(const struct ct_estimates *e, size_t unit,
					      size_t kernel)
{
	return &e->kernel[e->first_kernel[unit] + kernel];
}

const struct ct_estimate *ct_estimates_sum(const struct ct_estimates *e)
{
	return &e->sum;
}
