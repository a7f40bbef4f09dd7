/* SPDX-License-Identifier: Apache-2.0 */
/* Memory checks for a terminal. */
#ifndef CT_POSTPROC_RENDER_CHECK_TEXT_H
#define CT_POSTPROC_RENDER_CHECK_TEXT_H

#include "postproc/analysis/check/analysis.h"
#include "postproc/facts/finding.h"

#include <stdio.h>

/* Lines about what could not be checked, none if all was. */
void ct_check_write_unknown(FILE *out, const struct ct_check_results *results);

/* An entry for each finding that is not suppressed, as compilers write theirs, each with what it is
 * concluded from and what to do, and how many there are. Nothing if there are none. */
void ct_check_write(FILE *out, const struct ct_findings *findings);

#endif
