/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses, by whatever means they are seen. */
#ifndef CT_HOST_RT_WATCH_RANGES_ACCESS_H
#define CT_HOST_RT_WATCH_RANGES_ACCESS_H

#include "host-rt/watch/ranges/ranges.h"

/* Describes what the program's call that this thread is in does now; without bytes. */
struct ct_watch_touch ct_watch_touch_of_call(uint32_t kind);

/* An access of these bytes, at access->at: finishes the ranges that it counts for. stack: of who
 * did it, taken only then. Returns how many they were. Without the lock. */
uint32_t ct_watch_access(struct ct_watch_touch *access, uint32_t (*stack)(const void *base),
			 const void *base);

/* The same of a function that accesses these bytes; function: its name, base: its frame. */
void ct_watch_function(const void *pointer, uint64_t bytes, uint32_t kind, bool writes,
		       const char *function, const void *base);

/* For ct_watch_access; of the function of the frame base: its caller. */
uint32_t ct_watch_stack(const void *base);

/* An access to pinned memory while a copy uses it that nothing has waited for. */
struct ct_watch_early {
	uint64_t at, bytes, start; /* of the access; of the copy's memory */
	uint32_t call;             /* that asked for the copy: enum ct_call_number */
	uint32_t stack;            /* of the access */
	bool writes;
};
/* Called without locks, once for each copy, in the thread that asked for it; NULL: none is
 * reported. Set before the first copy. */
extern void (*ct_watch_early)(const struct ct_watch_early *early);

/* Some of the program was compiled with --ct-host. */
bool ct_watch_has_host_code(void);

#endif
