/* SPDX-License-Identifier: Apache-2.0 */
/* Records what instrumented host code reports about clocks. */
#include "host-rt/watch/clocks.h"
#include "base/clock.h"
#include "host-rt/base/thread.h"
#include "host-rt/watch/order/hidden.h"
#include "host-rt/watch/ranges/access.h"
#include "host-rt/watch/ranges/finished.h"
#include "host-rt/watch/ranges/lock.h"
#include <cudatrace/host.h>
#include <errno.h>

/* The wait that no clock was read behind yet; behind which errors were not asked for; 0: none. */
static _Thread_local uint32_t last_wait, unasked_wait;

void ct_clocks_waited(const struct ct_row_wait *wait)
{
	last_wait = unasked_wait = wait->flags & CT_WAIT_NOT_ASKED ? 0 : wait->call;
}

void ct_clocks_work(void)
{
	last_wait = unasked_wait = 0;
}

/* Reports a wait of this thread, once. */
static void tell(uint32_t *wait, uint32_t kind, const char *reason, const void *base)
{
	struct ct_watch_use use;
	int saved = errno;

	if (!*wait || !ct_watch_is_on())
		return;
	use = (struct ct_watch_use){.row = {.time_ns = ct_clock_real_ns(),
					    .wait = *wait,
					    .rows = 1,
					    .thread = ct_thread_id(),
					    .stack = ct_watch_stack(base),
					    .kind = (uint8_t)kind,
					    .means = CT_MEANS_HOST},
				    .reason = reason};
	if (ct_watch_lock()) {
		ct_finished_use(&use);
		*wait = 0;
		ct_watch_unlock();
	}
	errno = saved;
}

void __ct_use_clock(const char *function)
{
	tell(&last_wait, CT_USE_CLOCK, function, __builtin_frame_address(0));
}

/* Without the wait they would be reported later, or elsewhere. */
void __ct_use_errors(const char *function)
{
	(void)function;
	tell(&unasked_wait, CT_USE_UNKNOWN,
	     "the program asks for errors behind it (cudaGetLastError, cudaPeekAtLastError)",
	     __builtin_frame_address(0));
}

void __ct_use_shares(const char *function)
{
	(void)function;
	if (ct_watch_is_on())
		ct_hidden_export("others use the device's work (handles of IPC, external memory "
				 "and semaphores, graphics)");
}
