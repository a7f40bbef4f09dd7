/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A word per record: the bits of its key in which records differ, packed, above
 * its index. Words are sorted by radix, 8 bytes each instead of a record. Bits
 * that find no room are the next level's, for records that are equal so far.
 */
#include "postproc/shuffle/sort.h"

#include <string.h>

#define DIGIT_BITS 11u
#define DIGIT_BITS_FEW 8u
#define FEW 4096u /* words: tables of 11-bit digits cost more than they save */
#define INSERTION 24u
#define PASSES 8u
#define FIELDS 128u /* alternating bits */

/* width bits of a word of the key, from shift on; they follow the bits above. */
struct field {
	uint32_t at;                /* bytes of the record before the word */
	uint8_t shift, width, left; /* left: bits of the level below it */
	uint64_t mask;
};

struct level {
	struct field *field;
	uint32_t fields, bits;
};

struct sorter {
	const struct ct_pieces *pieces;
	struct field field[FIELDS];
	struct level level[FIELDS];
	uint32_t levels;
	uint32_t index_bits;
};

static uint64_t ones(uint32_t bits)
{
	return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

static void read_key(const unsigned char *record, uint64_t key[2])
{
	memcpy(key, record, 2 * sizeof(uint64_t));
}

/* The bits in which keys differ from the first one. */
static void find_differences(const struct ct_piece *piece, size_t from, size_t record_bytes,
			     const uint64_t first[2], uint64_t differ[2])
{
	const unsigned char *at = piece->records + from * record_bytes;
	uint64_t d0 = 0, d1 = 0;

	for (size_t i = from; i < piece->count; i++, at += record_bytes) {
		uint64_t key[2];

		read_key(at, key);
		d0 |= key[0] ^ first[0];
		d1 |= key[1] ^ first[1];
	}
	differ[0] |= d0;
	differ[1] |= d1;
}

/* In which bits of the mask do keys differ? True if they ascend. has_second: the
 * second word counts. */
static inline __attribute__((always_inline)) bool compare_words(const struct ct_pieces *pieces,
								const uint64_t mask[2],
								uint64_t differ[2], bool has_second)
{
	uint64_t first[2], last[2], d0 = 0, d1 = 0;
	bool ascending = true;

	differ[0] = differ[1] = 0;
	read_key(pieces->piece[0].records, first);
	last[0] = first[0] & mask[0];
	last[1] = first[1] & mask[1];
	for (size_t p = 0; p < pieces->count; p++) {
		const unsigned char *at = pieces->piece[p].records;

		for (size_t i = 0; i < pieces->piece[p].count; i++, at += pieces->record_bytes) {
			uint64_t key[2];

			if (!ascending) { /* no longer asked */
				find_differences(&pieces->piece[p], i, pieces->record_bytes, first,
						 differ);
				break;
			}
			read_key(at, key);
			d0 |= key[0] ^ first[0];
			d1 |= key[1] ^ first[1];
			key[0] &= mask[0];
			key[1] &= mask[1];
			ascending &= has_second ? (last[0] < key[0]) |
						      ((last[0] == key[0]) & (last[1] <= key[1]))
						: last[0] <= key[0];
			last[0] = key[0];
			last[1] = key[1];
		}
	}
	differ[0] = (differ[0] | d0) & mask[0];
	differ[1] = (differ[1] | d1) & mask[1];
	return ascending;
}

static bool compare_all(const struct ct_pieces *pieces, const uint64_t mask[2], uint64_t differ[2])
{
	return mask[1] ? compare_words(pieces, mask, differ, true)
		       : compare_words(pieces, mask, differ, false);
}

/* The next bits below, at most room of them. False: there are none. */
static bool next_field(uint64_t differ[2], uint32_t room, struct field *field)
{
	uint32_t word = differ[0] == 0;
	uint64_t bits = differ[word];
	uint32_t top, below;

	if (bits == 0)
		return false;
	top = 63u - (uint32_t)__builtin_clzll(bits);
	below = ~bits << (63 - top) ? (uint32_t)__builtin_clzll(~bits << (63 - top)) : top + 1;
	if (below > room)
		below = room;
	*field = (struct field){.at = word * (uint32_t)sizeof(uint64_t),
				.shift = (uint8_t)(top + 1 - below),
				.width = (uint8_t)below,
				.mask = ones(below)};
	differ[word] &= ones(field->shift);
	return true;
}

/* Its fields side by side. */
static void align(struct level *level)
{
	uint32_t left = level->bits;

	for (uint32_t i = 0; i < level->fields; i++) {
		left -= level->field[i].width;
		level->field[i].left = (uint8_t)left;
	}
}

/* A level has the bits of two digits: they tell most records apart, where keys are as good as
 * random in their upper bits, and only those that they do not pay for the others. */
static void plan(struct sorter *sorter, uint64_t differ[2])
{
	uint32_t most = 2 * (sorter->pieces->records < FEW ? DIGIT_BITS_FEW : DIGIT_BITS);
	uint32_t room = 64 - sorter->index_bits, fields = 0;
	struct level *level = NULL;

	room = room < most ? room : most;
	while (next_field(differ, level && level->bits < room ? room - level->bits : room,
			  &sorter->field[fields])) {
		if (!level || level->bits == room) {
			level = &sorter->level[sorter->levels++];
			*level = (struct level){.field = &sorter->field[fields]};
		}
		level->bits += sorter->field[fields++].width;
		level->fields++;
	}
	for (uint32_t l = 0; l < sorter->levels; l++)
		align(&sorter->level[l]);
}

static inline __attribute__((always_inline)) uint64_t
pack_fields(const struct level *level, const unsigned char *record, uint32_t fields)
{
	uint64_t bits = 0;

	for (uint32_t i = 0; i < fields; i++) {
		const struct field *field = &level->field[i];
		uint64_t word;

		memcpy(&word, record + field->at, sizeof(word));
		bits |= (word >> field->shift & field->mask) << field->left;
	}
	return bits;
}

static uint64_t pack(const struct level *level, const unsigned char *record)
{
	return pack_fields(level, record, level->fields);
}

static void sort_by_insertion(uint64_t *word, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		uint64_t value = word[i];
		size_t at = i;

		for (; at > 0 && word[at - 1] > value; at--)
			word[at] = word[at - 1];
		word[at] = value;
	}
}

/* By bits from low on; the result is in word. */
static void sort_by_radix(uint64_t *word, uint64_t *spare, size_t count, uint32_t low,
			  uint32_t bits)
{
	uint32_t most = count < FEW ? DIGIT_BITS_FEW : DIGIT_BITS;
	uint32_t passes = (bits + most - 1) / most;
	uint32_t width = (bits + passes - 1) / passes;
	uint32_t table[PASSES][1u << DIGIT_BITS];
	uint64_t *from = word, *to = spare;

	for (uint32_t p = 0; p < passes; p++)
		memset(table[p], 0, sizeof(table[p][0]) << width);
	for (size_t i = 0; i < count; i++)
		for (uint32_t p = 0; p < passes; p++)
			table[p][word[i] >> (low + p * width) & ones(width)]++;
	for (uint32_t p = 0; p < passes; p++) {
		uint32_t shift = low + p * width;
		uint32_t sum = 0;

		for (size_t d = 0; d < (size_t)1 << width; d++) {
			uint32_t here = table[p][d];

			table[p][d] = sum;
			sum += here;
		}
		for (size_t i = 0; i < count; i++)
			to[table[p][from[i] >> shift & ones(width)]++] = from[i];
		from = to;
		to = from == word ? spare : word;
	}
	if (from != word)
		memcpy(word, from, count * sizeof(*word));
}

static void sort_words(uint64_t *word, uint64_t *spare, size_t count, uint32_t low, uint32_t bits)
{
	if (count <= INSERTION)
		sort_by_insertion(word, count);
	else
		sort_by_radix(word, spare, count, low, bits);
}

/* Words that are equal in the bits of the levels so far: order them by this one. */
static void refine(const struct sorter *sorter, uint32_t depth, uint64_t *word, uint64_t *spare,
		   size_t count)
{
	const struct level *level = &sorter->level[depth];
	uint64_t mask = ones(sorter->index_bits);

	if (depth == sorter->levels)
		return;
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && (word[i] ^ word[end]) <= mask;)
			end++;
		if (end - i == 1)
			continue;
		for (size_t k = i; k < end; k++) {
			uint64_t index = word[k] & mask;

			word[k] = pack(level, ct_pieces_at(sorter->pieces, index))
				      << sorter->index_bits |
				  index;
		}
		sort_words(word + i, spare, end - i, sorter->index_bits, level->bits);
		refine(sorter, depth + 1, word + i, spare, end - i);
	}
}

static inline __attribute__((always_inline)) void make_words_of(const struct sorter *sorter,
								uint64_t *word, uint32_t fields)
{
	const struct ct_pieces *pieces = sorter->pieces;

	for (size_t p = 0; p < pieces->count; p++) {
		const unsigned char *at = pieces->piece[p].records;
		uint64_t index = (uint64_t)p << pieces->log2;

		for (size_t i = 0; i < pieces->piece[p].count; i++, at += pieces->record_bytes)
			*word++ = pack_fields(&sorter->level[0], at, fields) << sorter->index_bits |
				  index++;
	}
}

static void make_words(const struct sorter *sorter, uint64_t *word)
{
	switch (sorter->level[0].fields) {
	case 1:
		make_words_of(sorter, word, 1);
		break;
	case 2:
		make_words_of(sorter, word, 2);
		break;
	case 3:
		make_words_of(sorter, word, 3);
		break;
	case 4:
		make_words_of(sorter, word, 4);
		break;
	default:
		make_words_of(sorter, word, sorter->level[0].fields);
	}
}

bool ct_pieces_sort(const struct ct_pieces *pieces, const uint64_t key_mask[2], uint64_t *word,
		    uint64_t *spare, uint64_t *mask)
{
	uint64_t differ[2];
	struct sorter sorter;

	if (pieces->records == 0 || compare_all(pieces, key_mask, differ))
		return true;
	sorter.pieces = pieces;
	sorter.levels = 0;
	sorter.index_bits = pieces->log2;
	while ((uint64_t)1 << (sorter.index_bits - pieces->log2) < pieces->count)
		sorter.index_bits++;
	plan(&sorter, differ);
	make_words(&sorter, word);
	sort_words(word, spare, pieces->records, sorter.index_bits, sorter.level[0].bits);
	refine(&sorter, 1, word, spare, pieces->records);
	*mask = ones(sorter.index_bits);
	return false;
}
