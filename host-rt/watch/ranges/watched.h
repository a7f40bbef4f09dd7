/* SPDX-License-Identifier: Apache-2.0 */
/* Whether anything is watched, and words that all of the watch's rooms share. */
#ifndef CT_HOST_RT_WATCH_RANGES_WATCHED_H
#define CT_HOST_RT_WATCH_RANGES_WATCHED_H

#include <cudatrace/format.h>
#include <stdbool.h>
#include <stdint.h>

enum ct_watch_state { CT_WATCH_OFF, CT_WATCH_ON, CT_WATCH_ENDED };
extern uint32_t ct_watch_state; /* atomic */

static inline bool ct_watch_is_on(void)
{
	return __atomic_load_n(&ct_watch_state, __ATOMIC_RELAXED) == CT_WATCH_ON;
}

enum ct_watch_memory {
	CT_WATCH_PINNED,
	CT_WATCH_REGISTERED, /* pinned, but of another allocator than CUDA's */
	CT_WATCH_MANAGED,
	CT_WATCH_DEVICE_MEMORY
};

enum ct_watch_scope { CT_WATCH_ALL, CT_WATCH_DEVICE, CT_WATCH_STREAM, CT_WATCH_EVENT };

/* For the journal: what is finished. reason: a text for the column, NULL: none. */
struct ct_watch_use {
	struct ct_row_use row;
	const char *reason;
};

#endif
