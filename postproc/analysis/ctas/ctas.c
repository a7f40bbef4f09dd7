/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of CTA by launch, and launches by kernel. */
#include "postproc/analysis/ctas/ctas.h"
#include "base/array.h"
#include "postproc/analysis/ctas/launch.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_launch(const void *a, const void *b)
{
	const struct ct_row_cta *x = a, *y = b;
	int order = compare(x->launch, y->launch);

	order = order ? order : compare(x->begin_ns, y->begin_ns);
	return order ? order : compare(x->cta, y->cta);
}

static uint32_t sms_of(const struct ct_trace *trace, const struct ct_launch_info *launch)
{
	const struct ct_device_info *devices;
	size_t count = ct_trace_devices(trace, &devices);

	for (size_t i = 0; i < count; i++)
		if (devices[i].part == launch->part &&
		    devices[i].event->device == launch->event->device)
			return devices[i].event->sm_count;
	return 0;
}

/* A part's rows behind those that are there, sorted. Returns the first of them. */
static int take_rows(struct ct_ctas *ctas, size_t *count, struct ct_trace *trace, uint32_t part)
{
	const struct ct_row_cta *rows;
	struct ct_row_cta *all;
	size_t more;
	int err = ct_trace_rows(trace, part, CT_TABLE_CTA, (const void **)&rows, &more);

	if (err < 0 || !more)
		return err;
	all = realloc(ctas->rows, (*count + more) * sizeof(*all));
	if (!all)
		return -ENOMEM;
	ctas->rows = all;
	memcpy(all + *count, rows, more * sizeof(*rows));
	qsort(all + *count, more, sizeof(*all), by_launch);
	*count += more;
	return 0;
}

static size_t rows_of(const struct ct_row_cta *row, size_t count, uint32_t launch, size_t *first)
{
	size_t low = 0, high = count, last;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (row[middle].launch < launch)
			low = middle + 1;
		else
			high = middle;
	}
	for (last = low; last < count && row[last].launch == launch;)
		last++;
	*first = low;
	return last - low;
}

static int add_launch(struct ct_ctas *ctas, const struct ct_trace *trace,
		      const struct ct_launch_info *info, const struct ct_row_cta *row, size_t count)
{
	struct ct_ctas_launch *launch;

	if (ct_array_grow(&ctas->launch, ctas->launches, sizeof(*launch)) < 0)
		return -ENOMEM;
	launch = &ctas->launch[ctas->launches];
	*launch = (struct ct_ctas_launch){
	    .launch = info,
	    .row = row,
	    .ctas = count,
	    .device_sms = sms_of(trace, info),
	    .is_traced = info->event->tier != CT_TIER_CLOCK,
	};
	ctas->launches++;
	return ct_ctas_measure(launch);
}

/* Where a part's rows begin among all: parts come in the order of the processes. */
struct span {
	uint32_t part;
	size_t first, count;
};

static int add_launches(struct ct_ctas *ctas, const struct ct_trace *trace,
			const struct ct_filter *filter, const struct span *span)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct ct_row_cta *row = span->count ? ctas->rows + span->first : NULL;
		size_t first, rows;

		if (launches[i].part != span->part ||
		    (filter && !ct_filter_launch(filter, &launches[i])))
			continue;
		rows = rows_of(row, span->count, launches[i].event->launch, &first);
		if (rows)
			err = add_launch(ctas, trace, &launches[i], row + first, rows);
	}
	return err;
}

static struct ct_ctas_kernel *kernel_of(struct ct_ctas *ctas, const struct ct_ctas_launch *launch)
{
	struct ct_ctas_kernel *kernel;

	for (size_t i = 0; i < ctas->kernels; i++)
		if (!strcmp(ctas->kernel[i].name, launch->launch->kernel) &&
		    ctas->kernel[i].is_traced == launch->is_traced)
			return &ctas->kernel[i];
	if (ct_array_grow(&ctas->kernel, ctas->kernels, sizeof(*kernel)) < 0)
		return NULL;
	kernel = &ctas->kernel[ctas->kernels++];
	*kernel = (struct ct_ctas_kernel){
	    .name = launch->launch->kernel,
	    .is_traced = launch->is_traced,
	    .least_ctas = UINT64_MAX,
	    .longest = (size_t)(launch - ctas->launch),
	};
	return kernel;
}

/* Ratios are weighted by time here, and divided by it in the end. */
static void add_to_kernel(struct ct_ctas *ctas, struct ct_ctas_kernel *kernel,
			  const struct ct_ctas_launch *launch)
{
	uint64_t time = ct_ctas_time_ns(launch);

	kernel->launches++;
	kernel->is_uneven |= launch->is_traced && launch->launch->event->block_period > 1;
	kernel->ctas += launch->ctas;
	kernel->time_ns += time;
	kernel->tail_ns += ct_ctas_tail_ns(launch);
	kernel->saved_ns += ct_ctas_saved_ns(launch);
	if (launch->ctas < ct_ctas_sms(launch)) {
		kernel->few_ns += time;
		kernel->few_saved_ns += ct_ctas_saved_ns(launch);
	}
	if (launch->ctas < kernel->least_ctas)
		kernel->least_ctas = launch->ctas;
	if (launch->max_ns > kernel->max_ns)
		kernel->max_ns = launch->max_ns;
	if ((double)launch->peak > kernel->slots)
		kernel->slots = (double)launch->peak;
	kernel->device_sms = ct_ctas_sms(launch);
	kernel->waves += ct_ctas_waves(launch) * (double)time;
	kernel->imbalance += ct_ctas_sm_imbalance(launch) * (double)time;
	kernel->cta_imbalance += ct_ctas_cta_imbalance(launch) * (double)time;
	if (time > ct_ctas_time_ns(&ctas->launch[kernel->longest]))
		kernel->longest = (size_t)(launch - ctas->launch);
}

static int by_time(const void *a, const void *b)
{
	const struct ct_ctas_kernel *x = a, *y = b;
	int order = compare(y->time_ns, x->time_ns);

	return order ? order : strcmp(x->name, y->name);
}

static int sum_up(struct ct_ctas *ctas)
{
	for (size_t i = 0; i < ctas->launches; i++) {
		struct ct_ctas_kernel *kernel = kernel_of(ctas, &ctas->launch[i]);

		if (!kernel)
			return -ENOMEM;
		add_to_kernel(ctas, kernel, &ctas->launch[i]);
	}
	for (size_t i = 0; i < ctas->kernels; i++) {
		struct ct_ctas_kernel *kernel = &ctas->kernel[i];
		double time = kernel->time_ns ? (double)kernel->time_ns : 1;

		kernel->waves /= time;
		kernel->imbalance /= time;
		kernel->cta_imbalance /= time;
	}
	if (ctas->kernels)
		qsort(ctas->kernel, ctas->kernels, sizeof(*ctas->kernel), by_time);
	return 0;
}

int ct_ctas_init(struct ct_ctas *ctas, struct ct_trace *trace, const struct ct_filter *filter)
{
	const struct ct_process_info *processes;
	size_t parts = ct_trace_processes(trace, &processes), count = 0;
	struct span *span = calloc(parts + 1, sizeof(*span));
	int err = span ? 0 : -ENOMEM;

	for (size_t i = 0; i < parts && err == 0; i++) {
		span[i] = (struct span){processes[i].part, count, 0};
		err = take_rows(ctas, &count, trace, processes[i].part);
		span[i].count = count - span[i].first;
	}
	for (size_t i = 0; i < parts && err == 0; i++)
		err = add_launches(ctas, trace, filter, &span[i]);
	if (err == 0)
		err = sum_up(ctas);
	free(span);
	return err;
}

void ct_ctas_fini(struct ct_ctas *ctas)
{
	free(ctas->launch);
	free(ctas->kernel);
	free(ctas->rows);
	*ctas = (struct ct_ctas){0};
}

static int compare_times(const void *a, const void *b)
{
	const struct ct_ctas_launch *x = *(const struct ct_ctas_launch *const *)a;
	const struct ct_ctas_launch *y = *(const struct ct_ctas_launch *const *)b;
	uint64_t of_x = ct_ctas_time_ns(x), of_y = ct_ctas_time_ns(y);

	if (of_x != of_y)
		return of_x < of_y ? 1 : -1;
	return (x > y) - (x < y);
}

const struct ct_ctas_launch **ct_ctas_by_time(const struct ct_ctas *ctas)
{
	const struct ct_ctas_launch **list = malloc((ctas->launches + 1) * sizeof(*list));

	for (size_t i = 0; list && i < ctas->launches; i++)
		list[i] = &ctas->launch[i];
	if (list && ctas->launches)
		qsort(list, ctas->launches, sizeof(*list), compare_times);
	return list;
}
