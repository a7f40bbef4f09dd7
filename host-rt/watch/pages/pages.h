/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Armed memory in protected pages, for code that is not instrumented.
 *
 *	a call of CUDA ends ──► its armed ranges' pages are protected: no access, or no writing
 *	a fault there       ──► the range is finished, its pages are the program's again; an access
 *to other bytes of the page: it is open for one instruction (faults.c)
 *
 * Protected are pages that hold nothing but what the program has in its buffer, since any system
 * call with memory of a protected page would fail: pinned and managed memory, whole pages, large
 * blocks of malloc. Of other ranges the trace says that nothing is known. libcudatrace-uses.so
 * opens pages around system calls (cudatrace/preload.h). With the watch's lock held, if not said
 * otherwise.
 */
#ifndef CT_HOST_RT_WATCH_PAGES_PAGES_H
#define CT_HOST_RT_WATCH_PAGES_PAGES_H

#include "host-rt/watch/ranges/ranges.h"
#include <cudatrace/preload.h>
#include <signal.h>

/* libc stands behind the library that ctrun preloads. */
extern struct ct_preload *ct_pages_library;

/* Armed ranges are protected from now on, as far as they can be. is_after_host: host code is
 * instrumented, too, and reports what is not protected. *is_armed: atomic, whether any is armed.
 */
void ct_pages_turn_on(bool is_after_host, uint32_t *is_armed);
bool ct_pages_are_on(void);
/* All memory is as the program has it, for good. */
void ct_pages_turn_off(void);
/* Whether ct_pages_protect has something to do. Without the lock. */
bool ct_pages_are_due(void);

/* Listener of ranges. */
void ct_pages_arm(struct ct_range *range);
void ct_pages_disarm(struct ct_range *range);

/* Ranges with pages in there (0, UINT64_MAX: all) are not protected until ct_pages_protect. */
void ct_pages_open(uint64_t start, uint64_t end);
/* Likewise, for the call that has the device write there: who accesses meanwhile what is to be
 * replaced races with the device. */
void ct_pages_open_to_replace(uint64_t start, uint64_t end);
/* All that is armed, but for what a function needs open (holds.h): of that it is not known who
 * accesses it meanwhile. */
void ct_pages_protect(void);

/* While this thread has pages open, a thread of the program's may access them: it has made some, or
 * this one is the driver's or the tracer's. */
bool ct_pages_others_run(void);

/* For faults: the page that holds the address, as it should be: PROT_READ | PROT_WRITE if there is
 * nothing armed in it. */
int ct_pages_protection(uint64_t address);
/* Whether a page with a byte in there is. */
bool ct_pages_are_protected(uint64_t start, uint64_t end);
bool ct_pages_is_known(uint64_t address); /* has been protected, and may be no more */
/* To one page, at once. */
void ct_pages_set(uint64_t page, int protection);
/* Nothing is known of an armed range in the page any more. */
void ct_pages_lose(uint64_t page, const char *reason);

/* faults.c: handlers of SIGSEGV and SIGTRAP that hand on what is not ours. False: see above. */
bool ct_faults_begin(const char **why);
int ct_faults_sigaction(int number, const struct sigaction *action, struct sigaction *old);

/* places.c: why the range's pages cannot be protected, NULL if they can be. The lock is held. */
const char *ct_place_refusal(const struct ct_range *range);
/* Whether the page with this byte can be read, or written, now. The lock is held. */
bool ct_place_allows(uint64_t address, bool writes);
/* Whether other processes, or a file, share the memory: they may use it without an access here. */
bool ct_place_is_shared(uint64_t address);

#endif
