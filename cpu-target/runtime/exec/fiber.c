/* SPDX-License-Identifier: Apache-2.0 */
/* Stack switching on x86-64, and the stacks of device threads. */
#include "cpu-target/runtime/exec/fiber.h"
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CT_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define CT_TSAN 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define CT_ASAN 1
#endif
#ifdef __SANITIZE_THREAD__
#define CT_TSAN 1
#endif
#ifdef CT_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef CT_TSAN
#include <sanitizer/tsan_interface.h>
#endif

#if defined(__has_attribute)
#if __has_attribute(disable_sanitizer_instrumentation)
#define NOT_INSTRUMENTED __attribute__((noinline, disable_sanitizer_instrumentation))
#endif
#endif
#ifndef NOT_INSTRUMENTED
#define NOT_INSTRUMENTED __attribute__((noinline, no_sanitize_thread))
#endif

/* Saves the callee-saved registers and the SSE and x87 control words on the
 * old stack, then takes the same from the new one. */
void __ct_cpu_stack_switch(void **from, void *to);
__asm__(".text\n"
	".globl __ct_cpu_stack_switch\n"
	".hidden __ct_cpu_stack_switch\n"
	".type __ct_cpu_stack_switch, @function\n"
	"__ct_cpu_stack_switch:\n"
	"	.cfi_startproc\n"
	"	pushq %rbp\n"
	"	pushq %rbx\n"
	"	pushq %r12\n"
	"	pushq %r13\n"
	"	pushq %r14\n"
	"	pushq %r15\n"
	"	subq $8, %rsp\n"
	"	stmxcsr (%rsp)\n"
	"	fnstcw 4(%rsp)\n"
	"	movq %rsp, (%rdi)\n"
	"	movq %rsi, %rsp\n"
	"	ldmxcsr (%rsp)\n"
	"	fldcw 4(%rsp)\n"
	"	addq $8, %rsp\n"
	"	popq %r15\n"
	"	popq %r14\n"
	"	popq %r13\n"
	"	popq %r12\n"
	"	popq %rbx\n"
	"	popq %rbp\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size __ct_cpu_stack_switch, .-__ct_cpu_stack_switch\n");

/* __ct_cpu_stack_switch pops these, lowest address first. */
struct initial_frame {
	uint32_t mxcsr;
	uint32_t x87_control;
	uint64_t saved[6];
	void (*start)(void);
	uint64_t return_address; /* of start, which does not return */
};

void ct_cpu_context_init(struct ct_cpu_context *context, char *stack, size_t bytes, size_t skew,
			 void (*start)(void))
{
	uintptr_t top = ((uintptr_t)stack + bytes - skew) & ~(uintptr_t)63;
	struct initial_frame *frame = (struct initial_frame *)top - 1;

	*frame = (struct initial_frame){.mxcsr = 0x1f80, .x87_control = 0x37f, .start = start};
	context->stack_pointer = frame;
	context->stack_bottom = stack;
	context->stack_bytes = bytes;
#ifdef CT_TSAN
	if (context->sanitizer)
		__tsan_destroy_fiber(context->sanitizer);
	context->sanitizer = __tsan_create_fiber(0);
#else
	context->sanitizer = NULL;
#endif
#ifdef CT_ASAN
	__asan_unpoison_memory_region(stack, bytes);
#endif
}

void ct_cpu_context_init_self(struct ct_cpu_context *context)
{
	pthread_attr_t attributes;
	void *bottom = NULL;
	size_t bytes = 0;

	if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
		pthread_attr_getstack(&attributes, &bottom, &bytes);
		pthread_attr_destroy(&attributes);
	}
	*context = (struct ct_cpu_context){.stack_bottom = bottom, .stack_bytes = bytes};
#ifdef CT_TSAN
	context->sanitizer = __tsan_get_current_fiber();
#endif
}

void ct_cpu_context_fini(struct ct_cpu_context *context)
{
#ifdef CT_TSAN
	if (context->sanitizer)
		__tsan_destroy_fiber(context->sanitizer);
#endif
	context->sanitizer = NULL;
}

/* Itself not instrumented: its entry and exit would belong to different fibers. */
NOT_INSTRUMENTED
void ct_cpu_context_switch(struct ct_cpu_context *from, struct ct_cpu_context *to, int dying)
{
#ifdef CT_ASAN
	__sanitizer_start_switch_fiber(dying ? NULL : &from->sanitizer, to->stack_bottom,
				       to->stack_bytes);
#endif
#ifdef CT_TSAN
	__tsan_switch_to_fiber(to->sanitizer, 0);
#endif
	(void)dying;
	__ct_cpu_stack_switch(&from->stack_pointer, to->stack_pointer);
#ifdef CT_ASAN
	__sanitizer_finish_switch_fiber(from->sanitizer, NULL, NULL);
#endif
}

void ct_cpu_context_entered(struct ct_cpu_context *self)
{
#ifdef CT_ASAN
	__sanitizer_finish_switch_fiber(self->sanitizer, NULL, NULL);
#endif
	(void)self;
}

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

int ct_cpu_stacks_open(struct ct_cpu_stacks *stacks, uint32_t count)
{
	size_t stride = CT_CPU_STACK_BYTES + page_bytes();
	char *base = mmap(NULL, stride * count, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);

	*stacks = (struct ct_cpu_stacks){0};
	if (base == MAP_FAILED)
		return -errno;
	*stacks = (struct ct_cpu_stacks){.base = base, .stride_bytes = stride, .count = count};
	for (uint32_t i = 0; i < count && !stacks->unguarded; i++)
		if (mprotect(base + i * stride, page_bytes(), PROT_NONE))
			stacks->unguarded = 1;
	return 0;
}

void ct_cpu_stacks_close(struct ct_cpu_stacks *stacks)
{
	if (stacks->base)
		munmap(stacks->base, stacks->stride_bytes * stacks->count);
	*stacks = (struct ct_cpu_stacks){0};
}

char *ct_cpu_stack(const struct ct_cpu_stacks *stacks, uint32_t i, size_t *bytes)
{
	*bytes = CT_CPU_STACK_BYTES;
	return stacks->base + i * stacks->stride_bytes +
	       (stacks->stride_bytes - CT_CPU_STACK_BYTES);
}

int64_t ct_cpu_stacks_guard_at(const struct ct_cpu_stacks *stacks, const void *address)
{
	uintptr_t offset = (uintptr_t)address - (uintptr_t)stacks->base;

	if (!stacks->base || offset >= stacks->stride_bytes * stacks->count)
		return -1;
	if (offset % stacks->stride_bytes >= stacks->stride_bytes - CT_CPU_STACK_BYTES)
		return -1;
	return (int64_t)(offset / stacks->stride_bytes);
}
