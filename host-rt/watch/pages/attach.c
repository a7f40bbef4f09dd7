/* SPDX-License-Identifier: Apache-2.0 */
/* Protected pages, and functions of libc that have the kernel access them. */
#include "host-rt/watch/pages/attach.h"
#include "host-rt/base/quiet.h"
#include "host-rt/base/thread.h"
#include "host-rt/calls/call.h"
#include "host-rt/watch/pages/holds.h"
#include "host-rt/watch/pages/pages.h"
#include "host-rt/watch/pages/past.h"
#include "host-rt/watch/ranges/access.h"
#include "host-rt/watch/ranges/lock.h"
#include <cudatrace/activity.h>
#include <cudatrace/preload.h>
#include <dlfcn.h>

#define PAGE 4096u

static struct ct_preload_watch preload;

static void around_call(void)
{
	if (!ct_pages_are_due() || !ct_watch_lock())
		return;
	ct_pages_protect();
	ct_watch_unlock();
}

/* Whether this thread does work of ours: files of the trace, and the like. */
static bool is_own_work(void)
{
	return ct_thread_is_ours || ct_quiet_depth;
}

/* Accesses first: they finish what they are to, and the rest of what is near is open then. */
static void before(const void *pointer, uint64_t bytes, uint32_t kind, uint32_t writes,
		   const char *function, const void *base)
{
	uint64_t start = pointer ? (uint64_t)(uintptr_t)pointer : 0;
	uint64_t end = pointer ? start + (bytes ? bytes : 1) : UINT64_MAX;

	if (ct_watch_lock_is_mine() || is_own_work()) /* our own use of libc */
		return;
	ct_watch_function(pointer, bytes, kind, writes, function, base);
	if (!ct_watch_lock())
		return;
	ct_hold_begin(start & ~(uint64_t)(PAGE - 1), end);
	ct_pages_open(start, end);
	ct_watch_unlock();
}

static void after(void)
{
	if (is_own_work() || !ct_watch_lock())
		return;
	ct_hold_end();
	ct_pages_protect();
	ct_watch_unlock();
}

int __ct_is_inner(void)
{
	return ct_quiet_depth || ct_call_innermost || (ct_is_of_device && ct_is_of_device());
}

bool ct_attach_begin(bool is_after_host, const char **why)
{
	__typeof__(&__ct_preload_attach) attach =
	    (__typeof__(attach))dlsym(RTLD_DEFAULT, "__ct_preload_attach");

	ct_pages_library = dlsym(RTLD_DEFAULT, "__ct_preload");
	if (!attach || !ct_pages_library || ct_pages_library->version != CT_PRELOAD_VERSION) {
		*why = "the program was not started by ctrun with this option";
		return false;
	}
	preload = (struct ct_preload_watch){
	    .before = before, .after = after, .sigaction = ct_faults_sigaction};
	attach(&preload);
	if (!ct_faults_begin(why))
		return false;
	ct_past_begin();
	ct_call_around = around_call;
	ct_pages_turn_on(is_after_host, &preload.is_armed);
	return true;
}

void ct_attach_forget(void)
{
	if (!ct_pages_are_on())
		return;
	__atomic_store_n(&preload.is_armed, 0, __ATOMIC_RELAXED);
	ct_call_around = NULL;
	ct_past_end();
	ct_pages_turn_off();
}

void ct_attach_end(void)
{
	if (!ct_watch_lock())
		return;
	ct_attach_forget();
	ct_watch_unlock();
}
