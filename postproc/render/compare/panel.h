/* SPDX-License-Identifier: Apache-2.0 */
/* One figure of one trace as SVG, in a frame that all traces of a comparison share. */
#ifndef CT_POSTPROC_RENDER_COMPARE_PANEL_H
#define CT_POSTPROC_RENDER_COMPARE_PANEL_H

#include "postproc/render/compare/compare.h"

/* The axes of a figure span this in all traces. */
struct ct_compare_frame {
	uint64_t x_max;
	double value_max;
};

struct ct_compare_frame ct_compare_frame_of(const struct ct_compare *compare,
					    enum ct_compare_name name);

/* Errors stay in the file. */
void ct_compare_put_panel(FILE *out, const struct ct_compare_trace *trace,
			  enum ct_compare_name name, struct ct_compare_frame frame);

#endif
