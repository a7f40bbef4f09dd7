/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Encode one warp-level access as a record (record.h), on the host: the CPU
 * target's producer, importers and tests. The device has its own encoder,
 * which must choose the same kinds.
 */
#ifndef CUDATRACE_ENCODE_H
#define CUDATRACE_ENCODE_H

#include <cudatrace/record.h>

/* A site as a hook names it: index, and above it the unit's tag (hooks.def). */
#define CT_SITE_INDEX(site) ((uint32_t)(site))
#define CT_SITE_TAG(site) ((uint32_t)((site) >> 32))

/* Write the record of an access of `bytes` per lane by the lanes of mask
 * (not 0) to words, which has room for CT_RECORD_BYTES_MAX. bytes is that of the
 * site in the unit blob, 0 if it has none there: the decoder goes by the blob.
 * Addresses of inactive lanes are ignored. Returns the number of words. */
uint32_t ct_encode_access(uint64_t *words, uint64_t site, uint32_t bytes, uint32_t mask,
			  const uint64_t address[CT_WARP_LANES]);

/* An access whose size is not that of its site: bytes per lane. */
uint32_t ct_encode_range(uint64_t *words, uint64_t site, uint32_t mask,
			 const uint64_t address[CT_WARP_LANES],
			 const uint64_t bytes[CT_WARP_LANES]);

/* A CONTENT record of the ranges of the lanes of mask, bytes long each, which lie at from: of what
 * there is from *offset on, as much as a record has room for. Returns the number of words, 0 if
 * there is nothing from *offset on; *offset is then that of the next record. */
uint32_t ct_encode_content(uint64_t *words, uint64_t site, uint32_t mask,
			   const uint64_t bytes[CT_WARP_LANES],
			   const void *const from[CT_WARP_LANES], uint64_t *offset);

/* Values of the lanes of mask: low and high are the 16 bytes of each lane, of
 * which `bytes` count; part of enum ct_value_part. */
uint32_t ct_encode_value(uint64_t *words, uint64_t site, uint32_t part, uint32_t bytes,
			 uint32_t mask, const uint64_t low[CT_WARP_LANES],
			 const uint64_t high[CT_WARP_LANES]);

/* From here on, until the next segment header that is not short, an access of site (its leader)
 * stands for those of site + k at distance[k - 1], too, k = 1..count (1..CT_GROUP_MEMBERS - 1;
 * site + count < CT_SITE_EXTENDED). */
uint32_t ct_encode_group(uint64_t *words, uint32_t site, uint32_t count, const uint64_t *distance);

/* One site of a loop: addresses in iteration i, by lane l:
 * base + (l & (2^log2_width - 1)) * inner + (l >> log2_width) * outer + i * step */
struct ct_loop_site {
	uint64_t base;
	uint32_t log2_width; /* 0..5; 5: linear */
	int32_t inner, outer;
	int64_t step;
};

/* All lanes run a loop so many times (> 0), accessing site, site + 1, ... in each iteration:
 * count (1..CT_LOOP_SITES) sites, all below CT_SITE_EXTENDED. */
uint32_t ct_encode_loop(uint64_t *words, uint32_t site, uint32_t count, uint64_t iterations,
			const struct ct_loop_site *sites);

/* A site without address was executed. */
uint32_t ct_encode_event(uint64_t *words, uint64_t site, uint32_t phase, uint32_t mask);

#endif
