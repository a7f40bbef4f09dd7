/* SPDX-License-Identifier: Apache-2.0 */
/* Blame in sentences, and as flame graphs: docs/blame.md. */
#ifndef CT_RENDER_BLAME_H
#define CT_RENDER_BLAME_H

#include "postproc/analysis/blame/tables.h"
#include "postproc/analysis/causes/advice.h"
#include <stdio.h>

/* What is weighed, and how much of it is blamed. */
void ct_blame_write(FILE *out, const struct ct_blame_weighing *weighing);
/* Of host threads, whose samples paths of calls have beside the weight. */
void ct_blame_write_cpu(FILE *out, const struct ct_blame_weighing *weighing);
/* What to do about the first so many of the lines that are waited for. */
void ct_blame_write_fixes(FILE *out, const struct ct_advices *advices, size_t rows,
			  bool has_causes);
/* A line for each path: its functions, outermost first, with ";" between them, and what it weighs
 * itself. 0 or a negative error */
int ct_blame_write_folded(FILE *out, const struct ct_blame *blame);
/* For speedscope (https://www.speedscope.app/file-format-schema.json), of a trace as it was named.
 * Likewise. */
int ct_blame_write_speedscope(FILE *out, const struct ct_blame *blame, const char *trace);

#endif
