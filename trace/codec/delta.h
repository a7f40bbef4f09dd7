/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The codec DELTA of RECORDS chunks: each word as its difference from what the
 * words before it lead to expect. Normative text: docs/trace-format.md.
 *
 * Lossless for any words; what is no record passes as it is. All state is zero
 * at the begin of a chunk, so each chunk decodes alone.
 *
 *   u32 bytes of each stream, in this order; then the streams, without gaps
 *
 *   controls  a byte per record and segment header
 *   heads     u16: upper 16 bits of words that the one before did not predict
 *   deltas    differences of addresses, zigzag, 1 to 8 bytes each
 *   segments  differences of CTA, warp, sequence, launch
 *   seconds   u64: second words that differ from the last of the site
 *   payload   u64: everything else, byte planes and values above all
 */
#ifndef CT_TRACE_CODEC_DELTA_H
#define CT_TRACE_CODEC_DELTA_H

#include <stddef.h>
#include <stdint.h>

/* One thread needs this to encode or decode; it is used again for each chunk. */
struct ct_delta;

int ct_delta_open(struct ct_delta **out);    /* -ENOMEM */
void ct_delta_close(struct ct_delta *delta); /* NULL is allowed */

/* Encode raw[bytes]. Returns the size of *coded, which is valid until the next
 * call; 0 if it would not be smaller than raw, or bytes is not a multiple of 8;
 * -ENOMEM. */
int64_t ct_delta_encode(struct ct_delta *delta, const void *raw, size_t bytes, const void **coded);

/* Decode into raw[bytes]. 0, or -CT_ECODEC if coded is not what ct_delta_encode makes of so many
 * bytes. */
int ct_delta_decode(struct ct_delta *delta, const void *coded, size_t coded_bytes, void *raw,
		    size_t bytes);

#endif
