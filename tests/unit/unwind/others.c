/* SPDX-License-Identifier: Apache-2.0 */
/* Signal handlers, and fibers by swapcontext. */
#include "tests/unit/unwind/others.h"
#include "tests/unit/unwind/check.h"
#include "tests/unit/unwind/frames.h"
#include <dlfcn.h>
#include <link.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#if HAS_OTHER_STACKS

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

#ifdef __x86_64__
/* Says that its caller is to be found by rbp, and puts something else there: its parameter. */
uint32_t spoil(uintptr_t bp);
__asm__(".text\n.globl spoil\n.type spoil,@function\nspoil:\n.cfi_startproc\npush %rbp\n"
	".cfi_def_cfa_offset 16\n.cfi_offset 6,-16\nmov %rdi,%rbp\n.cfi_def_cfa_register 6\n"
	"call probe_alone\npop %rbp\n.cfi_def_cfa 7,8\nret\n.cfi_endproc\n.size spoil,.-spoil");

/* Says that the word below bp tells where its caller's stack is: there is 0, or the truth. */
uint32_t spoil_word(uintptr_t bp, uintptr_t is_true);
__asm__(".text\n.globl spoil_word\n.type spoil_word,@function\nspoil_word:\n.cfi_startproc\n"
	"push %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset 6,-16\nlea 16(%rsp),%rax\n"
	"neg %rsi\nand %rsi,%rax\nmov %rax,-8(%rdi)\nmov %rdi,%rbp\n"
	".cfi_escape 0x0f,3,0x76,0x78,0x06\ncall probe_alone\npop %rbp\n.cfi_def_cfa 7,8\nret\n"
	".cfi_endproc\n.size spoil_word,.-spoil_word");

/* AddressSanitizer would have the words elsewhere. */
__attribute__((noinline, no_sanitize_address)) static void stacks_that_are_broken_in_a_word(void)
{
	volatile uintptr_t words[2];

	for (volatile unsigned i = 0; i < 6; i++) {
		uint32_t row = spoil_word((uintptr_t)&words[1], i % 2);

		CHECK(strcmp(function_of(row, 0), "spoil_word") == 0, "%s", function_of(row, 0));
		CHECK(is_cut(row) == !(i % 2), "%u", i);
	}
}

void stacks_that_are_broken(void)
{
	const uintptr_t bp[] = {0,
				1,
				0x123456789a,
				UINTPTR_MAX,
				UINTPTR_MAX - 15,
				(uintptr_t)__builtin_frame_address(0) - 100000};

	for (size_t i = 0; i < 2 * sizeof(bp) / sizeof(*bp); i++) {
		uint32_t row = spoil(bp[i / 2]);

		CHECK(strcmp(function_of(row, 0), "spoil") == 0, "%s", function_of(row, 0));
		CHECK(is_cut(row) && depth_of(row) == 2, "%zu", depth_of(row));
		nest_1();
	}
	stacks_that_are_broken_in_a_word();
}
#else
void stacks_that_are_broken(void)
{
}
#endif

static volatile bool interrupts, leaves;
static sigjmp_buf target;
static volatile unsigned interrupted;

/* Modules are looked at in the midst of taking a stack. */
int dl_iterate_phdr(int (*function)(struct dl_phdr_info *, size_t, void *), void *of)
{
	int (*real)(int (*)(struct dl_phdr_info *, size_t, void *), void *);

	*(void **)&real = dlsym(RTLD_NEXT, "dl_iterate_phdr");
	if (interrupts) {
		interrupts = false;
		raise(SIGUSR1);
	}
	return real(function, of);
}

static void handle_within(int number)
{
	(void)number;
	interrupted += probe_alone() == 0;
	if (leaves)
		siglongjmp(target, 1);
}

void signals_while_a_stack_is_taken(void)
{
	signal(SIGUSR1, handle_within);
	for (volatile unsigned i = 0; i < 12; i++) {
		leaves = i % 2;
		interrupts = true;
		usleep(100); /* the last look at modules is older than 20000 cycles */
		if (!sigsetjmp(target, 1))
			call(call_middle);
		CHECK(interrupted == i + 1);
		/* Where it was left, further in, further out. */
		if (i % 3 == 0)
			call(call_middle);
		CHECK((i % 3 == 1 ? recurse(10) : nest_1()) > 0);
	}
	signal(SIGUSR1, SIG_DFL);
}

#endif
