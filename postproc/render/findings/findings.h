/* SPDX-License-Identifier: Apache-2.0 */
/* Findings, and sections of analyses, for a terminal and as JSON: docs/json-schema.md. */
#ifndef CT_RENDER_FINDINGS_H
#define CT_RENDER_FINDINGS_H

#include "postproc/facts/section.h"
#include "postproc/render/base/amount.h"
#include "postproc/render/base/table.h"
#include <jansson.h>
#include <stdio.h>

/* A line each, broken between words where a width is given; nothing if there are none. Those
 * that are told first are left out unless there is something to do about them. */
void ct_findings_write(FILE *out, const struct ct_findings *findings, const struct ct_style *style);

/* An array of all of them. */
json_t *ct_findings_json(const struct ct_findings *findings);
json_t *ct_finding_json(const struct ct_finding *finding);

/* "up to 12.3 MB", "up to 3 ms, about 2 ms": what the fix is worth; "" if that is not known.
 * Returns buffer. */
#define CT_WORTH_BYTES (2 * CT_AMOUNT_BYTES + 16)
const char *ct_finding_worth(const struct ct_finding *finding, char buffer[CT_WORTH_BYTES]);

/* Their heads and tables, of each at most so many rows; nothing if rows_max is 0. 0 or -ENOMEM */
int ct_sections_write(FILE *out, const struct ct_sections *sections, size_t rows_max,
		      const struct ct_style *style);

/* An array of all of them with all rows. */
json_t *ct_sections_json(const struct ct_sections *sections);

#endif
