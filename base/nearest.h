/* SPDX-License-Identifier: Apache-2.0 */
/* The nearest match of a mistyped word. */
#ifndef CT_BASE_NEAREST_H
#define CT_BASE_NEAREST_H

#include <stddef.h>

/* Begin with what was typed, consider every candidate, then best is the nearest one by edit
 * distance, the first of several; NULL if none is near. A word that is the beginning of a
 * candidate is near. Words and candidates above 64 bytes are near to nothing. */
struct ct_nearest {
	const char *typed;
	size_t bytes;
	const char *best; /* one of the candidates */
	size_t distance;  /* of best; of what is no longer near, before there is one */
};

void ct_nearest_begin(struct ct_nearest *nearest, const char *typed, size_t bytes);
void ct_nearest_consider(struct ct_nearest *nearest, const char *candidate);

#endif
