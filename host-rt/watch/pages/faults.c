/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults on protected pages. An access to armed bytes finishes their range. For one to other bytes
 * of the page it is opened, and the processor stops behind the instruction (the trap flag): then
 * the page is protected again. Other threads that run meanwhile are not seen: what is armed in the
 * page is not known then.
 *
 * Handlers of the program get what is not ours as if it came from the kernel.
 */
#include "base/clock.h"
#include "host-rt/base/quiet.h"
#include "host-rt/calls/call.h"
#include "host-rt/watch/pages/instruction.h"
#include "host-rt/watch/pages/pages.h"
#include "host-rt/watch/ranges/access.h"
#include "host-rt/watch/ranges/lock.h"
#include "unwind/unwind.h"
#include <cudatrace/activity.h>
#include <cudatrace/preload.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#define PAGE 4096u
#define OPEN_MAX 8u
#define STEPS_MAX                                                                                  \
	100000u /* instructions that the whole program may be held up by for other bytes */
#define TRAP_FLAG 0x100
#define WRITES 2 /* of the page fault's error code */

/* Pages that this thread's instruction has opened. */
static _Thread_local uint64_t opened[OPEN_MAX];
static _Thread_local uint32_t opened_count;
static _Thread_local bool had_trap_flag;

static struct sigaction of_program[2]; /* SIGSEGV, SIGTRAP */
static uint64_t steps;

static struct sigaction *program_action(int number)
{
	return &of_program[number == SIGTRAP];
}

int ct_faults_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	struct sigaction before = *program_action(number);

	if (action)
		*program_action(number) = *action;
	if (old)
		*old = before;
	return 0;
}

/* By default the process ends: the fault comes again, or the signal is sent again. */
static void by_default(int number, const siginfo_t *info)
{
	struct sigaction action = {.sa_handler = SIG_DFL};

	ct_pages_library->sigaction(number, &action, NULL);
	if (info->si_code <= 0 || number == SIGTRAP)
		raise(number);
}

static void hand_on(int number, siginfo_t *info, void *context)
{
	struct sigaction action = *program_action(number);
	ucontext_t *machine = context;
	sigset_t mask;

	if (!(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_IGN && info->si_code <= 0)
		return;
	if (!(action.sa_flags & SA_SIGINFO) &&
	    (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN)) {
		by_default(number, info);
		return;
	}
	if (action.sa_flags & SA_RESETHAND)
		program_action(number)->sa_handler = SIG_DFL;
	sigorset(&mask, &machine->uc_sigmask, &action.sa_mask);
	ct_pages_library->set_mask(SIG_SETMASK, &mask, NULL);
	if (action.sa_flags & SA_SIGINFO)
		action.sa_sigaction(number, info, context);
	else
		action.sa_handler(number);
}

static uint32_t stack_of(const void *base)
{
	/* The innermost frame is the one that the handler returns to. */
	return ct_stack_caller(ct_stack_take(base));
}

/* The instruction may go on; with the lock held. */
static void step(uint64_t page, ucontext_t *machine)
{
	if (++steps > STEPS_MAX || opened_count == OPEN_MAX) {
		ct_pages_lose(page, "other bytes of its pages are accessed too often");
		ct_pages_open(page, page + PAGE);
		return;
	}
	if (ct_pages_others_run())
		ct_pages_lose(page, "other threads ran while its pages were open");
	ct_pages_set(page, PROT_READ | PROT_WRITE);
	if (!opened_count)
		had_trap_flag = machine->uc_mcontext.gregs[REG_EFL] & TRAP_FLAG;
	opened[opened_count++] = page;
	machine->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

/* Does an access of unknown size that begins here reach into something armed? */
static void look_ahead(uint64_t address)
{
	uint32_t found[8];
	uint32_t count = ct_ranges_find(address, address + CT_INSTRUCTION_BYTES_MAX, found, 8);

	for (uint32_t i = 0; i < count; i++)
		if (ct_ranges[found[i]].state == CT_RANGE_ARMED)
			ct_ranges[found[i]].lost =
			    "an instruction of unknown size accessed the bytes before it";
}

/* A device's work, or our own. */
static bool is_tracers(void)
{
	return ct_quiet_depth || (ct_is_of_device && ct_is_of_device());
}

/* Until the call of CUDA ends that this thread is in: what that accesses is no use. */
static bool opens_for_call(uint64_t address)
{
	if (!ct_watch_lock()) {
		ct_pages_set(address, PROT_READ | PROT_WRITE);
		return true;
	}
	ct_pages_open(address, address + 1);
	ct_pages_set(address, PROT_READ | PROT_WRITE);
	ct_watch_unlock();
	return true;
}

/* True: the fault is ours, and the instruction goes on. */
static bool is_ours(uint64_t address, ucontext_t *machine, const void *base)
{
	bool writes = machine->uc_mcontext.gregs[REG_ERR] & WRITES;
	uint64_t bytes = ct_instruction_bytes((const uint8_t *)machine->uc_mcontext.gregs[REG_RIP]);
	struct ct_watch_touch touch = {.time_ns = ct_clock_real_ns(),
				       .at = address,
				       .bytes = bytes,
				       .kind = writes ? CT_USE_STORE : CT_USE_LOAD,
				       .means = CT_MEANS_PAGES,
				       .writes = writes};
	int protection;

	if (!ct_pages_is_known(address))
		return false;
	if (ct_call_innermost)
		return opens_for_call(address);
	if (!is_tracers() && ct_watch_access(&touch, stack_of, base))
		return true;
	if (!ct_watch_lock()) {
		ct_pages_set(address, PROT_READ | PROT_WRITE);
		return true;
	}
	protection = ct_pages_protection(address);
	if (protection == (PROT_READ | PROT_WRITE)) {
		/* It comes late, somebody has opened the page meanwhile; or the program has
		 * protected it. */
		bool is_late = ct_place_allows(address, writes);

		ct_watch_unlock();
		return is_late;
	}
	if (!bytes && !is_tracers())
		look_ahead(address);
	step(address & ~(uint64_t)(PAGE - 1), machine);
	ct_watch_unlock();
	return true;
}

static void on_fault(int number, siginfo_t *info, void *context)
{
	int saved = errno;

	if (info->si_code != SEGV_ACCERR ||
	    !is_ours((uint64_t)(uintptr_t)info->si_addr, context, __builtin_frame_address(0)))
		hand_on(number, info, context);
	errno = saved;
}

static void on_trap(int number, siginfo_t *info, void *context)
{
	ucontext_t *machine = context;
	int saved = errno;

	if (!opened_count || info->si_code <= 0) {
		hand_on(number, info, context);
		errno = saved;
		return;
	}
	if (!had_trap_flag)
		machine->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
	if (ct_watch_lock()) {
		while (opened_count) {
			uint64_t page = opened[--opened_count];

			ct_pages_set(page, ct_pages_protection(page));
		}
		ct_watch_unlock();
	}
	if (had_trap_flag)
		hand_on(number, info, context);
	errno = saved;
}

bool ct_faults_begin(const char **why)
{
	struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};

	sigfillset(&action.sa_mask);
	action.sa_sigaction = on_fault;
	if (ct_pages_library->sigaction(SIGSEGV, &action, &of_program[0]) != 0) {
		*why = "the system does not let faults be handled";
		return false;
	}
	action.sa_sigaction = on_trap;
	ct_pages_library->sigaction(SIGTRAP, &action, &of_program[1]);
	return true;
}
