/* SPDX-License-Identifier: Apache-2.0 */
/* The second translation unit's function. */
#ifndef SMOOTH_H
#define SMOOTH_H

static const int TAPS = 5;
static const int WEIGHTS[TAPS] = {1, 4, 6, 4, 1};

/* out[i] = sum of WEIGHTS[t] * in[i + t - 2], indices held within 0..n-1. Device pointers. */
void smooth(int *out, const int *in, int n);

#endif
