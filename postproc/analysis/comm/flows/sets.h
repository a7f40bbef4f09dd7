/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of CTAs, each once. From any thread until the first is looked at. */
#ifndef CT_POSTPROC_ANALYSIS_COMM_FLOWS_SETS_H
#define CT_POSTPROC_ANALYSIS_COMM_FLOWS_SETS_H

#include "base/map.h"
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ct_cta_set {
	uint32_t *cta; /* ascending */
	uint32_t count;
};

struct ct_cta_sets {
	struct ct_cta_set *set;
	size_t count, room;
	uint64_t bytes_left;  /* of memory for them */
	struct ct_map number; /* by hash of the CTAs: 1 + index */
};

void ct_cta_sets_init(struct ct_cta_sets *sets, uint64_t memory_bytes);
void ct_cta_sets_fini(struct ct_cta_sets *sets);

/* Copies them. *number: index in set. -ENOMEM, if there is no room left, too. */
int ct_cta_sets_add(struct ct_cta_sets *sets, const uint32_t *cta, uint32_t count,
		    uint32_t *number);
bool ct_cta_set_has(const struct ct_cta_set *set, uint32_t cta);

#endif
