/* SPDX-License-Identifier: Apache-2.0 */
/* Signal handlers, and fibers by swapcontext. */
#include "tests/unit/host-rt/stacks/others.h"
#include "tests/unit/host-rt/stacks/check.h"
#include "tests/unit/host-rt/stacks/frames.h"
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

/* A leaf without a frame, interrupted at its first instruction. */
#ifdef __x86_64__
void trap(void);
__asm__(".text\n.globl trap\n.type trap,@function\ntrap:\n.cfi_startproc\nud2\nret\n.cfi_endproc\n"
	".size trap,.-trap");
#endif

static uint32_t row_in_handler;

static void handle(int number, siginfo_t *info, void *context)
{
	(void)info;
	row_in_handler = call(probe);
#ifdef __x86_64__
	if (number == SIGILL)
		((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 2;
#else
	(void)context;
#endif
	(void)number;
}

static uint32_t signal_here(void)
{
	raise(SIGUSR1);
	return row_in_handler;
}

static void take_in_handlers(int flags)
{
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | flags};

	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGILL, &action, NULL);
	for (int i = 0; i < 3; i++) {
		call(signal_here);
		vary((size_t)i * 16, signal_here);
		nest_1();
#ifdef __x86_64__
		trap();
		CHECK(strcmp(function_of(row_in_handler, 3), "trap") == 0, "%s",
		      function_of(row_in_handler, 3));
#endif
	}
	signal(SIGUSR1, SIG_DFL);
	signal(SIGILL, SIG_DFL);
}

void signals_on_the_stack(void)
{
	take_in_handlers(0);
}

void signals_on_another_stack(void)
{
	static char room[1 << 17];
	stack_t stack = {.ss_sp = room, .ss_size = sizeof(room)}, none = {.ss_flags = SS_DISABLE};

	sigaltstack(&stack, NULL);
	take_in_handlers(SA_ONSTACK);
	sigaltstack(&none, NULL);
	if (HAS_WALK)
		CHECK(asked() > 0, "the alternate stack is none of the thread's");
}

static ucontext_t here, fiber;

static void run_fiber(void)
{
	for (int i = 0; i < 3; i++) {
		call(probe);
		swapcontext(&fiber, &here);
		vary((size_t)i * 48, call_middle);
		swapcontext(&fiber, &here);
	}
	swapcontext(&fiber, &here);
}

static void run_fiber_twin(void)
{
	for (int i = 0; i < 6; i++) {
		call_twin(probe);
		swapcontext(&fiber, &here);
	}
	swapcontext(&fiber, &here);
}

static void switch_stacks(char *stack, size_t bytes)
{
	void (*const functions[])(void) = {run_fiber, run_fiber_twin, run_fiber};

	for (int i = 0; i < 3; i++) {
		getcontext(&fiber);
		fiber.uc_stack = (stack_t){.ss_sp = stack, .ss_size = bytes};
		fiber.uc_link = NULL;
		makecontext(&fiber, functions[i], 0);
		for (int j = 0; j < 6; j++) {
			swapcontext(&here, &fiber);
			call(call_middle);
		}
	}
}

void fibers_on_stacks_of_their_own(void)
{
	size_t bytes = 1 << 17;
	char *stack = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	switch_stacks(stack, bytes);
	munmap(stack, bytes);
	if (HAS_WALK)
		CHECK(asked() > 0, "a fiber's stack is none of the thread's");
}

void fibers_on_the_threads_stack(void)
{
	_Alignas(64) char stack[1 << 17];

	switch_stacks(stack, sizeof(stack));
}
