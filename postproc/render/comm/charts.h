/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms and the density map of ctpost comm for a terminal. 0 or -ENOMEM. */
#ifndef CT_POSTPROC_RENDER_COMM_CHARTS_H
#define CT_POSTPROC_RENDER_COMM_CHARTS_H

#include "postproc/render/comm/comm.h"

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

#endif
