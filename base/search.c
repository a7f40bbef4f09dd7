/* SPDX-License-Identifier: Apache-2.0 */
/* Where in an ascending array a number belongs: by halves. */
#include "base/search.h"
#include <string.h>

size_t ct_search_above(const void *array, size_t count, size_t element_bytes, uint64_t key)
{
	const unsigned char *element = array;
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		uint64_t at;

		memcpy(&at, element + middle * element_bytes, sizeof(at));
		if (at <= key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
