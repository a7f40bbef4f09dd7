/* SPDX-License-Identifier: Apache-2.0 */
/* Small numbers in place of handles: from 1, never given twice. Session's lock held. */
#ifndef CT_HOST_RT_BASE_IDS_H
#define CT_HOST_RT_BASE_IDS_H

#include <stdint.h>

#define CT_IDS_BUCKETS 1024u
#define CT_NO_ID (UINT64_MAX - 1) /* out of memory */

struct ct_ids {
	struct ct_ids_entry *buckets[CT_IDS_BUCKETS];
	uint64_t last;
};

/* Returns the id of a handle, and of one thread's if the handle means another thing in each (else
 * 0). */
uint64_t ct_ids_of(struct ct_ids *ids, const void *handle, long thread);
/* The handle stands for something new. */
uint64_t ct_ids_renew(struct ct_ids *ids, const void *handle);
/* The handle stands for nothing any more; returns its id, 0 if it had none. */
uint64_t ct_ids_forget(struct ct_ids *ids, const void *handle);
/* It does after all. */
void ct_ids_restore(struct ct_ids *ids, const void *handle, uint64_t id);

#endif
