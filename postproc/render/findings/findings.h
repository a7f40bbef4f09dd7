/* SPDX-License-Identifier: Apache-2.0 */
/* Findings for a terminal. */
#ifndef CT_POSTPROC_RENDER_FINDINGS_FINDINGS_H
#define CT_POSTPROC_RENDER_FINDINGS_FINDINGS_H

#include "postproc/facts/finding.h"
#include "postproc/tables/amount.h"
#include "postproc/tables/layout.h"
#include <stdio.h>

/* A line each of so many at most, broken between words where a width is given; nothing if there are
 * none. Those that are reported first are left out unless there is something to do about them. */
void ct_findings_write(FILE *out, const struct ct_findings *findings, size_t rows_max,
		       const struct ct_style *style);
/* One line of them. */
void ct_finding_write(FILE *out, const struct ct_finding *finding, const struct ct_style *style);

/* "up to 12.3 MB", "up to 3 ms, about 2 ms": what the fix is worth; "" if that is not known.
 * Returns buffer. */
#define CT_WORTH_BYTES (2 * CT_AMOUNT_BYTES + 16)
const char *ct_finding_worth(const struct ct_finding *finding, char buffer[CT_WORTH_BYTES]);

#endif
