/* SPDX-License-Identifier: Apache-2.0 */
/* Words and bytes of a block. */
#include "postproc/analysis/access/touched.h"

#define BYTE_WORDS (2 * CT_ACCESS_QUARTERS)
#define WORDS_EACH 16u /* words of four bytes that 64 bytes are */

void ct_access_touched_add(struct ct_access_touched *touched, const struct ct_access_entry *entry)
{
	uint32_t part = entry->key[1] & CT_ACCESS_PART_MASK;
	uint64_t *to = part == CT_ACCESS_PART_WORDS ? touched->words : &touched->bytes[2 * part];

	touched->has_bytes |= part != CT_ACCESS_PART_WORDS;
	to[0] |= entry->value[0];
	to[1] |= entry->value[1];
}

void ct_access_touched_join(struct ct_access_touched *to, const struct ct_access_touched *from)
{
	to->words[0] |= from->words[0];
	to->words[1] |= from->words[1];
	to->has_bytes |= from->has_bytes;
	for (uint32_t i = 0; from->has_bytes && i < BYTE_WORDS; i++)
		to->bytes[i] |= from->bytes[i];
}

void ct_access_touched_clear(struct ct_access_touched *touched)
{
	touched->words[0] = touched->words[1] = 0;
	for (uint32_t i = 0; touched->has_bytes && i < BYTE_WORDS; i++)
		touched->bytes[i] = 0;
	touched->has_bytes = false;
}

/* Returns the lowest bit of each eight, set if any of them is. */
static uint64_t any_of_8(uint64_t bits)
{
	bits |= bits >> 4;
	bits |= bits >> 2;
	bits |= bits >> 1;
	return bits & 0x0101010101010101u;
}

/* Without the processor's instruction, which not all have, what the compiler has is a call. */
static inline uint32_t count_bits(uint64_t bits)
{
	bits -= bits >> 1 & 0x5555555555555555u;
	bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
	bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
	return (uint32_t)(bits * 0x0101010101010101u >> 56);
}

/* 8 words are a sector, 16 and 32 lines. Where a field has one bit at most, the product's highest
 * field is how many have one. */
static struct ct_access_touched_sums sum_words(const uint64_t words[2])
{
	struct ct_access_touched_sums sums = {0};

	for (uint32_t i = 0; i < 2; i++) {
		uint64_t sectors = any_of_8(words[i]);
		uint64_t lines = (sectors | sectors >> 8) & 0x0001000100010001u;

		sums.bytes += 4 * count_bits(words[i]);
		sums.sectors += sectors * 0x0101010101010101u >> 56;
		sums.lines[0] += lines * 0x0001000100010001u >> 48;
		sums.lines[1] += !!(uint32_t)words[i] + !!(words[i] >> 32);
	}
	return sums;
}

/* Four bits for each of 16. */
static uint64_t spread(uint64_t bits)
{
	bits = (bits | bits << 24) & 0x000000ff000000ffu;
	bits = (bits | bits << 12) & 0x000f000f000f000fu;
	bits = (bits | bits << 6) & 0x0303030303030303u;
	bits = (bits | bits << 3) & 0x1111111111111111u;
	return bits * 15;
}

static struct ct_access_touched_sums sum_bytes(const struct ct_access_touched *touched)
{
	struct ct_access_touched_sums sums = {0};
	bool has_last = false;

	for (uint32_t i = 0; i < BYTE_WORDS; i++) {
		uint32_t shift = i * WORDS_EACH % 64;
		uint64_t words = touched->words[i / CT_ACCESS_QUARTERS] >> shift & 0xffff;
		uint64_t bytes = touched->bytes[i] | spread(words);

		sums.bytes += count_bits(bytes);
		sums.sectors += (uint64_t) !!(uint32_t)bytes + !!(bytes >> 32);
		sums.lines[0] += bytes != 0;
		sums.lines[1] += i % 2 && (bytes || has_last);
		has_last = bytes != 0;
	}
	return sums;
}

struct ct_access_touched_sums ct_access_touched_sums(const struct ct_access_touched *touched)
{
	return touched->has_bytes ? sum_bytes(touched) : sum_words(touched->words);
}
