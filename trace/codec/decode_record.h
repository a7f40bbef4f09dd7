/* SPDX-License-Identifier: Apache-2.0 */
/* The decoder's files share this: a stream of words, the state of decoding it, and a decoder for
 * each group of kinds. */
#ifndef CT_TRACE_CODEC_DECODE_RECORD_H
#define CT_TRACE_CODEC_DECODE_RECORD_H

#include "trace/codec/decode.h"

#include <string.h>

/* A GROUP record in force: every access of leader stands for those of count more sites. */
struct ct_active_group {
	uint32_t leader;
	uint32_t count;
	uint32_t at; /* word of the stream where it is defined */
	uint64_t distance[CT_GROUP_MEMBERS - 1];
};

struct ct_record_stream {
	const struct ct_decoder *decoder;
	const unsigned char *origin;
	const unsigned char *at;   /* words need not be aligned */
	size_t words;              /* left */
	struct ct_segment segment; /* the last one, wanted or not */
	bool has_segment;
	bool is_wanted;
	bool has_new_group;   /* set by every GROUP record */
	uint32_t group_count; /* forgotten at every segment header that is not short */
	struct ct_active_group group[CT_GROUPS_MAX];
};

static inline uint64_t ct_word_at(const unsigned char *at, size_t i)
{
	uint64_t word;

	memcpy(&word, at + 8 * i, sizeof(word));
	return word;
}

/* Before the record of a site is handed on: 1 and *bytes, those of the site per lane; 0 to
 * skip it; < 0 to stop. */
static inline int ct_record_stream_ask(const struct ct_record_stream *stream, uint32_t kind,
				       uint64_t site, uint32_t *bytes)
{
	int answer;

	if (!stream->is_wanted)
		return 0;
	answer = stream->decoder->site(stream->decoder->user, kind, site, bytes);
	return answer > 0 ? 0 : answer < 0 ? answer : 1;
}

static inline void ct_record_stream_advance(struct ct_record_stream *stream, size_t words)
{
	stream->at += 8 * words;
	stream->words -= words;
}

/* At the begin of records; without a segment, groups or anything learned. */
void ct_record_stream_begin(struct ct_record_stream *stream, const struct ct_decoder *decoder,
			    const void *records, size_t bytes);

/* Decode all whole words. Returns as ct_decode; *end: bytes up to where the stream is valid. */
int ct_record_stream_decode(struct ct_record_stream *stream, size_t *end);

/* Take the definition of a group that stands at a word of the stream, where one was decoded
 * before. */
void ct_record_stream_learn(struct ct_record_stream *stream, uint32_t at);

/* Each takes the record at the head of the stream, whose kind is one of its
 * own, and hands it on if it is wanted. Returns as ct_decode. */
int ct_decode_access(struct ct_record_stream *stream, uint64_t site);
int ct_decode_range(struct ct_record_stream *stream, uint64_t site);
int ct_decode_content(struct ct_record_stream *stream, uint64_t site);
int ct_decode_group(struct ct_record_stream *stream, uint64_t site);
int ct_decode_loop(struct ct_record_stream *stream, uint64_t site);
int ct_decode_event(struct ct_record_stream *stream, uint64_t site);
int ct_decode_value(struct ct_record_stream *stream, uint64_t site);

/* The group that site leads, or NULL. */
const struct ct_active_group *ct_record_stream_group(const struct ct_record_stream *stream,
						     uint64_t site);

/* Hand on the accesses of a group but the leader's, whose access and addresses are there. */
int ct_group_expand(const struct ct_record_stream *stream, const struct ct_active_group *group,
		    uint32_t kind, const struct ct_decoded_access *access);

#endif
