/* SPDX-License-Identifier: Apache-2.0 */
/* Pinned memory that bytes of a device pass through on their way to a function in the stream. */
#ifndef CT_HOST_RT_CONTENT_STAGING_H
#define CT_HOST_RT_CONTENT_STAGING_H

#include <stddef.h>
#include <stdint.h>

#define CT_STAGING_BYTES ((uint64_t)1 << 20) /* at once */

struct ct_staging; /* of one copy at a time */

/* In a quiet section, device current; NULL: there are enough, or there is no memory. */
struct ct_staging *ct_staging_take(void);
/* Any thread. NULL is allowed. */
void ct_staging_give(struct ct_staging *staging);

/* All of its memory, which grows to so many bytes; NULL without that much. In a quiet section, the
 * staging just taken. */
void *ct_staging_whole(struct ct_staging *staging, uint64_t bytes);

/* Where the next bytes go, at most CT_STAGING_BYTES; NULL without memory. What is put into the
 * stream between this and the function that takes them is one after another, so one place serves
 * all. */
void *ct_staging_put(struct ct_staging *staging, size_t bytes);
/* In the stream's order: what was put there, the first one first. */
const void *ct_staging_next(struct ct_staging *staging, size_t *bytes);

#endif
