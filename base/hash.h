/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes of words and texts that are the same in every process. */
#ifndef CT_BASE_HASH_H
#define CT_BASE_HASH_H

#include <stdint.h>

/* Joins a word to a hash. */
static inline uint64_t ct_hash_join(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
	hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93u;
	return hash ^ hash >> 32;
}

uint64_t ct_hash_join_string(uint64_t hash, const char *text);

#endif
