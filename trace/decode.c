/* SPDX-License-Identifier: Apache-2.0 */
/* Decode a stream of records: segments and sites here, the rest in decode_access.c and
 * decode_value.c. */
#include "decode.h"
#include "decode_record.h"

#include <cudatrace/error.h>

static uint32_t kind_of(uint64_t word)
{
	return (uint32_t)(word >> CT_RECORD_KIND_SHIFT);
}

/* The record at the head, with the SITE word before it if there is one. */
static int decode_record(const struct ct_decoder *decoder, struct ct_stream *stream, bool is_wanted)
{
	uint64_t word = ct_word_at(stream->at, 0), site;
	bool is_extended = kind_of(word) == CT_REC_SITE;

	site = word & ~(15ull << CT_RECORD_KIND_SHIFT);
	if (is_extended) {
		if (stream->words < 2)
			return -CT_ERECORD;
		ct_stream_advance(stream, 1);
		word = ct_word_at(stream->at, 0);
	}
	if (is_extended != ((word >> CT_SITE_SHIFT & CT_SITE_EXTENDED) == CT_SITE_EXTENDED))
		return -CT_ERECORD;
	if (!is_extended)
		site = word >> CT_SITE_SHIFT & CT_SITE_EXTENDED;
	switch (kind_of(word)) {
	case CT_REC_EXTENDED:
		return ct_decode_range(decoder, stream, site, is_wanted);
	case CT_REC_EVENT:
		return ct_decode_event(decoder, stream, site, is_wanted);
	case CT_REC_VALUE:
		return ct_decode_value(decoder, stream, site, is_wanted);
	default:
		if (kind_of(word) < CT_REC_AFFINE || kind_of(word) > CT_REC_RANKED)
			return -CT_ERECORD;
		return ct_decode_access(decoder, stream, site, is_wanted);
	}
}

static int decode_segment(const struct ct_decoder *decoder, struct ct_stream *stream,
			  uint64_t position)
{
	struct ct_segment segment = {.position = position};
	uint64_t word0 = ct_word_at(stream->at, 0), word1;

	if (stream->words < 2)
		return -CT_ERECORD;
	word1 = ct_word_at(stream->at, 1);
	segment.launch = (uint32_t)word0;
	segment.sequence = (uint32_t)(word0 >> 32) & 0xffff;
	segment.sm = (uint32_t)(word0 >> 48) & 0xfff;
	segment.warp = (uint32_t)(word1 >> 59);
	segment.cta = word1 & ((1ull << 59) - 1);
	ct_stream_advance(stream, 2);
	return decoder->segment(decoder->user, &segment);
}

int ct_decode(const struct ct_decoder *decoder, const void *records, size_t bytes, size_t *position)
{
	struct ct_stream stream = {records, bytes / 8};
	bool is_wanted = false, has_segment = false;
	int err = 0;

	while (stream.words > 0 && err == 0) {
		uint64_t word = ct_word_at(stream.at, 0);

		if (position)
			*position = bytes / 8 * 8 - 8 * stream.words;
		if (word == 0) {
			ct_stream_advance(&stream, 1);
		} else if (kind_of(word) == CT_REC_SEGMENT) {
			err = decode_segment(decoder, &stream, bytes / 8 * 8 - 8 * stream.words);
			has_segment = true;
			is_wanted = err > 0;
			err = err > 0 ? 0 : err;
		} else if (has_segment) {
			err = decode_record(decoder, &stream, is_wanted);
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
