/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which host call path a launch comes from: return addresses, innermost first, at
 * most CT_CALL_PATH_MAX. Unwinding costs 1 to 3 us; that the path is still the one
 * taken before from this place of the stack is seen in a few ns, from the slots
 * of the return addresses (where these are known: x86-64).
 */
#ifndef CT_CALLPATH_H
#define CT_CALLPATH_H

#include <stdbool.h>
#include <stdint.h>

#define CT_CALL_PATH_MAX 32u

struct ct_call_path {
	const void *thread; /* whose stack it is; NULL: not to be compared */
	uintptr_t base;
	uint32_t count;
	uintptr_t addresses[CT_CALL_PATH_MAX];
	uintptr_t slots[CT_CALL_PATH_MAX]; /* where on the stack they are */
};

/* base: frame address of a function on the path; frames within it do not count. */
void ct_call_path_take(struct ct_call_path *path, uintptr_t base);
/* True if path was taken by this thread with the same base, and nothing has changed. */
bool ct_call_path_is_current(const struct ct_call_path *path, uintptr_t base);
/* Of the addresses; in this process. */
uint64_t ct_call_path_key(const struct ct_call_path *path);
/* The same in every process of the program: of places in modules. */
uint64_t ct_call_path_hash(const struct ct_call_path *path);

/* Joins a word to a hash. */
static inline uint64_t ct_hash_join(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
	hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93u;
	return hash ^ hash >> 32;
}

uint64_t ct_hash_join_string(uint64_t hash, const char *text);

#endif
