/* SPDX-License-Identifier: Apache-2.0 */
/* Decode a stream of records: segments and sites here, the rest in decode_access.c,
 * decode_group.c and decode_value.c. */
#include "trace/codec/decode.h"
#include "trace/codec/decode_record.h"

#include <cudatrace/error.h>

static uint32_t kind_of(uint64_t word)
{
	return (uint32_t)(word >> CT_RECORD_KIND_SHIFT);
}

static int decode_extended(struct ct_record_stream *stream, uint64_t site, bool has_site_word)
{
	uint64_t word = ct_word_at(stream->at, 0);
	uint32_t variant = (uint32_t)(word >> CT_EXTENDED_VARIANT_SHIFT) & 0xff;

	if (variant == CT_EXTENDED_RANGE)
		return ct_decode_range(stream, site);
	if (variant == CT_EXTENDED_CONTENT)
		return ct_decode_content(stream, site);
	if (variant == CT_EXTENDED_GROUP && !has_site_word)
		return ct_decode_group(stream, site);
	if (variant == CT_EXTENDED_LOOP && !has_site_word)
		return ct_decode_loop(stream, site);
	return -CT_ERECORD;
}

/* The record at the head, with the SITE word before it if there is one. */
static int decode_record(struct ct_record_stream *stream)
{
	uint64_t word = ct_word_at(stream->at, 0), site;
	bool has_site_word = kind_of(word) == CT_REC_SITE;

	site = word & ~(15ull << CT_RECORD_KIND_SHIFT);
	if (has_site_word) {
		if (stream->words < 2)
			return -CT_ERECORD;
		ct_record_stream_advance(stream, 1);
		word = ct_word_at(stream->at, 0);
	}
	if (has_site_word != ((word >> CT_SITE_SHIFT & CT_SITE_EXTENDED) == CT_SITE_EXTENDED))
		return -CT_ERECORD;
	if (!has_site_word)
		site = word >> CT_SITE_SHIFT & CT_SITE_EXTENDED;
	switch (kind_of(word)) {
	case CT_REC_EXTENDED:
		return decode_extended(stream, site, has_site_word);
	case CT_REC_EVENT:
		return ct_decode_event(stream, site);
	case CT_REC_VALUE:
		return ct_decode_value(stream, site);
	default:
		if (kind_of(word) < CT_REC_AFFINE || kind_of(word) > CT_REC_NEAR)
			return -CT_ERECORD;
		return ct_decode_access(stream, site);
	}
}

/* The segment is filled in: ask whether it is wanted. */
static int begin_segment(struct ct_record_stream *stream, uint64_t position)
{
	int wanted;

	stream->segment.position = position;
	stream->has_segment = true;
	wanted = stream->decoder->segment(stream->decoder->user, &stream->segment);
	stream->is_wanted = wanted > 0;
	return wanted < 0 ? wanted : 0;
}

static int decode_segment(struct ct_record_stream *stream, uint64_t position)
{
	uint64_t word0 = ct_word_at(stream->at, 0), word1;

	if (stream->words < 2)
		return -CT_ERECORD;
	word1 = ct_word_at(stream->at, 1);
	stream->segment = (struct ct_segment){
	    .launch = (uint32_t)word0,
	    .sequence = (uint32_t)(word0 >> 32) & 0xffff,
	    .sm = (uint32_t)(word0 >> 48) & 0xfff,
	    .warp = (uint32_t)(word1 >> 59),
	    .cta = word1 & ((1ull << 59) - 1),
	    .is_short = false,
	};
	stream->group_count = 0;
	ct_record_stream_advance(stream, 2);
	return begin_segment(stream, position);
}

/* Launch and SM are those of the segment before; groups stay in force. */
static int decode_short_segment(struct ct_record_stream *stream, uint64_t position)
{
	uint64_t word = ct_word_at(stream->at, 0);

	if (!stream->has_segment)
		return -CT_ERECORD;
	stream->segment.sequence = 0;
	stream->segment.is_short = true;
	stream->segment.warp = (uint32_t)(word >> CT_SEGMENT_SHORT_WARP_SHIFT) & 31;
	stream->segment.cta = word & ((1ull << CT_SEGMENT_SHORT_CTA_BITS) - 1);
	ct_record_stream_advance(stream, 1);
	return begin_segment(stream, position);
}

void ct_record_stream_begin(struct ct_record_stream *stream, const struct ct_decoder *decoder,
			    const void *records, size_t bytes)
{
	/* The groups are defined as far as they are counted. */
	stream->decoder = decoder;
	stream->origin = stream->at = records;
	stream->words = bytes / 8;
	stream->is_wanted = stream->has_segment = stream->has_new_group = false;
	stream->group_count = 0;
}

int ct_record_stream_decode(struct ct_record_stream *stream, size_t *end)
{
	int err = 0;

	while (stream->words > 0) {
		uint64_t word = ct_word_at(stream->at, 0);
		size_t at = (size_t)(stream->at - stream->origin);

		if (word == 0)
			ct_record_stream_advance(stream, 1);
		else if (kind_of(word) == CT_REC_SEGMENT)
			err = decode_segment(stream, at);
		else if (word >> CT_SITE_SHIFT >> 11 == 1)
			err = decode_short_segment(stream, at);
		else
			err = stream->has_segment ? decode_record(stream) : -CT_ERECORD;
		if (err) {
			*end = at;
			return err;
		}
	}
	*end = (size_t)(stream->at - stream->origin);
	return 0;
}

int ct_decode(const struct ct_decoder *decoder, const void *records, size_t bytes, size_t *position)
{
	struct ct_record_stream stream;
	size_t end;
	int err;

	ct_record_stream_begin(&stream, decoder, records, bytes);
	err = ct_record_stream_decode(&stream, &end);
	if (position)
		*position = end;
	return err == 0 && bytes % 8 ? -CT_ERECORD : err;
}
