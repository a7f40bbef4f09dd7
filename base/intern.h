/* SPDX-License-Identifier: Apache-2.0 */
/* A set of byte strings, numbered from 1 in the order they were first seen. */
#ifndef CT_BASE_INTERN_H
#define CT_BASE_INTERN_H

#include "base/map.h"

/* Zero-initialised, it is empty. It keeps 128 bits of hash of each string, which stand for its
 * bytes, and not the strings. */
struct ct_intern {
	struct ct_map ids;
};

/* Returns the id, or 0 if memory is short. *is_new says whether it was added. */
uint32_t ct_intern_add(struct ct_intern *set, const void *bytes, size_t size, bool *is_new);
void ct_intern_fini(struct ct_intern *set);

#endif
