/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses for a terminal: docs/access.md. */
#ifndef CT_POSTPROC_RENDER_ACCESS_ACCESS_H
#define CT_POSTPROC_RENDER_ACCESS_ACCESS_H

#include "postproc/analysis/access/analysis.h"
#include "postproc/analysis/branches/analysis.h"
#include "postproc/analysis/races/analysis.h"
#include "postproc/analysis/reuse/analysis.h"
#include "postproc/facts/finding.h"
#include "postproc/tables/layout.h"

struct ct_access_output {
	const struct ct_access_results *results;
	const struct ct_branches_results *branches;
	const struct ct_reuse_results *reuse; /* NULL: not asked for, as */
	const struct ct_races_results *races;
	const struct ct_findings *findings;
};

void ct_access_write(FILE *out, const struct ct_access_output *output,
		     const struct ct_style *style);

#endif
