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

struct ct_cache_way {
	uint64_t line; /* + 1; 0: empty */
	uint32_t used;
	uint32_t sectors; /* bit per sector that is there */
	double ready;     /* for who simulates time: when what was fetched last is there */
};

struct ct_cache {
	struct ct_cache_way *way;
	uint32_t sets, now;
};

int ct_cache_open(struct ct_cache *cache, uint64_t bytes); /* 0 or -ENOMEM */
void ct_cache_close(struct ct_cache *cache);               /* zeroed is allowed */
void ct_cache_empty(struct ct_cache *cache);

/* The line of the sector, used just now; with allocates the sector is there afterwards, else NULL
 * if its line is not. *hit: whether the sector was there. Lasts until the next call. */
struct ct_cache_way *ct_cache_touch(struct ct_cache *cache, uint64_t sector, bool allocates,
				    bool *hit);

#endif
