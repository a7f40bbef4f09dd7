/* SPDX-License-Identifier: Apache-2.0 */
/* Texts are hashed by words of eight bytes, and then a zero. */
#include "base/hash.h"
#include <stddef.h>
#include <string.h>

uint64_t ct_hash_join_string(uint64_t hash, const char *text)
{
	uint64_t word;

	for (size_t left = strlen(text), bytes; left; left -= bytes, text += bytes) {
		bytes = left < sizeof(word) ? left : sizeof(word);
		word = 0;
		memcpy(&word, text, bytes);
		hash = ct_hash_join(hash, word);
	}
	return ct_hash_join(hash, 0);
}
