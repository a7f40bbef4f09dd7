/* SPDX-License-Identifier: Apache-2.0 */
/* Values for a terminal and as JSON: docs/values.md, docs/json-schema.md. */
#ifndef CT_RENDER_VALUES_H
#define CT_RENDER_VALUES_H

#include "postproc/analysis/values/findings/findings.h"
#include "postproc/tables/layout.h"

struct ct_values_output {
	const char *trace; /* as it was named */
	unsigned precision;
	const struct ct_values_figures *figures;
	const struct ct_values_lines *lines;
	const struct ct_values_advices *advices;
	size_t rows; /* most of each table */
};

/* 0 or a negative error */
int ct_values_write(FILE *out, const struct ct_values_output *output, const struct ct_style *style);
/* The flow between objects, for Graphviz. */
int ct_values_write_dot(FILE *out, const struct ct_values_output *output);
int ct_values_write_json(FILE *out, const struct ct_values_output *output);

#endif
