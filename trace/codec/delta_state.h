/* SPDX-License-Identifier: Apache-2.0 */
/* State of the codec DELTA, and the fields of words that it takes apart. */
#ifndef CT_TRACE_CODEC_DELTA_STATE_H
#define CT_TRACE_CODEC_DELTA_STATE_H

#include "trace/codec/delta.h"
#include "trace/codec/delta_model.h"

struct ct_delta {
	struct ct_delta_model model;
	unsigned char *streams, *coded; /* of the encoder, for chunks of so many words */
	size_t words;
};

#define CT_DELTA_CTA_MASK ((1ull << 59) - 1)
#define CT_DELTA_SHORT_CTA_MASK ((1ull << CT_SEGMENT_SHORT_CTA_BITS) - 1)

static inline uint64_t ct_delta_short_cta(uint64_t word)
{
	return word & CT_DELTA_SHORT_CTA_MASK;
}

static inline uint32_t ct_delta_short_warp(uint64_t word)
{
	return (uint32_t)(word >> CT_SEGMENT_SHORT_WARP_SHIFT & 31);
}

/* A difference of 48 bits. */
static inline int64_t ct_delta_sign(uint64_t difference)
{
	return (int64_t)(difference << 16) >> 16;
}

/* Words after the fixed ones of a group (distances) or a loop (three per site). */
static inline uint32_t ct_delta_counted_words(uint64_t word)
{
	uint32_t count = (uint32_t)(word & 0xff);

	return ct_delta_is_loop(word) ? 3 * count : count;
}

#endif
