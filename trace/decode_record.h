/* SPDX-License-Identifier: Apache-2.0 */
/* What the decoder's files share: a stream of words, and a decoder for each group of kinds. */
#ifndef CT_TRACE_DECODE_RECORD_H
#define CT_TRACE_DECODE_RECORD_H

#include "decode.h"

#include <string.h>

struct ct_stream {
	const unsigned char *at; /* words need not be aligned */
	size_t words;            /* left */
};

static inline uint64_t ct_word_at(const unsigned char *at, size_t i)
{
	uint64_t word;

	memcpy(&word, at + 8 * i, sizeof(word));
	return word;
}

static inline void ct_stream_advance(struct ct_stream *stream, size_t words)
{
	stream->at += 8 * words;
	stream->words -= words;
}

/* Each takes the record at the head of the stream, whose kind is one of its
 * own, and hands it on if it is wanted. Returns as ct_decode. */
int ct_decode_access(const struct ct_decoder *decoder, struct ct_stream *stream, uint64_t site,
		     bool is_wanted);
int ct_decode_range(const struct ct_decoder *decoder, struct ct_stream *stream, uint64_t site,
		    bool is_wanted);
int ct_decode_event(const struct ct_decoder *decoder, struct ct_stream *stream, uint64_t site,
		    bool is_wanted);
int ct_decode_value(const struct ct_decoder *decoder, struct ct_stream *stream, uint64_t site,
		    bool is_wanted);

#endif
