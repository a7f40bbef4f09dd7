/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that grow. */
#include "base/array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 8u

/* The pointer is copied: it may be of any type, and is not accessed as void *. */
static int resize(void *array, size_t elements, size_t element_bytes)
{
	void *old, *bigger;
	size_t bytes;

	if (__builtin_mul_overflow(elements, element_bytes, &bytes))
		return -ENOMEM;
	memcpy(&old, array, sizeof(old));
	bigger = realloc(old, bytes);
	if (!bigger)
		return -ENOMEM;
	memcpy(array, &bigger, sizeof(bigger));
	return 0;
}

int ct_array_grow(void *array, size_t count, size_t element_bytes)
{
	if (count & (count - 1))
		return 0;
	return resize(array, count ? 2 * count : 1, element_bytes);
}

int ct_array_reserve(void *array, size_t *room, size_t needed, size_t element_bytes)
{
	size_t bigger = *room ? 2 * *room : ROOM_FIRST;
	int err;

	if (needed <= *room)
		return 0;
	if (bigger < needed)
		bigger = needed;
	err = resize(array, bigger, element_bytes);
	if (err == 0)
		*room = bigger;
	return err;
}
