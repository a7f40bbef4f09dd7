/* SPDX-License-Identifier: Apache-2.0 */
/* Where in an ascending array a number belongs. */
#ifndef CT_BASE_SEARCH_H
#define CT_BASE_SEARCH_H

#include <stddef.h>
#include <stdint.h>

/* How many elements have a key of at most this: the index of the first one above it. The key of an
 * element is the uint64_t that it begins with, and elements ascend by it. */
size_t ct_search_above(const void *array, size_t count, size_t element_bytes, uint64_t key);

#endif
