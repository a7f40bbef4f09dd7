/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Protected pages (pages.h) begin and end with the library that ctrun preloads, which reports
 * functions of libc that are given memory (cudatrace/preload.h).
 */
#ifndef CT_HOST_RT_WATCH_PAGES_ATTACH_H
#define CT_HOST_RT_WATCH_PAGES_ATTACH_H

#include <stdbool.h>

/* False: pages cannot be protected, *why is a static sentence. is_after_host: host code is
 * instrumented, too, and reports what is not protected. Without the lock. */
bool ct_attach_begin(bool is_after_host, const char **why);
/* All memory is as the program has it, for good. Without the lock. */
void ct_attach_end(void);
/* In the child of a fork, likewise; the lock is of no use there. */
void ct_attach_forget(void);

#endif
