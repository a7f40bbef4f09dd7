/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of the program past the protection that its pages have just now (pages.h), for threads of
 * ours and of devices: had they to open a page, what the program does there meanwhile would not be
 * seen. Where the system does not let a process reach its own memory so (/proc/self/mem), and where
 * no page of it is protected, these are plain accesses. Any thread, without the watch's lock.
 */
#ifndef CT_HOST_RT_WATCH_PAGES_PAST_H
#define CT_HOST_RT_WATCH_PAGES_PAST_H

#include <stddef.h>

/* Once pages may be protected; at most once. */
void ct_past_begin(void);
/* No page is protected any more; in the child of a fork, too, whose memory it would not be. */
void ct_past_end(void);

/* Calls for each piece of the memory, in order; the piece is valid during the call. */
void ct_past_read(const void *from, size_t bytes,
		  void (*take)(void *user, const void *piece, size_t bytes), void *user);

/* As memmove. */
void ct_past_move(void *to, const void *from, size_t bytes);

#endif
