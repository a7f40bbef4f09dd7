/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files that the process runs code of, as the dynamic loader tells. It counts what it loads and
 * unloads, but calls nothing, so the counts are looked at: always before an address is looked up
 * that is not known yet, and else now and then (ct_modules_watch).
 */
#ifndef CT_UNWIND_MODULES_H
#define CT_UNWIND_MODULES_H

#include "unwind/unwind.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#ifdef __x86_64__
#include <x86intrin.h>
#endif

/* Never freed, so that whoever meets one in a cache may look at it. */
struct ct_module {
	char *name;      /* as the loader has it */
	uintptr_t base;  /* address = base + ELF address */
	uintptr_t start; /* of what is mapped; end is behind it */
	uintptr_t end;
	uintptr_t text_start, text_end; /* what may be executed of it lies within */
	char build_id[2 * 32 + 1];
	bool is_kernels;
	bool is_cuda; /* of CUDA itself: between a call and its recipient */
	/* With the lock held. */
	uint32_t id; /* 0: no row names it yet */
	char *path;  /* NULL: the kernel's */
};

/* Grows when modules have come or gone. What is known by addresses holds for one of these. */
extern _Atomic uint32_t ct_modules_generation;

/* Asks the loader. The lock is not held. */
void ct_modules_check(void);

/* As of the last check; NULL: code of no file. With the lock held. */
struct ct_module *ct_modules_find(uintptr_t address);
/* May it be executed? As of the last check. The lock is not held. */
bool ct_modules_have_code(uintptr_t address);
/* Are they those that the loader has loaded and unloaded so many of? The lock is not held. */
bool ct_modules_are(unsigned long long adds, unsigned long long subs);
/* Names it, for a row; 0 of NULL. With the lock held. */
uint32_t ct_module_id(struct ct_module *module);
/* The last that was given out. With the lock held. */
uint32_t ct_modules_reported(void);

void ct_modules_forget(void);

/* When the last check began, by the processor's clock. */
extern _Atomic uint64_t ct_modules_checked_at;

/*
 * To unload a file and to load another in its place takes far longer than 20000 cycles: the second
 * alone is opened, mapped four times and more, and relocated, a dozen system calls and as many page
 * faults. So a check that is not older has seen what the code on this thread's stack belongs to,
 * and at this rate all threads together cost the loader's lock less than a percent of its time.
 */
static inline void ct_modules_watch(void)
{
#ifdef __x86_64__
	if (__rdtsc() - atomic_load_explicit(&ct_modules_checked_at, memory_order_acquire) < 20000)
		return;
#endif
	ct_modules_check();
}

#endif
