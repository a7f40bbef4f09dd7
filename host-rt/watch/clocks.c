/* SPDX-License-Identifier: Apache-2.0 */
/* What instrumented host code tells of clocks. */
#include "host-rt/watch/clocks.h"
#include "base/clock.h"
#include "host-rt/base/thread.h"
#include "host-rt/watch/settled.h"
#include "host-rt/watch/state.h"
#include <cudatrace/host.h>
#include <errno.h>

/* The wait that no clock was read behind yet; 0: none. */
static _Thread_local uint32_t last_wait;

void ct_clocks_waited(const struct ct_row_wait *wait)
{
	last_wait = wait->flags & CT_WAIT_NOT_ASKED ? 0 : wait->call;
}

void ct_clocks_work(void)
{
	last_wait = 0;
}

void __ct_use_clock(const char *function)
{
	struct ct_watch_use use;
	int saved = errno;

	if (!last_wait || !ct_watch_is_on())
		return;
	use = (struct ct_watch_use){.row = {.time_ns = ct_clock_real_ns(),
					    .wait = last_wait,
					    .rows = 1,
					    .thread = ct_thread_id(),
					    .stack = ct_watch_stack(__builtin_frame_address(0)),
					    .kind = CT_USE_CLOCK,
					    .means = CT_MEANS_HOST},
				    .reason = function};
	if (ct_watch_lock()) {
		ct_settled_use(&use);
		last_wait = 0;
		ct_watch_unlock();
	}
	errno = saved;
}
