/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decode a stream of records (cudatrace/record.h). Knows nothing of files or
 * tables: what it needs it asks its callbacks. Safe on any input.
 */
#ifndef CT_TRACE_DECODE_H
#define CT_TRACE_DECODE_H

#include <cudatrace/record.h>
#include <stddef.h>
#include <stdint.h>

struct ct_segment {
	uint32_t launch;
	uint32_t warp;
	uint32_t sm;
	uint32_t sequence; /* modulo 65536 */
	uint64_t cta;
};

struct ct_decoder {
	/* At every segment header: > 0 to decode the segment, 0 to skip it, < 0 to stop. */
	int (*segment)(void *user, const struct ct_segment *segment);
	/* Bytes per lane of a site of the current segment: 0 and *bytes, or
	 * nonzero to skip the record. */
	int (*site_bytes)(void *user, uint32_t site, uint32_t *bytes);
	/* An access; address holds the lanes in mask. Nonzero stops. */
	int (*access)(void *user, uint32_t site, uint32_t mask,
		      const uint64_t address[CT_WARP_LANES]);
	uint64_t *address; /* [CT_WARP_LANES]: where addresses are put for access */
	void *user;
};

/* Decode records, which begin with a segment header. Returns 0, a callback's
 * value that said stop, or -CT_ERECORD: from *position (bytes; may be NULL) on
 * the stream is not valid, and as records have no fixed size the rest is lost. */
int ct_decode(const struct ct_decoder *decoder, const void *records, size_t bytes,
	      size_t *position);

#endif
