/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of ctpost comm for a terminal. rows 0: all of them. 0 or -ENOMEM. */
#ifndef CT_RENDER_COMM_TABLES_H
#define CT_RENDER_COMM_TABLES_H

#include "postproc/render/comm/comm.h"

/* comm_charts.c: histograms and the density map */
int ct_comm_write_sizes(FILE *out, const struct ct_comm_output *output,
			const struct ct_style *style);
int ct_comm_write_degrees(FILE *out, const struct ct_comm_output *output,
			  const struct ct_style *style);
int ct_comm_write_bisection(FILE *out, const struct ct_comm_output *output,
			    const struct ct_style *style);
int ct_comm_write_strides(FILE *out, const struct ct_comm_output *output,
			  const struct ct_style *style);
int ct_comm_write_distance(FILE *out, const struct ct_comm_output *output,
			   const struct ct_style *style);
void ct_comm_write_density(FILE *out, const struct ct_comm_output *output,
			   const struct ct_style *style);

/* comm_tables.c */
int ct_comm_write_supersteps(FILE *out, const struct ct_comm_output *output,
			     const struct ct_style *style, size_t rows);
int ct_comm_write_kernels(FILE *out, const struct ct_comm_output *output,
			  const struct ct_style *style, size_t rows);
int ct_comm_write_kernel_pairs(FILE *out, const struct ct_comm_output *output,
			       const struct ct_style *style, size_t rows);
int ct_comm_write_objects(FILE *out, const struct ct_comm_output *output,
			  const struct ct_style *style, size_t rows);
int ct_comm_write_lines(FILE *out, const struct ct_comm_output *output,
			const struct ct_style *style, size_t rows);
int ct_comm_write_ctas(FILE *out, const struct ct_comm_output *output, const struct ct_style *style,
		       size_t rows);
int ct_comm_write_sms(FILE *out, const struct ct_comm_output *output, const struct ct_style *style);
int ct_comm_write_scaling(FILE *out, const struct ct_comm_output *output,
			  const struct ct_style *style);

/* comm_lists.c: a line each */
int ct_comm_write_transfers(FILE *out, const struct ct_comm_output *output);
int ct_comm_write_history(FILE *out, const struct ct_comm_output *output);

#endif
