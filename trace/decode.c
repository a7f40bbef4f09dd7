/* SPDX-License-Identifier: Apache-2.0 */
/* Decode a stream of records. */
#include "decode.h"

#include <cudatrace/error.h>
#include <stdbool.h>
#include <string.h>

struct stream {
	const unsigned char *at; /* words need not be aligned */
	size_t words;            /* left */
};

/* A record taken apart; the payload of DELTA and RAW stays where it is. */
struct record {
	uint32_t kind;
	uint32_t site; /* as in the record's own field */
	uint32_t mask;
	uint64_t base;
	int64_t stride;
	uint32_t log2_width;
	uint32_t planes;
	uint32_t shift;
	const unsigned char *payload;
	size_t words;
};

static uint64_t word_at(const unsigned char *at, size_t i)
{
	uint64_t word;

	memcpy(&word, at + 8 * i, sizeof(word));
	return word;
}

static uint32_t kind_of(uint64_t word)
{
	return (uint32_t)(word >> CT_RECORD_KIND_SHIFT);
}

/* Take apart the second word. Returns false if it is not valid. */
static bool parse_second_word(struct record *record, uint64_t word)
{
	uint32_t high = (uint32_t)(word >> 32);

	record->mask = (uint32_t)word;
	switch (record->kind) {
	case CT_REC_AFFINE_MASK:
	case CT_REC_UNIFORM_MASK:
		return record->mask && high == 0;
	case CT_REC_STRIDED:
	case CT_REC_RANKED:
		record->stride = (int32_t)high;
		return record->mask != 0;
	case CT_REC_ROWS:
		record->mask = CT_FULL_MASK;
		record->stride = (int32_t)(uint32_t)word;
		record->log2_width = high;
		return high == 3 || high == 4;
	case CT_REC_DELTA:
		record->planes = high & 0xff;
		record->shift = high >> 8 & 0xff;
		record->words +=
		    (record->planes * (size_t)__builtin_popcount(record->mask) + 7) / 8;
		return record->mask && record->planes >= 1 && record->planes <= 4 &&
		       record->shift < 64 && high >> 16 == 0;
	default: /* CT_REC_RAW */
		record->words += (size_t)__builtin_popcount(record->mask);
		return record->mask && high == 0 && record->base == 0;
	}
}

/* Take apart the access record at the head of the stream. */
static bool parse_record(struct record *record, const struct stream *stream)
{
	uint64_t word = word_at(stream->at, 0);

	record->kind = kind_of(word);
	record->site = (uint32_t)(word >> CT_SITE_SHIFT) & CT_SITE_EXTENDED;
	record->base = word & CT_ADDRESS_MASK;
	if (record->kind == CT_REC_AFFINE || record->kind == CT_REC_UNIFORM) {
		record->mask = CT_FULL_MASK;
		record->words = 1;
		return true;
	}
	if (record->kind < CT_REC_AFFINE || record->kind > CT_REC_RANKED || stream->words < 2)
		return false;
	record->words = 2;
	record->payload = stream->at + 16;
	return parse_second_word(record, word_at(stream->at, 1)) && record->words <= stream->words;
}

static uint64_t delta_of_rank(const struct record *record, uint32_t rank, uint32_t count)
{
	uint64_t delta = 0;

	for (uint32_t p = 0; p < record->planes; p++)
		delta |= (uint64_t)record->payload[p * count + rank] << 8 * p;
	return delta << record->shift;
}

/* Every lane gets base + lane * stride; that inactive lanes get one too is harmless. */
static void expand_lanes(uint64_t address[CT_WARP_LANES], uint64_t base, uint64_t stride)
{
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		address[lane] = base + lane * stride;
}

static void expand_rows(const struct record *record, uint64_t bytes,
			uint64_t address[CT_WARP_LANES])
{
	uint32_t width = 1u << record->log2_width;

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		address[lane] = record->base + (lane & (width - 1)) * bytes +
				(lane >> record->log2_width) * (uint64_t)record->stride;
}

/* The kinds that go by rank among the active lanes. */
static void expand_ranks(const struct record *record, uint64_t address[CT_WARP_LANES])
{
	uint32_t count = (uint32_t)__builtin_popcount(record->mask), rank = 0;

	for (uint32_t rest = record->mask; rest; rest &= rest - 1, rank++) {
		uint64_t *to = &address[__builtin_ctz(rest)];

		if (record->kind == CT_REC_RANKED)
			*to = record->base + rank * (uint64_t)record->stride;
		else if (record->kind == CT_REC_DELTA)
			*to = record->base + delta_of_rank(record, rank, count);
		else
			*to = word_at(record->payload, rank);
	}
}

/* Addresses are computed modulo 2^64. */
static void expand(const struct record *record, uint64_t bytes, uint64_t address[CT_WARP_LANES])
{
	uint64_t first = (uint64_t)__builtin_ctz(record->mask);

	switch (record->kind) {
	case CT_REC_AFFINE:
	case CT_REC_AFFINE_MASK:
		expand_lanes(address, record->base - first * bytes, bytes);
		break;
	case CT_REC_UNIFORM:
	case CT_REC_UNIFORM_MASK:
		expand_lanes(address, record->base, 0);
		break;
	case CT_REC_STRIDED:
		expand_lanes(address, record->base - first * (uint64_t)record->stride,
			     (uint64_t)record->stride);
		break;
	case CT_REC_ROWS:
		expand_rows(record, bytes, address);
		break;
	default:
		expand_ranks(record, address);
	}
}

static void advance(struct stream *stream, size_t words)
{
	stream->at += 8 * words;
	stream->words -= words;
}

/* The record at the head, with its full site index where it stood before. */
static int decode_access(const struct ct_decoder *decoder, struct stream *stream, bool is_wanted)
{
	uint64_t word = word_at(stream->at, 0);
	struct record record = {0};
	bool is_extended = kind_of(word) == CT_REC_SITE;
	uint32_t site = (uint32_t)word, bytes;

	if (is_extended) {
		if (stream->words < 2 || (word & ~(15ull << CT_RECORD_KIND_SHIFT)) >> 32 != 0)
			return -CT_ERECORD;
		advance(stream, 1);
	}
	if (!parse_record(&record, stream) || is_extended != (record.site == CT_SITE_EXTENDED))
		return -CT_ERECORD;
	advance(stream, record.words);

	if (!is_extended)
		site = record.site;
	if (!is_wanted || decoder->site_bytes(decoder->user, site, &bytes) != 0)
		return 0;
	expand(&record, bytes, decoder->address);
	return decoder->access(decoder->user, site, record.mask, decoder->address);
}

static int decode_segment(const struct ct_decoder *decoder, struct stream *stream)
{
	struct ct_segment segment;
	uint64_t word0 = word_at(stream->at, 0), word1;

	if (stream->words < 2)
		return -CT_ERECORD;
	word1 = word_at(stream->at, 1);
	segment.launch = (uint32_t)word0;
	segment.sequence = (uint32_t)(word0 >> 32) & 0xffff;
	segment.sm = (uint32_t)(word0 >> 48) & 0xfff;
	segment.warp = (uint32_t)(word1 >> 59);
	segment.cta = word1 & ((1ull << 59) - 1);
	advance(stream, 2);
	return decoder->segment(decoder->user, &segment);
}

int ct_decode(const struct ct_decoder *decoder, const void *records, size_t bytes, size_t *position)
{
	struct stream stream = {records, bytes / 8};
	bool is_wanted = false, has_segment = false;
	int err = 0;

	while (stream.words > 0 && err == 0) {
		uint64_t word = word_at(stream.at, 0);

		if (position)
			*position = bytes / 8 * 8 - 8 * stream.words;
		if (word == 0) {
			advance(&stream, 1);
		} else if (kind_of(word) == CT_REC_SEGMENT) {
			err = decode_segment(decoder, &stream);
			has_segment = true;
			is_wanted = err > 0;
			err = err > 0 ? 0 : err;
		} else if (has_segment) {
			err = decode_access(decoder, &stream, is_wanted);
		} else {
			err = -CT_ERECORD;
		}
	}
	if (err == 0 && bytes % 8 != 0) {
		if (position)
			*position = bytes / 8 * 8;
		return -CT_ERECORD;
	}
	return err;
}
