/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of one launch: durations, how many CTAs were resident at once, how busy SMs were. */
#include "postproc/analysis/ctas/launch.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_number(const void *a, const void *b)
{
	return compare(*(const uint64_t *)a, *(const uint64_t *)b);
}

static int by_sm(const void *a, const void *b)
{
	const struct ct_row_cta *x = a, *y = b;
	int order = compare(x->sm, y->sm);

	return order ? order : compare(x->begin_ns, y->begin_ns);
}

/* The smallest of which a share of all is no larger. */
static uint64_t percentile(const uint64_t *sorted, size_t count, size_t percent)
{
	return sorted[(count * percent + 99) / 100 - 1];
}

static void measure_durations(struct ct_ctas_launch *launch, uint64_t *number)
{
	for (size_t i = 0; i < launch->ctas; i++) {
		number[i] = launch->row[i].duration_ns;
		launch->total_ns += number[i];
	}
	qsort(number, launch->ctas, sizeof(*number), by_number);
	launch->min_ns = number[0];
	launch->median_ns = percentile(number, launch->ctas, 50);
	launch->p95_ns = percentile(number, launch->ctas, 95);
	launch->max_ns = number[launch->ctas - 1];
}

/* Ends of the rows, ascending. One that ends when another begins does not meet it. */
static void sort_ends(const struct ct_row_cta *row, size_t count, uint64_t *end)
{
	for (size_t i = 0; i < count; i++)
		end[i] = row[i].begin_ns + row[i].duration_ns;
	qsort(end, count, sizeof(*end), by_number);
}

/* Most that are resident at once, of rows by begin. */
static uint64_t peak_of(const struct ct_row_cta *row, size_t count, const uint64_t *end)
{
	uint64_t peak = 0;
	size_t ended = 0;

	for (size_t i = 0; i < count; i++) {
		while (ended < i && end[ended] <= row[i].begin_ns)
			ended++;
		if (i + 1 - ended > peak)
			peak = i + 1 - ended;
	}
	return peak;
}

/* Half of the peak, or the mean where that is less: of short CTAs many may be resident for a
 * moment. */
static double level_of(const struct ct_ctas_launch *launch)
{
	double half = (double)launch->peak / 2, time = (double)ct_ctas_time_ns(launch);
	double mean = time > 0 ? (double)launch->total_ns / time : half;

	return mean < half ? mean : half;
}

/* When the last end left fewer than that, and no begin made it so many again. */
static uint64_t half_of(const struct ct_ctas_launch *launch, const uint64_t *end)
{
	double level = level_of(launch);
	size_t begun = launch->ctas, ended = launch->ctas;

	while (ended > 0) {
		/* Resident right before the end number `ended`, by then all of these had begun. */
		while (begun > 0 && launch->row[begun - 1].begin_ns >= end[ended - 1])
			begun--;
		if ((double)(begun - (ended - 1)) >= level)
			break;
		ended--;
	}
	return ended ? end[ended - 1] : launch->begin_ns;
}

static void measure_course(struct ct_ctas_launch *launch, uint64_t *end)
{
	sort_ends(launch->row, launch->ctas, end);
	launch->begin_ns = launch->row[0].begin_ns;
	launch->end_ns = end[launch->ctas - 1];
	launch->peak = peak_of(launch->row, launch->ctas, end);
	launch->half_ns = half_of(launch, end);
}

/* Time during which one of the rows, by begin, is resident. */
static uint64_t covered(const struct ct_row_cta *row, size_t count)
{
	uint64_t sum = 0, until = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t end = row[i].begin_ns + row[i].duration_ns;

		if (end <= until)
			continue;
		sum += end - (row[i].begin_ns > until ? row[i].begin_ns : until);
		until = end;
	}
	return sum;
}

static void measure_sm(struct ct_ctas_launch *launch, const struct ct_row_cta *row, size_t count,
		       uint64_t *end)
{
	uint64_t busy = covered(row, count), peak;

	sort_ends(row, count, end);
	peak = peak_of(row, count, end);
	launch->sms++;
	launch->busy_ns += busy;
	if (busy > launch->most_busy_ns)
		launch->most_busy_ns = busy;
	if (peak > launch->peak_of_sm)
		launch->peak_of_sm = peak;
}

int ct_ctas_measure(struct ct_ctas_launch *launch)
{
	struct ct_row_cta *row = malloc(launch->ctas * sizeof(*row));
	uint64_t *number = malloc(launch->ctas * sizeof(*number));

	if (!row || !number) {
		free(row);
		free(number);
		return -ENOMEM;
	}
	measure_durations(launch, number);
	measure_course(launch, number);
	memcpy(row, launch->row, launch->ctas * sizeof(*row));
	qsort(row, launch->ctas, sizeof(*row), by_sm);
	for (size_t i = 0, last; i < launch->ctas; i = last) {
		for (last = i + 1; last < launch->ctas && row[last].sm == row[i].sm;)
			last++;
		measure_sm(launch, &row[i], last - i, number);
	}
	free(row);
	free(number);
	return 0;
}

uint64_t ct_ctas_tail_ns(const struct ct_ctas_launch *launch)
{
	return launch->end_ns - launch->half_ns;
}

uint64_t ct_ctas_time_ns(const struct ct_ctas_launch *launch)
{
	return launch->end_ns - launch->begin_ns;
}

uint32_t ct_ctas_sms(const struct ct_ctas_launch *launch)
{
	return launch->device_sms > launch->sms ? launch->device_sms : launch->sms;
}

uint64_t ct_ctas_saved_ns(const struct ct_ctas_launch *launch)
{
	return ct_ctas_time_ns(launch) - launch->busy_ns / ct_ctas_sms(launch);
}

static double ratio(double part, double whole)
{
	return whole > 0 ? part / whole : 1;
}

double ct_ctas_sm_imbalance(const struct ct_ctas_launch *launch)
{
	return ratio((double)launch->most_busy_ns * ct_ctas_sms(launch), (double)launch->busy_ns);
}

double ct_ctas_cta_imbalance(const struct ct_ctas_launch *launch)
{
	return ratio((double)launch->max_ns * (double)launch->ctas, (double)launch->total_ns);
}

double ct_ctas_waves(const struct ct_ctas_launch *launch)
{
	return (double)launch->ctas / (double)launch->peak;
}

double ct_ctas_mean_resident(const struct ct_ctas_launch *launch)
{
	return ratio((double)launch->total_ns,
		     (double)ct_ctas_time_ns(launch) * (double)launch->sms);
}

void ct_ctas_course(const struct ct_ctas_launch *launch, double *resident, size_t count)
{
	double part = (double)ct_ctas_time_ns(launch) / (double)count;

	memset(resident, 0, count * sizeof(*resident));
	for (size_t i = 0; i < launch->ctas && part > 0; i++) {
		double begin = (double)(launch->row[i].begin_ns - launch->begin_ns) / part;
		double end = begin + (double)launch->row[i].duration_ns / part;

		for (size_t k = (size_t)begin; k < count && (double)k < end; k++) {
			double from = begin > (double)k ? begin : (double)k;
			double to = end < (double)(k + 1) ? end : (double)(k + 1);

			resident[k] += to - from;
		}
	}
}
