/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of memory hashed on the device: what the kernel ct_digest (device-rt/digest.cuh) is
 * reported by host-rt/content. The bytes of rows stand one behind another, a block is 4096 of them,
 * and behind the last one are zeros as far as its block goes. A hash is XXH3's of 128 bits, its low
 * half first.
 */
#ifndef CUDATRACE_DIGEST_H
#define CUDATRACE_DIGEST_H

#include <stdint.h>

#define CT_DIGEST_BLOCK 4096u
#define CT_DIGEST_LANES 8u         /* threads for each block */
#define CT_DIGEST_SECRET_WORDS 24u /* of XXH3's secret */

struct ct_digest {
	uint64_t start, row, slice; /* address; bytes from a row, and a slice, to the next */
	uint64_t width, height;     /* bytes of a row, rows of a slice */
	uint64_t bytes;             /* of all rows, above 0 */
	uint64_t hashes;            /* address of two words for each block */
	uint64_t secret[CT_DIGEST_SECRET_WORDS];
};

#endif
