/* SPDX-License-Identifier: Apache-2.0 */
/* The page of two made-up studies. */
#ifndef CT_TEST_MADE_COMPARISON_H
#define CT_TEST_MADE_COMPARISON_H

#include "postproc/sources/store.h"
#include <stdio.h>

/* With problems of every state, bars of both runs, and lines of source.cu that are matched.
 * sources: both studies' lines. 0 or a negative error. */
int made_comparison(FILE *out, struct ct_source_store *sources);

#endif
