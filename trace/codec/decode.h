/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decode a stream of records (cudatrace/record.h). Knows nothing of files or
 * tables: what it needs it asks its callbacks. Safe on any input.
 */
#ifndef CT_TRACE_CODEC_DECODE_H
#define CT_TRACE_CODEC_DECODE_H

#include <cudatrace/record.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CT_VALUE_PARTS 14u /* enum ct_value_part: three roles of four, two parts of the last */

struct ct_segment {
	uint64_t position; /* bytes from the begin of the stream to its header */
	uint32_t launch;
	uint32_t warp;
	uint32_t sm;
	uint32_t sequence; /* modulo 65536 */
	bool is_short;     /* its header: launch, SM and groups are those of the one before */
	uint64_t cta;
};

struct ct_decoded_access {
	uint32_t mask;  /* never 0 */
	bool is_linear; /* active lane i has address[first] + (i - first) * stride */
	int64_t stride;
	bool is_ahead; /* of a group's other members and of loops: reported before it happened */
	const uint64_t *range; /* bytes by lane of a range record, else NULL */
};

struct ct_decoded_value {
	uint32_t mask; /* never 0 */
	uint32_t part;
	uint32_t bytes;
	uint32_t offset; /* of part CT_PART_CONTENT: of these bytes in the range; else 0 */
	uint8_t data[CT_WARP_LANES]
		    [CT_VALUE_BYTES_MAX]; /* of the lanes in mask, zero beyond bytes */
};

/* A site here is its index and, above bit 32, its unit's tag or 0. */
struct ct_decoder {
	/* At every segment header: > 0 to decode the segment, 0 to skip it, < 0 to stop. */
	int (*segment)(void *user, const struct ct_segment *segment);
	/* Before a record of that kind is handed on: 0 and *bytes, those of the
	 * site per lane, > 0 to skip the record, < 0 to stop. Of a group, for every access;
	 * of a loop, for every site before it and for every access. */
	int (*site)(void *user, uint32_t kind, uint64_t site, uint32_t *bytes);
	/* `address` below holds the lanes in mask. Nonzero stops, here and below. */
	int (*access)(void *user, uint64_t site, const struct ct_decoded_access *access);
	/* May be NULL: not wanted. */
	int (*event)(void *user, uint64_t site, uint32_t phase, uint32_t mask);
	int (*value)(void *user, uint64_t site, const struct ct_decoded_value *value);
	/* Before a loop that stands for so many accesses is taken apart; nonzero stops. May be
	 * NULL. */
	int (*loop)(void *user, uint32_t sites, uint64_t iterations);
	uint64_t *address; /* [CT_WARP_LANES]: where addresses are put for access */
	void *user;
};

/* Decode records, which begin with a segment header. Returns 0, a callback's
 * value that said stop, or -CT_ERECORD: from *position (bytes; may be NULL) on
 * the stream is not valid, and as records have no fixed size the rest is lost. */
int ct_decode(const struct ct_decoder *decoder, const void *records, size_t bytes,
	      size_t *position);

#endif
