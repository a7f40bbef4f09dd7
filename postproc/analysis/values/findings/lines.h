/* SPDX-License-Identifier: Apache-2.0 */
/* Rows by kernel, line of the source and operation: copies of a site that inlining and unrolling
 * made are one, whatever objects they access, and one whatever other memory. */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_FINDINGS_LINES_H
#define CT_POSTPROC_ANALYSIS_VALUES_FINDINGS_LINES_H

#include "postproc/analysis/values/base/figures.h"
#include "postproc/facts/place.h"

struct ct_values_line {
	uint32_t kernel;
	const struct ct_unit *unit; /* of its site with the most elements, */
	uint32_t site;
	uint32_t group;   /* and of that the objects, */
	bool has_several; /* of which there are others */
	bool has_object;  /* they are known; else it is other memory, or nothing knows whose */
	struct ct_place place;
	uint32_t operation;
	enum ct_class class;
	struct ct_values_counts counts;
	uint64_t most; /* elements of that site and group */
};

struct ct_values_lines {
	struct ct_values_line *list; /* the most redundant elements first */
	size_t count;
	uint64_t bytes; /* of all */
};

/* Figures must outlive them. 0 or -ENOMEM */
int ct_values_lines_init(struct ct_values_lines *lines, const struct ct_values_figures *figures);
void ct_values_lines_fini(struct ct_values_lines *lines);

/* Sums all loads, stores or atomics. */
void ct_values_sum(const struct ct_values_figures *figures, enum ct_class class,
		   struct ct_values_counts *sum);

#define CT_VALUES_LINE_BYTES 128u
/* Says what it accesses: "a", "a and others", "shared memory"; returns text. */
const char *ct_values_line_text(const struct ct_values_figures *figures,
				const struct ct_values_line *line, char text[CT_VALUES_LINE_BYTES]);
uint64_t ct_values_line_redundant(const struct ct_values_line *line);
uint64_t ct_values_line_redundant_bytes(const struct ct_values_line *line);

#endif
