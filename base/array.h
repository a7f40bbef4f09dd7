/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that grow: by doubling, so that appending costs constant time in the mean. */
#ifndef CT_BASE_ARRAY_H
#define CT_BASE_ARRAY_H

#include <stddef.h>

/*
 * Both take the address of a pointer to the first element (NULL: no array yet), which realloc
 * may move, and return 0, or -ENOMEM with the array as it was. The caller counts the elements
 * and frees the array.
 */

/* Room for one more element behind count of them. For arrays that grow by this alone, one by
 * one from empty: their room follows from count (the next power of two) and is kept nowhere. */
int ct_array_grow(void *array, size_t count, size_t element_bytes);

/* Room for needed elements; *room is how many there is room for (0 at first). */
int ct_array_reserve(void *array, size_t *room, size_t needed, size_t element_bytes);

#endif
