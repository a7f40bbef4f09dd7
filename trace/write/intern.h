/* SPDX-License-Identifier: Apache-2.0 */
/* A set of byte strings, numbered from 1 in the order they were first seen. */
#ifndef CT_TRACE_INTERN_H
#define CT_TRACE_INTERN_H

#include <stddef.h>
#include <stdint.h>

struct ct_intern_slot {
	uint64_t hash[2]; /* 128 bits stand for the bytes themselves */
	uint32_t id;      /* 0: free */
};

struct ct_intern {
	struct ct_intern_slot *slots;
	size_t slot_count; /* a power of two, or 0 */
	uint32_t count;
};

/* Returns the id, or 0 if memory is short. *is_new says whether it was added. */
uint32_t ct_intern_add(struct ct_intern *set, const void *bytes, size_t size, int *is_new);
void ct_intern_fini(struct ct_intern *set);

#endif
