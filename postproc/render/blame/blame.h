/* SPDX-License-Identifier: Apache-2.0 */
/* Blame in sentences: docs/blame.md. */
#ifndef CT_POSTPROC_RENDER_BLAME_BLAME_H
#define CT_POSTPROC_RENDER_BLAME_BLAME_H

#include "postproc/analysis/blame/tables.h"
#include "postproc/analysis/causes/advice.h"
#include <stdio.h>

/* Writes what is weighed, and how much of it is blamed. */
void ct_blame_write(FILE *out, const struct ct_blame_weighing *weighing);
/* Writes the weight of host threads, whose samples paths of calls have beside it. */
void ct_blame_write_cpu(FILE *out, const struct ct_blame_weighing *weighing);
/* Writes what to do about the first so many of the lines that are waited for. */
void ct_blame_write_fixes(FILE *out, const struct ct_advices *advices, size_t rows,
			  bool has_causes);

#endif
