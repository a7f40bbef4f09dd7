/* SPDX-License-Identifier: Apache-2.0 */
/* Records as a GPU sends them, made up. */
#include "streams.h"
#include <cudatrace/record.h>
#include <cudatrace/ring.h>
#include <stdlib.h>
#include <string.h>

#define WARPS 8u    /* of a CTA */
#define SLOTS 2112u /* resident warps: of 264 CTAs */
#define CHUNK_WORDS (CT_CHUNK_BYTES / 8)
#define WARP_WORDS_MAX 64u

#define A 0x7f0000000000ull
#define B 0x7f0040000000ull
#define C 0x7f0080000000ull
#define ROW 4096u /* elements of a row of the matrices */

static uint64_t random_state = 0x2545f4914f6cdd1dull;

static uint64_t next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static uint64_t head(enum ct_record_kind kind, uint32_t site, uint64_t low)
{
	return (uint64_t)kind << CT_RECORD_KIND_SHIFT | (uint64_t)site << CT_SITE_SHIFT |
	       (low & CT_ADDRESS_MASK);
}

static uint32_t put_group(uint64_t *words, uint32_t site, const uint64_t *distances, uint32_t count)
{
	words[0] = head(CT_REC_EXTENDED, site,
			(uint64_t)CT_EXTENDED_GROUP << CT_EXTENDED_VARIANT_SHIFT | count);
	memcpy(words + 1, distances, 8 * count);
	return 1 + count;
}

/* c[i] = a[i] + b[i]: one record for three accesses */
static uint32_t put_stream(uint64_t *words, uint64_t warp, int is_first, uint64_t *accesses)
{
	const uint64_t distances[] = {B - A, C - A};
	uint32_t n = is_first ? put_group(words, 0, distances, 2) : 0;

	words[n++] = head(CT_REC_AFFINE, 0, A + 128 * warp);
	*accesses += 3 * CT_WARP_LANES;
	return n;
}

/* Five loads around a point and a store; the warps at the left edge with 31 lanes. */
static uint32_t put_stencil(uint64_t *words, uint64_t warp, int is_first, uint64_t *accesses)
{
	const uint64_t distances[] = {-4ull, 4, -4ull * ROW, 4 * ROW, B - A};
	uint32_t n = is_first ? put_group(words, 0, distances, 5) : 0;

	if (warp % (ROW / 32) == 0) {
		words[n++] = head(CT_REC_AFFINE_MASK, 0, A + 128 * warp + 4);
		words[n++] = 0xfffffffe;
		*accesses += 6 * 31;
		return n;
	}
	words[n++] = head(CT_REC_AFFINE, 0, A + 128 * warp);
	*accesses += 6 * CT_WARP_LANES;
	return n;
}

/* c[i] = a[index[i]] for 16 Mi floats: three bytes per address */
static uint32_t put_gather(uint64_t *words, uint64_t warp, int is_first, uint64_t *accesses)
{
	const uint64_t distances[] = {C - B};
	uint32_t n = is_first ? put_group(words, 0, distances, 1) : 0;

	words[n++] = head(CT_REC_AFFINE, 0, B + 128 * warp);
	words[n++] = head(CT_REC_NEAR, 1, A | 2u | 2u << 2);
	for (uint32_t i = 0; i < 12; i++)
		words[n++] = next_random() ^ next_random() << 32;
	*accesses += 3 * CT_WARP_LANES;
	return n;
}

/* Tiled matrix product: loads of two tiles in a loop of 128 iterations, a store. */
static uint32_t put_matmul(uint64_t *words, uint64_t warp, int is_first, uint64_t *accesses)
{
	uint64_t cta = warp / WARPS, x = cta % (ROW / 16) * 16, y = cta / (ROW / 16) * 16;
	uint64_t row = y + warp % WARPS * 2;
	uint32_t n = 0;

	(void)is_first;
	words[n++] =
	    head(CT_REC_EXTENDED, 0, (uint64_t)CT_EXTENDED_LOOP << CT_EXTENDED_VARIANT_SHIFT | 2);
	words[n++] = 128;
	words[n++] = (A + 4 * ROW * row) | 4ull << CT_LOOP_WIDTH_SHIFT;
	words[n++] = 4 | 4ull * ROW << 32;
	words[n++] = 64;
	words[n++] = (B + 4 * x + 4 * ROW * (warp % WARPS) * 2) | 4ull << CT_LOOP_WIDTH_SHIFT;
	words[n++] = 4 | 4ull * ROW << 32;
	words[n++] = 64 * ROW;
	words[n++] = head(CT_REC_ROWS, 2, C + 4 * ROW * row + 4 * x);
	words[n++] = 4ull * ROW | 4ull << 32;
	*accesses += (2 * 128 + 1) * CT_WARP_LANES;
	return n;
}

/* Branches on data: lanes at random, each branch with a load and a store. */
static uint32_t put_divergent(uint64_t *words, uint64_t warp, int is_first, uint64_t *accesses)
{
	uint32_t mask = (uint32_t)next_random() | 1, n = 0;

	(void)is_first;
	words[n++] = head(CT_REC_AFFINE, 0, A + 128 * warp);
	for (uint32_t branch = 0; branch < 2; branch++, mask = ~mask) {
		uint64_t first = mask ? (uint64_t)__builtin_ctz(mask) : 0;

		words[n++] = head(CT_REC_AFFINE_MASK, 1 + 2 * branch, B + 128 * warp + 4 * first);
		words[n++] = mask;
		words[n++] = head(CT_REC_AFFINE_MASK, 2 + 2 * branch, C + 128 * warp + 4 * first);
		words[n++] = mask;
	}
	*accesses += 3 * CT_WARP_LANES;
	return n;
}

/* The stream again, with 4-byte values between 1 and 2 of both loads. */
static uint32_t put_values(uint64_t *words, uint64_t warp, int is_first, uint64_t *accesses)
{
	uint32_t n = 0;

	(void)is_first;
	for (uint32_t site = 0; site < 2; site++) {
		words[n++] = head(CT_REC_AFFINE, site, (site ? B : A) + 128 * warp);
		words[n++] = head(CT_REC_VALUE, site,
				  (uint64_t)CT_VALUE_RAW << CT_VALUE_SHAPE_SHIFT |
				      4ull << CT_VALUE_BYTES_SHIFT | CT_FULL_MASK);
		for (uint32_t i = 0; i < 16; i++)
			words[n++] =
			    (next_random() & 0x007fffff007fffffull) | 0x3f8000003f800000ull;
	}
	words[n++] = head(CT_REC_AFFINE, 2, C + 128 * warp);
	*accesses += 3 * CT_WARP_LANES;
	return n;
}

const struct stream_shape stream_shapes[] = {
    {"stream", "c[i] = a[i] + b[i], a group of three", put_stream},
    {"stencil", "five loads and a store, a group of six", put_stencil},
    {"gather", "random loads from 64 MiB, NEAR", put_gather},
    {"matmul", "tiles in a loop, LOOP", put_matmul},
    {"divergent", "random masks", put_divergent},
    {"values", "stream with 4-byte values", put_values},
};

const size_t stream_shape_count = sizeof(stream_shapes) / sizeof(stream_shapes[0]);

/* A chunk of a slot: the warps that come to run on one place of an SM one after
 * another, with their CTAs a little out of order. Returns its words. */
static uint32_t put_chunk(const struct stream_shape *shape, uint64_t *words, uint64_t *next_cta,
			  uint32_t slot, uint64_t *accesses)
{
	uint32_t n = 0, warp = slot % WARPS;

	while (n + WARP_WORDS_MAX < CHUNK_WORDS) {
		uint64_t cta = *next_cta;
		int is_first = n == 0;

		*next_cta += SLOTS / WARPS + (next_random() % 8 == 0 ? next_random() % 3 : 0);
		if (next_random() % 16 == 0)
			warp = (uint32_t)next_random() % WARPS;
		if (is_first) {
			words[n++] = CT_SEGMENT_WORD0(slot / 16, 0, 1);
			words[n++] = CT_SEGMENT_WORD1(warp, cta);
		} else {
			words[n++] = CT_SEGMENT_SHORT_WORD(warp, cta);
		}
		n += shape->put(words + n, cta * WARPS + warp, is_first, accesses);
	}
	return n;
}

struct stream stream_make(const struct stream_shape *shape, size_t bytes, bool is_padded)
{
	struct stream stream = {.words = calloc(1, bytes)};
	uint64_t next_cta[SLOTS];

	random_state = 0x2545f4914f6cdd1dull;
	for (uint32_t slot = 0; slot < SLOTS; slot++)
		next_cta[slot] = slot / WARPS;
	while (stream.words && 8 * stream.count + CT_CHUNK_BYTES <= bytes) {
		uint32_t slot = (uint32_t)(next_random() % SLOTS);

		stream.count += put_chunk(shape, stream.words + stream.count, &next_cta[slot], slot,
					  &stream.accesses);
		if (is_padded)
			stream.count += -stream.count % CHUNK_WORDS;
	}
	return stream;
}
