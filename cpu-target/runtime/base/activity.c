/* SPDX-License-Identifier: Apache-2.0 */
/* The cause of the work that a thread runs, and when it ran. */
#include "cpu-target/runtime/base/activity.h"
#include "base/clock.h"
#include <stddef.h>
#include <string.h>

static __thread const struct ct_cause *running;
static __thread bool is_device;

void ct_activity_be_device(void)
{
	is_device = true;
}

bool ct_is_of_device(void)
{
	return is_device;
}

struct ct_cause ct_activity_cause(cudaStream_t stream, int device)
{
	struct ct_cause cause = {.is_known = false};

	if (&ct_activity_sink)
		cause = ct_activity_sink.cause(stream);
	cause.device = device;
	return cause;
}

void ct_activity_enter(const struct ct_cause *cause)
{
	running = cause;
}

void ct_activity_move(void *to, const void *from, size_t bytes)
{
	if (&ct_activity_sink)
		ct_activity_sink.move(to, from, bytes);
	else
		memmove(to, from, bytes);
}

void ct_activity_begin(struct ct_activity *activity)
{
	if (running && running->is_known)
		activity->begin_ns = ct_clock_real_ns();
}

void ct_activity_end(struct ct_activity *activity)
{
	if (!running || !running->is_known)
		return;
	activity->end_ns = ct_clock_real_ns();
	activity->cause = *running;
	ct_activity_sink.happened(activity);
}
