/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CTA clock's memory on a device: pages, of which tables are taken one after another. A page
 * is used again when all its tables have been read. Session's lock held.
 */
#ifndef CT_HOST_RT_CTAS_MEMORY_H
#define CT_HOST_RT_CTAS_MEMORY_H

#include "host-rt/drain/state.h"
#include <cudatrace/ctas.h>

struct ct_ctas_page {
	struct ct_ctas_page *next;
	uint64_t address; /* struct ct_cta_times[room] in the device's memory */
	uint64_t room, used;
	uint64_t tables;        /* taken and not returned */
	uint64_t newest, after; /* latest time read of its tables; what it was when `used` was 0 */
};

struct ct_ctas_memory {
	struct ct_ctas_page *pages;   /* the first is the one that tables are taken of */
	uint64_t budget_bytes, bytes; /* of the device's memory */
};

/* The page of so many entries from its `used` on, which is moved; NULL: there is no room. */
struct ct_ctas_page *ct_ctas_page_take(struct ct_ctas_memory *memory, const struct ct_drain *drain,
				       uint64_t entries);
void ct_ctas_page_return(struct ct_ctas_page *page);

/* release: free the device's memory. */
void ct_ctas_memory_close(struct ct_ctas_memory *memory, bool release);

#endif
