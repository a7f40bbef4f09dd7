/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that grow one element at a time. */
#ifndef CT_MODEL_GROW_H
#define CT_MODEL_GROW_H

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

/* Make room for one more element: capacity is the next power of two. 0 or -ENOMEM. */
static inline int ct_grow(void **array, size_t count, size_t size)
{
	void *bigger;

	if (count & (count - 1))
		return 0;
	bigger = realloc(*array, (count ? 2 * count : 1) * size);
	if (!bigger)
		return -ENOMEM;
	*array = bigger;
	return 0;
}

#endif
