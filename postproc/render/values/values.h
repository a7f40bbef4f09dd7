/* SPDX-License-Identifier: Apache-2.0 */
/* Values in sentences, and as a graph: docs/values.md. */
#ifndef CT_POSTPROC_RENDER_VALUES_VALUES_H
#define CT_POSTPROC_RENDER_VALUES_VALUES_H

#include "postproc/analysis/values/findings/findings.h"
#include <stdio.h>

void ct_values_write(FILE *out, const struct ct_values_figures *figures);
/* The flow between objects, for Graphviz. 0 or -ENOMEM */
int ct_values_write_dot(FILE *out, const struct ct_values_figures *figures);

#endif
