/* SPDX-License-Identifier: Apache-2.0 */
/* Stack switching on x86-64, and the stacks of device threads. */
#ifndef CT_CPU_TARGET_RUNTIME_EXEC_FIBER_H
#define CT_CPU_TARGET_RUNTIME_EXEC_FIBER_H

#include <stddef.h>
#include <stdint.h>

/* Execution state that is not running: a fiber's, or the worker's own. */
struct ct_cpu_context {
	void *stack_pointer;
	const void *stack_bottom; /* lowest address; for the sanitizers */
	size_t stack_bytes;
	void *sanitizer; /* ASan: fake stack; TSan: fiber handle */
};

/* Prepare context to call start() on an empty stack when it is first switched
 * to. start must not return. */
void ct_cpu_context_init(struct ct_cpu_context *context, char *stack, size_t bytes, size_t skew,
			 void (*start)(void));

/* Make context describe the calling thread's own stack, so that fibers can
 * switch back to it. */
void ct_cpu_context_init_self(struct ct_cpu_context *context);

/* Release what the sanitizers hold of a context that will not run again. */
void ct_cpu_context_fini(struct ct_cpu_context *context);

/* Suspend the caller in from, continue to. dying: from will not run again. */
void ct_cpu_context_switch(struct ct_cpu_context *from, struct ct_cpu_context *to, int dying);

/* First thing on a new context: completes the switch that started it. */
void ct_cpu_context_entered(struct ct_cpu_context *self);

/* count equal stacks in one mapping; each has an inaccessible page below. */
struct ct_cpu_stacks {
	char *base;
	size_t stride_bytes;
	uint32_t count;
	uint32_t unguarded; /* 1: the system refused so many guard pages */
};

#define CT_CPU_STACK_BYTES (256u << 10)

int ct_cpu_stacks_open(struct ct_cpu_stacks *stacks, uint32_t count);
void ct_cpu_stacks_close(struct ct_cpu_stacks *stacks);

/* Usable part of stack i. */
char *ct_cpu_stack(const struct ct_cpu_stacks *stacks, uint32_t i, size_t *bytes);

/* Index of the stack whose guard page holds address, or -1. */
int64_t ct_cpu_stacks_guard_at(const struct ct_cpu_stacks *stacks, const void *address);

#endif
