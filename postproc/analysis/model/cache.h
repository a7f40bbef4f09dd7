/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cache of lines of 128 bytes in sectors of 32, which are fetched one by one; 16 ways, of which
 * the least recently used is replaced. Sectors are addresses by 32.
 */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_CACHE_H
#define CT_POSTPROC_ANALYSIS_MODEL_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define CT_CACHE_LINE_SECTORS 4u

#define CT_CACHE_WAYS 16u
#define CT_CACHE_NONE UINT32_MAX

/* A lookup goes through what stands together: a cache of a GPU is larger than one of this
 * machine. */
struct ct_cache_set {
	uint64_t line[CT_CACHE_WAYS]; /* + 1; 0: empty */
	uint32_t used[CT_CACHE_WAYS];
	uint8_t sectors[CT_CACHE_WAYS]; /* bit per sector that is there */
};

struct ct_cache {
	struct ct_cache_set *set;
	double *ready; /* by slot, for who simulates time: when what was fetched last is there */
	uint32_t sets, now;
};

/* has_time: with `ready`, 0 of a line that has just come. 0 or -ENOMEM. */
int ct_cache_open(struct ct_cache *cache, uint64_t bytes, bool has_time);
void ct_cache_close(struct ct_cache *cache); /* zeroed is allowed */
void ct_cache_empty(struct ct_cache *cache);

/* The sector will be touched soon: this machine fetches what that looks at meanwhile. */
void ct_cache_expect(const struct ct_cache *cache, uint64_t sector);

/* The slot of the sector's line, used just now; with allocates the sector is there afterwards, else
 * CT_CACHE_NONE if its line is not. *hit: whether the sector was there. */
uint32_t ct_cache_touch(struct ct_cache *cache, uint64_t sector, bool allocates, bool *hit);

#endif
