/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the segments of a stream of records begin, by owner: so that several threads can
 * decode the stream, each its own segments. Finding them takes every record's head and
 * nothing behind it.
 */
#ifndef CT_TRACE_CODEC_SEGMENTS_H
#define CT_TRACE_CODEC_SEGMENTS_H

#include "base/buffer.h"
#include "trace/codec/decode.h"

#define CT_SEGMENT_OF_NONE UINT32_MAX

/* Zero-initialised, it is empty; used again for each stream. */
struct ct_segments {
	struct ct_buffer segments;    /* struct segment, of segments.c */
	struct ct_buffer heads;       /* struct head */
	struct ct_buffer definitions; /* uint32_t: words where groups in force are defined */
	struct ct_buffer owners;      /* struct list, by owner */
};

void ct_segments_fini(struct ct_segments *segments);

/* Note the segments of each owner (below owners; owner_of may also answer
 * CT_SEGMENT_OF_NONE). Returns as ct_decode, of what ct_decode would find wrong with the
 * records: what stands before *position is noted. Or -ENOMEM. */
int ct_segments_find(struct ct_segments *segments, const void *records, size_t bytes,
		     uint32_t owners,
		     uint32_t (*owner_of)(void *user, const struct ct_segment *segment), void *user,
		     size_t *position);

/* Decode the segments of an owner, in order. records: those that were given to
 * ct_segments_find. Returns 0 or a callback's value that said stop. */
int ct_segments_decode(const struct ct_segments *segments, const struct ct_decoder *decoder,
		       const void *records, uint32_t owner);

#endif
