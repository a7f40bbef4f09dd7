/* SPDX-License-Identifier: Apache-2.0 */
/* Memory faults in kernels become errors of the grid. */
#include "cpu-target/runtime/exec/fault.h"
#include "cpu-target/runtime/exec/block.h"
#include <signal.h>
#include <stdlib.h>

#define SIGNAL_STACK_BYTES (64u << 10)

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE};
#define SIGNALS (sizeof(signals) / sizeof(signals[0]))
static struct sigaction previous[SIGNALS];

/* A faulting instruction faults again; a sent signal must be sent again. */
static void by_default(int number, const siginfo_t *info, const struct sigaction *action)
{
	sigaction(number, action, NULL);
	if (info->si_code <= 0)
		raise(number);
}

static void pass_on(int number, siginfo_t *info, void *machine_state)
{
	struct sigaction *action = NULL;

	for (size_t i = 0; i < SIGNALS; i++)
		if (signals[i] == number)
			action = &previous[i];
	if (action->sa_flags & SA_SIGINFO)
		action->sa_sigaction(number, info, machine_state);
	else if (action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN)
		by_default(number, info, action);
	else
		action->sa_handler(number);
}

/* An address that no memory can have comes without it. */
static int is_at(const struct ct_cpu_access *access, const siginfo_t *info)
{
	uint64_t address = (uint64_t)(uintptr_t)info->si_addr;

	return info->si_code == SI_KERNEL ? access->address >> 47 != 0
					  : address - access->address < access->bytes;
}

/* The kernel ends before the access is recorded by its hook. */
static void tell_producer(struct ct_cpu_fiber *fiber, const siginfo_t *info)
{
	if (ct_cpu_producer && ct_cpu_producer->on_fault && is_at(&__ct_cpu_next_access, info))
		ct_cpu_producer->on_fault(&fiber->warp->view, fiber->lane, &__ct_cpu_next_access);
}

static void on_fault(int number, siginfo_t *info, void *machine_state)
{
	struct ct_cpu_fiber *fiber = ct_cpu_current_fiber();
	struct ct_cpu_block *block;

	if (!fiber) {
		pass_on(number, info, machine_state);
		return;
	}
	block = fiber->thread.block;
	if (number == SIGFPE)
		ct_cpu_fiber_fail(fiber, CT_CPU_TRAP, "arithmetic fault");
	if (ct_cpu_stacks_guard_at(&block->stacks, info->si_addr) >= 0)
		ct_cpu_fiber_fail(fiber, CT_CPU_STACK_OVERFLOW,
				  "stack overflow: more than %u KiB of local arrays and calls",
				  CT_CPU_STACK_BYTES >> 10);
	tell_producer(fiber, info);
	ct_cpu_fiber_fail(fiber, CT_CPU_ILLEGAL_ADDRESS, "illegal address %p", info->si_addr);
}

void ct_cpu_fault_init(void)
{
	struct sigaction action = {
	    .sa_sigaction = on_fault,
	    .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER,
	};

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &action, &previous[i]);
}

void ct_cpu_fault_init_thread(void)
{
	static __thread void *memory; /* for the life of the worker */
	stack_t stack = {.ss_size = SIGNAL_STACK_BYTES};

	memory = malloc(SIGNAL_STACK_BYTES);
	stack.ss_sp = memory;
	if (memory)
		sigaltstack(&stack, NULL);
}
