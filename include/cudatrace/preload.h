/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between libcudatrace-uses.so, which ctrun preloads for --uses, and host-rt: the library stands
 * before libc's functions that would meet protected pages in the kernel, or would take the signals
 * of faults away; and before those that allocate, to tell where memory comes from.
 */
#ifndef CUDATRACE_PRELOAD_H
#define CUDATRACE_PRELOAD_H

#include <signal.h>
#include <stdint.h>

#define CT_PRELOAD_VERSION 1u
#define CT_PRELOAD_LIBRARY "libcudatrace-uses.so"

/* The library offers this. */
struct ct_preload {
	uint32_t version;
	uint32_t program_threads; /* atomic: that the program has made; 0: it has one */
	int (*sigaction)(int number, const struct sigaction *action, struct sigaction *old);
	int (*set_mask)(int how, const sigset_t *set, sigset_t *old);
};

/* host-rt offers this, once pages are protected. */
struct ct_preload_watch {
	uint32_t is_armed; /* atomic: else nothing below need be called */
	/* Around a function that reads, or writes, bytes at pointer; NULL: anything. */
	void (*before)(const void *pointer, uint64_t bytes, uint32_t kind, uint32_t writes,
		       const char *function, const void *base);
	void (*after)(void);
	/* In place of sigaction, of the signals that host-rt handles. */
	int (*sigaction)(int number, const struct sigaction *action, struct sigaction *old);
};

/* The library's, which host-rt looks for by their names. The second one is called when pages are
 * protected from now on. */
extern struct ct_preload __ct_preload;
void __ct_preload_attach(struct ct_preload_watch *watch);

/* host-rt's, which the library looks for: is the calling thread in a call of CUDA's or at our own
 * work, so that threads that it makes are not the program's? */
int __ct_is_inner(void);

/* host-rt's likewise: the program has been given a block of so many bytes, CT_PRELOAD_LEAST at
 * least, by `function` (static), whose frame is base; it gives one back, maybe a smaller one. */
#define CT_PRELOAD_LEAST 4096u
void __ct_memory_allocated(const void *pointer, uint64_t bytes, const char *function,
			   const void *base);
void __ct_memory_freed(const void *pointer);

#endif
