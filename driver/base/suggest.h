/* SPDX-License-Identifier: Apache-2.0 */
/* The nearest match of a mistyped word. */
#ifndef CT_DRIVER_SUGGEST_H
#define CT_DRIVER_SUGGEST_H

#include <stddef.h>

/* The one of candidates[count] with the smallest edit distance to the first
 * bytes of word, or NULL if none is near. */
const char *ct_suggest(const char *word, size_t bytes, const char *const *candidates, size_t count);

#endif
