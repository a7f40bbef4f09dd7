/* SPDX-License-Identifier: Apache-2.0 */
/* Paths of calls for flame graphs: docs/blame.md. */
#ifndef CT_POSTPROC_FORMATS_FLAMES_FLAMES_H
#define CT_POSTPROC_FORMATS_FLAMES_FLAMES_H

#include "postproc/analysis/blame/blame.h"
#include <stdio.h>

/* A line for each path: its functions, outermost first, with ";" between them, and what it weighs
 * itself. 0 or a negative error */
int ct_blame_write_folded(FILE *out, const struct ct_blame *blame);
/* For speedscope (https://www.speedscope.app/file-format-schema.json), of a trace as it was named.
 * Likewise. */
int ct_blame_write_speedscope(FILE *out, const struct ct_blame *blame, const char *trace);

#endif
