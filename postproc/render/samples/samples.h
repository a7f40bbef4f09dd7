/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of program counters in sentences. */
#ifndef CT_POSTPROC_RENDER_SAMPLES_SAMPLES_H
#define CT_POSTPROC_RENDER_SAMPLES_SAMPLES_H

#include "postproc/analysis/samples/samples.h"
#include <stdio.h>

/* How many there are, how they were taken, what is missing. */
void ct_samples_write(FILE *out, const struct ct_samples_study *study);

#endif
