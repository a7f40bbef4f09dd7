/* SPDX-License-Identifier: Apache-2.0 */
/* Lines over launches and over CTAs in the page, shortened to points. */
#include "postproc/render/report/parts.h"
#include "postproc/tables/mean.h"
#include <math.h>
#include <string.h>

struct row_page_launch_points {
	uint64_t launch;
	const char *kernel;
	struct ct_report_point load_bytes, store_bytes;
	struct ct_report_point communicated_load_bytes, communicated_store_bytes;
	struct ct_report_point out_degree_mean, out_degree_sd, in_degree_mean, in_degree_sd;
};

struct row_page_cta_points {
	uint64_t cta;
	struct ct_report_point load_stride_mean, load_stride_max;
	struct ct_report_point store_stride_mean, store_stride_max;
};

#define CT_DESCRIBED "postproc/render/report/points.def"
#include "postproc/tables/described.h"

uint64_t ct_report_per_point(uint64_t count)
{
	return count ? (count + CT_REPORT_POINTS - 1) / CT_REPORT_POINTS : 1;
}

void ct_report_point_add(struct ct_report_point *point, double value)
{
	if (!point->count || value < point->least)
		point->least = value;
	if (!point->count || value > point->greatest)
		point->greatest = value;
	point->mean += value;
	point->count++;
}

void ct_report_point_end(struct ct_report_point *point, uint64_t per)
{
	if (point->count)
		point->mean /= (double)point->count;
	else
		point->mean = NAN;
	if (per == 1 || !point->count)
		point->least = point->greatest = NAN;
}

static bool is_passing(const struct ct_comm_figures *f, size_t superstep)
{
	return f->superstep[superstep].launch && f->of_superstep[superstep].passes;
}

uint64_t ct_report_passing(const struct ct_comm_figures *figures)
{
	uint64_t count = 0;

	for (size_t s = 0; s < figures->supersteps; s++)
		count += is_passing(figures, s);
	return count;
}

static void add_launch(struct row_page_launch_points *row, const struct ct_comm_superstep *of)
{
	ct_report_point_add(&row->load_bytes, (double)of->load_bytes);
	ct_report_point_add(&row->store_bytes, (double)of->store_bytes);
	ct_report_point_add(&row->communicated_load_bytes, (double)of->communicated_load_bytes);
	ct_report_point_add(&row->communicated_store_bytes, (double)of->communicated_store_bytes);
	ct_report_point_add(&row->out_degree_mean, of->out_degree_mean);
	ct_report_point_add(&row->out_degree_sd, of->out_degree_sd);
	ct_report_point_add(&row->in_degree_mean, of->in_degree_mean);
	ct_report_point_add(&row->in_degree_sd, of->in_degree_sd);
}

static int put_launches(struct ct_table_sink *sink, struct row_page_launch_points *row,
			uint64_t per)
{
	struct ct_report_point *const point[] = {&row->load_bytes,
						 &row->store_bytes,
						 &row->communicated_load_bytes,
						 &row->communicated_store_bytes,
						 &row->out_degree_mean,
						 &row->out_degree_sd,
						 &row->in_degree_mean,
						 &row->in_degree_sd};

	for (size_t i = 0; i < sizeof(point) / sizeof(*point); i++)
		ct_report_point_end(point[i], per);
	return ct_table_put_row(sink, row);
}

static int rows_page_launch_points(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comm_figures *f = ((const struct ct_report_writer *)from)->figures;
	const uint64_t count = ct_report_passing(f), per = ct_report_per_point(count);
	struct row_page_launch_points row = {.launch = 0};
	uint64_t seen = 0;
	int err = 0;

	for (size_t s = 0; s < f->supersteps && err == 0; s++) {
		const struct ct_launch_info *launch = f->superstep[s].launch;

		if (!is_passing(f, s))
			continue;
		if (seen % per == 0)
			row = (struct row_page_launch_points){.launch = launch->event->launch,
							      .kernel = launch->kernel};
		else if (row.kernel && strcmp(row.kernel, launch->kernel) != 0)
			row.kernel = NULL;
		add_launch(&row, &f->of_superstep[s]);
		seen++;
		if (seen % per == 0 || seen == count)
			err = put_launches(sink, &row, per);
	}
	return err;
}

static void add_cta(struct row_page_cta_points *row, const struct ct_comm_cta_figures *cta)
{
	if (cta->load_strides) {
		ct_report_point_add(&row->load_stride_mean,
				    ct_mean(cta->load_stride_sum, cta->load_strides));
		ct_report_point_add(&row->load_stride_max, (double)cta->load_stride_max);
	}
	if (cta->store_strides) {
		ct_report_point_add(&row->store_stride_mean,
				    ct_mean(cta->store_stride_sum, cta->store_strides));
		ct_report_point_add(&row->store_stride_max, (double)cta->store_stride_max);
	}
}

static int rows_page_cta_points(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comm_figures *f = ((const struct ct_report_writer *)from)->figures;
	const uint64_t per = ct_report_per_point(f->ctas);
	int err = 0;

	for (uint64_t first = 0; first < f->ctas && err == 0; first += per) {
		struct row_page_cta_points row = {.cta = first};

		for (uint64_t c = first; c < first + per && c < f->ctas; c++)
			add_cta(&row, &f->cta[c]);
		ct_report_point_end(&row.load_stride_mean, per);
		ct_report_point_end(&row.load_stride_max, per);
		ct_report_point_end(&row.store_stride_mean, per);
		ct_report_point_end(&row.store_stride_max, per);
		err = ct_table_put_row(sink, &row);
	}
	return err;
}

const struct ct_table_def ct_page_launch_points_table = {CT_TABLE_PARTS(page_launch_points, NULL)};
const struct ct_table_def ct_page_cta_points_table = {CT_TABLE_PARTS(page_cta_points, NULL)};
