/* SPDX-License-Identifier: Apache-2.0 */
/* The section of findings and of the report on branches. */
#ifndef CT_BRANCHES_SECTION_H
#define CT_BRANCHES_SECTION_H

#include "postproc/analysis/branches/analysis.h"
#include "postproc/facts/section.h"

#define CT_BRANCHES_SECTION "branches"

/* Nothing without branches. */
void ct_branches_show(struct ct_sections *sections, const struct ct_branches_results *results);

#endif
