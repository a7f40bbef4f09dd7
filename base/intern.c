/* SPDX-License-Identifier: Apache-2.0 */
/* A set of byte strings, numbered from 1 in the order they were first seen. */
#include "base/intern.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint32_t ct_intern_add(struct ct_intern *set, const void *bytes, size_t size, bool *is_new)
{
	XXH128_hash_t hash = XXH3_128bits(bytes, size);
	union ct_map_value *id = ct_map_put(&set->ids, hash.low64, hash.high64);

	*is_new = id && id->number == 0;
	if (*is_new)
		id->number = set->ids.count;
	return id ? (uint32_t)id->number : 0;
}

void ct_intern_fini(struct ct_intern *set)
{
	ct_map_fini(&set->ids);
}
