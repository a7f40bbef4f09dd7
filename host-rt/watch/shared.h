/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that host and devices share: pinned, registered, managed. With the watch's lock held. */
#ifndef CT_WATCH_SHARED_H
#define CT_WATCH_SHARED_H

#include <stdbool.h>
#include <stdint.h>

struct ct_shared {
	uint64_t address, bytes;
	bool is_managed;
	bool has_own_pages; /* not registered: the allocator of CUDA gives it pages */
};

void ct_shared_add(const struct ct_shared *block);
void ct_shared_remove(uint64_t address);
/* The block that holds the address, NULL: none. Until the next call of the above. */
const struct ct_shared *ct_shared_find(uint64_t address);

#endif
