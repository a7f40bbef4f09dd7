/* SPDX-License-Identifier: Apache-2.0 */
/* What to do about values: advice as ctpost values lists it, and findings as all show it. */
#ifndef CT_VALUES_FINDINGS_H
#define CT_VALUES_FINDINGS_H

#include "postproc/analysis/values/lines.h"
#include "postproc/analysis/values/patterns.h"
#include "postproc/facts/finding.h"
#include "postproc/facts/section.h"

#define CT_ADVICE_BYTES 320u

/* One piece of advice. Text is in the imperative for fix, a sentence for text. */
struct ct_values_advice {
	const char *pattern;
	uint32_t kernel, group;
	const struct ct_unit *unit; /* NULL: no line is known */
	uint32_t site;
	double share;       /* of the elements */
	double saved_bytes; /* of traffic, at most */
	char text[CT_ADVICE_BYTES], evidence[CT_ADVICE_BYTES];
	const char *fix;
};

struct ct_values_advices {
	struct ct_values_advice *list; /* the most bytes saved first */
	size_t count;
};

/* 0 or -ENOMEM. Figures and lines outlive them. */
int ct_values_advices_init(struct ct_values_advices *advices,
			   const struct ct_values_figures *figures,
			   const struct ct_values_lines *lines);
void ct_values_advices_fini(struct ct_values_advices *advices);

/* "a", "memory of no known object"; of a group. */
const char *ct_values_group_text(const struct ct_values_figures *figures, uint32_t group);

/* section.c */
#define CT_VALUES_SECTION "values"
void ct_values_show(struct ct_sections *sections, const struct ct_values_figures *figures,
		    const struct ct_values_lines *lines);

#endif
