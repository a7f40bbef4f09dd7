/* SPDX-License-Identifier: Apache-2.0 */
/* A counter per 64-bit key, all starting at 0. */
#ifndef CT_MODEL_COUNTERS_H
#define CT_MODEL_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

struct ct_counters {
	uint64_t *key; /* stored + 1; 0: free */
	uint32_t *value;
	size_t capacity; /* 0 or a power of two */
	size_t used;
};

/* Zero-initialised counters are valid and empty. The key UINT64_MAX is not allowed.
 * Returns the counter's address, valid until the next call, or NULL without memory. */
uint32_t *ct_counters_at(struct ct_counters *counters, uint64_t key);

void ct_counters_fini(struct ct_counters *counters);

#endif
