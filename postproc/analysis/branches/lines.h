/* SPDX-License-Identifier: Apache-2.0 */
/* Branches of sites by the lines that they stand in. */
#ifndef CT_POSTPROC_ANALYSIS_BRANCHES_LINES_H
#define CT_POSTPROC_ANALYSIS_BRANCHES_LINES_H

#include "postproc/analysis/branches/analysis.h"

/* Adds the figures of a site of all units, of which first_site has each unit's first; sites of a
 * kernel come one after another, ascending. Numbers site->line. 0 or -ENOMEM */
int ct_branches_lines_add(struct ct_branches_results *results, const struct ct_unit *units,
			  const uint32_t *first_site, struct ct_branches_site *site);
void ct_branches_lines_sort(struct ct_branches_results *results);

#endif
