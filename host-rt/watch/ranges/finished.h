/* SPDX-License-Identifier: Apache-2.0 */
/* Rows that wait for the journal; what finds no room is lost and counted. With the watch's lock
 * held. */
#ifndef CT_HOST_RT_WATCH_RANGES_FINISHED_H
#define CT_HOST_RT_WATCH_RANGES_FINISHED_H

#include "host-rt/watch/ranges/watched.h"
#include <stddef.h>

int ct_finished_init(void);
void ct_finished_use(const struct ct_watch_use *use);
void ct_finished_wait(const struct ct_row_wait *wait);
void ct_finished_lose(void);
size_t ct_finished_take_uses(struct ct_watch_use *uses, size_t room);
size_t ct_finished_take_waits(struct ct_row_wait *waits, size_t room);
uint64_t ct_finished_lost(void);

/* Zeroed memory that is not freed, apart from the program's: pages come as they are touched. NULL
 * if there is none. */
void *ct_finished_memory(size_t bytes);

#endif
