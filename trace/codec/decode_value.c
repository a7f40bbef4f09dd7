/* SPDX-License-Identifier: Apache-2.0 */
/* Decode what is no single address per lane: ranges, events, values. */
#include "trace/codec/decode_record.h"

#include <cudatrace/error.h>

int ct_decode_range(struct ct_record_stream *stream, uint64_t site)
{
	uint64_t word = ct_word_at(stream->at, 0), range[CT_WARP_LANES] = {0};
	const unsigned char *payload = stream->at + 16;
	struct ct_decoded_access access = {.range = range};
	const struct ct_decoder *decoder = stream->decoder;
	uint32_t mask, bytes, rank = 0;
	size_t words;
	int answer;

	if (stream->words < 2 || (word & CT_ADDRESS_MASK) != 0 ||
	    ct_word_at(stream->at, 1) >> 32 != 0)
		return -CT_ERECORD;
	mask = (uint32_t)ct_word_at(stream->at, 1);
	words = 2 + 2 * (size_t)__builtin_popcount(mask);
	if (!mask || words > stream->words)
		return -CT_ERECORD;
	ct_record_stream_advance(stream, words);
	answer = ct_record_stream_ask(stream, CT_REC_EXTENDED, site, &bytes);
	if (answer <= 0)
		return answer;
	for (uint32_t rest = mask; rest; rest &= rest - 1, rank++) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);

		decoder->address[lane] = ct_word_at(payload, 2 * rank);
		range[lane] = ct_word_at(payload, 2 * rank + 1);
	}
	access.mask = mask;
	return decoder->access(decoder->user, site, &access);
}

int ct_decode_event(struct ct_record_stream *stream, uint64_t site)
{
	uint64_t word = ct_word_at(stream->at, 0);
	uint32_t mask = (uint32_t)word, bytes;
	uint32_t phase = (uint32_t)(word >> CT_EVENT_PHASE_SHIFT) & 15;
	const struct ct_decoder *decoder = stream->decoder;
	int answer;

	if (!mask || phase > CT_PHASE_LEAVE || (word >> 32 & 0xfff) != 0)
		return -CT_ERECORD;
	ct_record_stream_advance(stream, 1);
	answer = decoder->event ? ct_record_stream_ask(stream, CT_REC_EVENT, site, &bytes) : 0;
	if (answer <= 0)
		return answer;
	return decoder->event(decoder->user, site, phase, mask);
}

/* Words of the payload of a shape, or SIZE_MAX if the shape does not go with the size. */
static size_t payload_words(uint32_t shape, uint32_t bytes, uint32_t count)
{
	switch (shape) {
	case CT_VALUE_ZERO:
		return 0;
	case CT_VALUE_UNIFORM:
		return bytes > 8 ? 2 : 1;
	case CT_VALUE_AFFINE:
		return bytes > 8 ? SIZE_MAX : 2;
	case CT_VALUE_RAW:
		return ((size_t)bytes * count + 7) / 8;
	default:
		return SIZE_MAX;
	}
}

/* Values of all lanes, of as many bytes; inlined, so that usual sizes have loops of their own. */
static inline __attribute__((always_inline)) void expand_full(struct ct_decoded_value *value,
							      uint32_t shape,
							      const unsigned char *payload,
							      uint32_t bytes)
{
	uint64_t first = 0, step = 0;

	if (shape != CT_VALUE_RAW) {
		first = shape == CT_VALUE_ZERO ? 0 : ct_word_at(payload, 0);
		step = shape == CT_VALUE_AFFINE ? ct_word_at(payload, 1) : 0;
	}
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		uint64_t word[2] = {0, 0};

		if (shape == CT_VALUE_RAW)
			memcpy(word, payload + (size_t)lane * bytes, bytes);
		else
			word[0] = (first + lane * step) & (bytes == 8 ? UINT64_MAX : UINT32_MAX);
		memcpy(value->data[lane], word, sizeof(word));
	}
}

static void expand_value(struct ct_decoded_value *value, uint32_t shape,
			 const unsigned char *payload)
{
	uint32_t rank = 0;

	if (value->mask == CT_FULL_MASK && value->bytes == 4) {
		expand_full(value, shape, payload, 4);
		return;
	}
	if (value->mask == CT_FULL_MASK && value->bytes == 8) {
		expand_full(value, shape, payload, 8);
		return;
	}
	for (uint32_t rest = value->mask; rest; rest &= rest - 1, rank++) {
		uint8_t *to = value->data[__builtin_ctz(rest)];
		uint64_t affine;

		memset(to, 0, CT_VALUE_BYTES_MAX);
		if (shape == CT_VALUE_UNIFORM) {
			memcpy(to, payload, value->bytes);
		} else if (shape == CT_VALUE_AFFINE) {
			affine = ct_word_at(payload, 0) + rank * ct_word_at(payload, 1);
			memcpy(to, &affine, value->bytes);
		} else if (shape == CT_VALUE_RAW) {
			memcpy(to, payload + (size_t)rank * value->bytes, value->bytes);
		}
	}
}

int ct_decode_value(struct ct_record_stream *stream, uint64_t site)
{
	uint64_t word = ct_word_at(stream->at, 0);
	uint32_t shape = (uint32_t)(word >> CT_VALUE_SHAPE_SHIFT) & 15, ignored;
	struct ct_decoded_value value = {
	    .mask = (uint32_t)word,
	    .part = (uint32_t)(word >> CT_VALUE_PART_SHIFT) & 15,
	    .bytes = (uint32_t)(word >> CT_VALUE_BYTES_SHIFT) & 255,
	};
	const struct ct_decoder *decoder = stream->decoder;
	const unsigned char *payload = stream->at + 8;
	size_t words;
	int answer;

	if (!value.mask || value.bytes < 1 || value.bytes > CT_VALUE_BYTES_MAX ||
	    value.part >= CT_VALUE_PARTS)
		return -CT_ERECORD;
	words = payload_words(shape, value.bytes, (uint32_t)__builtin_popcount(value.mask));
	if (words >= stream->words)
		return -CT_ERECORD;
	ct_record_stream_advance(stream, 1 + words);
	answer = decoder->value ? ct_record_stream_ask(stream, CT_REC_VALUE, site, &ignored) : 0;
	if (answer <= 0)
		return answer;
	expand_value(&value, shape, payload);
	return decoder->value(decoder->user, site, &value);
}

/* Hand on a piece of the content, as many bytes as a value may have. at: of the first lane's. */
static int emit_piece(const struct ct_record_stream *stream, uint64_t site,
		      struct ct_decoded_value *value, const unsigned char *at, uint32_t count)
{
	for (uint32_t rest = value->mask; rest; rest &= rest - 1, at += 8 * (size_t)count) {
		uint8_t *to = value->data[__builtin_ctz(rest)];

		memset(to, 0, CT_VALUE_BYTES_MAX);
		memcpy(to, at, value->bytes);
	}
	return stream->decoder->value(stream->decoder->user, site, value);
}

int ct_decode_content(struct ct_record_stream *stream, uint64_t site)
{
	uint64_t word = ct_word_at(stream->at, 0), second;
	uint32_t count = word & 0xff, offset, ignored;
	struct ct_decoded_value value = {.part = CT_PART_CONTENT};
	const struct ct_decoder *decoder = stream->decoder;
	const unsigned char *payload = stream->at + 16;
	size_t words;
	int answer;

	if (stream->words < 2 || (uint32_t)(word >> 8) != 0 || !count)
		return -CT_ERECORD;
	second = ct_word_at(stream->at, 1);
	value.mask = (uint32_t)second;
	offset = (uint32_t)(second >> 32);
	words = (size_t)count * (size_t)__builtin_popcount(value.mask);
	if (!value.mask || offset % 8 || words > CT_CONTENT_WORDS || stream->words < 2 + words)
		return -CT_ERECORD;
	ct_record_stream_advance(stream, 2 + words);
	answer = decoder->value ? ct_record_stream_ask(stream, CT_REC_VALUE, site, &ignored) : 0;
	for (uint32_t i = 0; answer > 0 && i < count; i += 2) {
		int err;

		value.offset = offset + 8 * i;
		value.bytes = i + 1 < count ? 16 : 8;
		err = emit_piece(stream, site, &value, payload + 8 * i, count);
		if (err)
			return err;
	}
	return answer < 0 ? answer : 0;
}
