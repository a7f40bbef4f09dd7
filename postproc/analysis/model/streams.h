/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the warps of a launch access, each in its program order, as sectors of 32 bytes. Memory is
 * bounded: beyond a number of sectors the CTAs from a power of two on are given up, a lower one as
 * often as it takes, so that what is left is CTAs that are likely to be resident together (seed
 * 004, 4.2.3: horizontal sampling). One thread at a time.
 */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_STREAMS_H
#define CT_POSTPROC_ANALYSIS_MODEL_STREAMS_H

#include "trace/read/reader.h"

#include <stdbool.h>

#define CT_STREAMS_SECTORS (1u << 23)

enum ct_stream_kind {
	CT_STREAM_LOAD,
	CT_STREAM_STORE,
	CT_STREAM_ATOMIC,
	CT_STREAM_BARRIER,
	CT_STREAM_BLOCK
};

struct ct_stream_request {
	uint32_t line;  /* of the source, for tables by line; of BLOCK: the block, of all units */
	uint16_t kind;  /* enum ct_stream_kind */
	uint16_t count; /* sectors */
	uint32_t first; /* of them in the stream's sectors */
};

struct ct_warp_stream {
	uint64_t cta;
	uint32_t warp;
	struct ct_stream_request *request;
	uint64_t *sector; /* addresses by 32 */
	uint32_t requests, request_room, sectors, sector_room;
};

/* Whether it moves sectors. */
static inline bool ct_stream_is_request(const struct ct_stream_request *request)
{
	return request->kind < CT_STREAM_BARRIER;
}

struct ct_streams;

/* sectors: that are kept at most; 0: CT_STREAMS_SECTORS. 0 or -ENOMEM */
int ct_streams_open(struct ct_streams **out, uint64_t sectors);
void ct_streams_close(struct ct_streams *streams); /* NULL is allowed */

/* The distinct sectors of lanes, of an access of global memory; line: what its request is counted
 * under. 0 or -ENOMEM. */
int ct_streams_request(struct ct_streams *streams, const struct ct_access *access, uint32_t lanes,
		       enum ct_stream_kind kind, uint32_t line);
/* Likewise, under its line of the source. */
int ct_streams_access(struct ct_streams *streams, const struct ct_access *access, uint32_t lanes,
		      enum ct_stream_kind kind);
int ct_streams_barrier(struct ct_streams *streams, const struct ct_access *at);
/* The warp enters a block, before what it accesses in it. */
int ct_streams_block(struct ct_streams *streams, const struct ct_access *at, uint32_t block);

/* Takes what from has: warps that streams do not have. 0 or -ENOMEM. */
int ct_streams_join(struct ct_streams *streams, struct ct_streams *from);
/* By CTA and warp. ctas: those below it are complete; UINT64_MAX: all are. Nothing may be added any
 * more; after the first call threads may share the streams. */
const struct ct_warp_stream *const *ct_streams_list(struct ct_streams *streams, size_t *count,
						    uint64_t *ctas);

/* False: one CTA alone has more than there is room for, and what came later of it is missing. */
bool ct_streams_is_whole(const struct ct_streams *streams);

/* How much is accessed: CTAs, and different sectors, of one CTA alone or of several. */
struct ct_streams_extent {
	uint64_t ctas, alone, common;
};

/* 0 or -ENOMEM. */
int ct_streams_extent(const struct ct_streams *streams, struct ct_streams_extent *extent);

#endif
