/* SPDX-License-Identifier: Apache-2.0 */
/* Decode access records: kinds 1 to 10. */
#include "trace/codec/decode_record.h"

#include <cudatrace/error.h>

/* A record taken apart; the payload of DELTA and RAW stays where it is. */
struct record {
	uint32_t kind;
	uint32_t mask;
	uint64_t base;
	int64_t stride;
	uint32_t log2_width;
	uint32_t planes;
	uint32_t shift;
	const unsigned char *payload;
	size_t words;
};

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

/* NEAR has in the low bits of its base what other kinds have in a second word. */
static bool parse_near(struct record *record, const struct ct_record_stream *stream)
{
	record->mask = CT_FULL_MASK;
	record->planes = ((uint32_t)record->base & 3) + 1;
	record->shift = (uint32_t)record->base >> 2 & 3;
	record->base &= ~15ull;
	record->words = 1 + 4 * (size_t)record->planes;
	record->payload = stream->at + 8;
	return record->words <= stream->words;
}

/* Take apart the access record at the head of the stream. */
static bool parse_record(struct record *record, const struct ct_record_stream *stream)
{
	uint64_t word = ct_word_at(stream->at, 0);

	record->kind = (uint32_t)(word >> CT_RECORD_KIND_SHIFT);
	record->base = word & CT_ADDRESS_MASK;
	if (record->kind == CT_REC_AFFINE || record->kind == CT_REC_UNIFORM) {
		record->mask = CT_FULL_MASK;
		record->words = 1;
		return true;
	}
	if (record->kind == CT_REC_NEAR)
		return parse_near(record, stream);
	if (stream->words < 2)
		return false;
	record->words = 2;
	record->payload = stream->at + 16;
	return parse_second_word(record, ct_word_at(stream->at, 1)) &&
	       record->words <= stream->words;
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

/* planes: 1 to 4, as parsed; known to the compiler. */
static inline __attribute__((always_inline)) void
expand_planes(const struct record *record, uint32_t planes, uint64_t address[CT_WARP_LANES])
{
	uint32_t count = (uint32_t)__builtin_popcount(record->mask), rank = 0;

	for (uint32_t rest = record->mask; rest; rest &= rest - 1, rank++) {
		uint64_t delta = 0;

		for (uint32_t p = 0; p < planes; p++)
			delta |= (uint64_t)record->payload[p * count + rank] << 8 * p;
		address[__builtin_ctz(rest)] = record->base + (delta << record->shift);
	}
}

static void expand_deltas(const struct record *record, uint64_t address[CT_WARP_LANES])
{
	switch (record->planes) {
	case 1:
		expand_planes(record, 1, address);
		break;
	case 2:
		expand_planes(record, 2, address);
		break;
	case 3:
		expand_planes(record, 3, address);
		break;
	default:
		expand_planes(record, 4, address);
	}
}

/* The kinds that go by rank among the active lanes. */
static void expand_ranks(const struct record *record, uint64_t address[CT_WARP_LANES])
{
	uint32_t rank = 0;

	if (record->kind == CT_REC_DELTA || record->kind == CT_REC_NEAR) {
		expand_deltas(record, address);
		return;
	}
	for (uint32_t rest = record->mask; rest; rest &= rest - 1, rank++)
		address[__builtin_ctz(rest)] = record->kind == CT_REC_RANKED
						   ? record->base + rank * (uint64_t)record->stride
						   : ct_word_at(record->payload, rank);
}

/* Whether the lanes of mask, which is not 0, follow one another without a gap. */
static bool is_run(uint32_t mask)
{
	uint32_t run = mask >> __builtin_ctz(mask);

	return (run & (run + 1)) == 0;
}

/* Addresses are computed modulo 2^64. A lane alone is linear, whatever its record. */
static void expand(const struct record *record, uint64_t bytes, uint64_t address[CT_WARP_LANES],
		   struct ct_decoded_access *access)
{
	uint64_t first = (uint64_t)__builtin_ctz(record->mask);
	bool is_single = (record->mask & (record->mask - 1)) == 0;

	*access = (struct ct_decoded_access){.mask = record->mask, .is_linear = true};
	switch (record->kind) {
	case CT_REC_AFFINE:
	case CT_REC_AFFINE_MASK:
		expand_lanes(address, record->base - first * bytes, bytes);
		access->stride = (int64_t)bytes;
		break;
	case CT_REC_UNIFORM:
	case CT_REC_UNIFORM_MASK:
		expand_lanes(address, record->base, 0);
		break;
	case CT_REC_STRIDED:
		expand_lanes(address, record->base - first * (uint64_t)record->stride,
			     (uint64_t)record->stride);
		access->stride = record->stride;
		break;
	case CT_REC_ROWS:
		expand_rows(record, bytes, address);
		access->is_linear = false;
		break;
	default:
		expand_ranks(record, address);
		access->is_linear =
		    is_single || (record->kind == CT_REC_RANKED && is_run(record->mask));
		access->stride = record->stride;
	}
}

int ct_decode_access(struct ct_record_stream *stream, uint64_t site)
{
	struct record record = {0};
	struct ct_decoded_access access;
	const struct ct_decoder *decoder = stream->decoder;
	const struct ct_active_group *group;
	uint32_t bytes;
	int answer;

	if (!parse_record(&record, stream))
		return -CT_ERECORD;
	ct_record_stream_advance(stream, record.words);
	answer = ct_record_stream_ask(stream, record.kind, site, &bytes);
	if (answer <= 0)
		return answer;
	expand(&record, bytes, decoder->address, &access);
	answer = decoder->access(decoder->user, site, &access);
	group = answer == 0 ? ct_record_stream_group(stream, site) : NULL;
	return group ? ct_group_expand(stream, group, record.kind, &access) : answer;
}
