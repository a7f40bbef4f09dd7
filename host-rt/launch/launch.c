/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches: decide whether the instrumented clone runs, write the LAUNCH event,
 * launch. The event is written and the id drawn under the session's lock; the
 * launch itself comes after it is released, since a launch may block until
 * another thread has launched something else.
 */
#include "host-rt/launch/launch.h"
#include "host-rt/base/quiet.h"
#include "host-rt/calls/sites.h"
#include "host-rt/drain/behind.h"
#include "host-rt/events/events.h"
#include "host-rt/events/pending.h"
#include "host-rt/events/session.h"
#include "host-rt/launch/captured.h"
#include "host-rt/launch/decide.h"
#include "host-rt/launch/given.h"
#include "host-rt/streams/streams.h"
#include "host-rt/watch/watch.h"
#include <cudatrace/ring.h>
#include <errno.h>
#include <string.h>

/* Without a quiet section, of which each launch has enough: this only can set the last error, and
 * only if it fails. The program's own would have to be the same to be taken for it. */
static bool is_capturing(const struct ct_launch_call *call)
{
	bool capturing;
	cudaError_t error = ct_streams_ask_capturing(call->stream, call->per_thread, &capturing);

	if (error != cudaSuccess && cudaPeekAtLastError() == error)
		(void)cudaGetLastError();
	return capturing;
}

static const char *why_pristine(const struct ct_launch_call *call, struct ct_decision *d,
				uintptr_t base)
{
	const char *reason;

	ct_drain_go_on(ct_drain_of(d->device), 1);
	reason = ct_decide_kernel(call, d);
	if (!reason)
		reason = ct_decide_number(d->id);
	reason = ct_decide_sample(d, base, reason);
	if (!reason && ct_drain_prepare(d->device) < 0)
		reason = "no memory for records";
	if (!reason)
		ct_sampling_blocks(&d->sample, ct_session_options(), ct_launch_ctas(call), d->id);
	if (!reason)
		reason = ct_decide_memory(call, d, d->stream, CT_NO_LAUNCH_SLOT);
	return reason;
}

/* Decide, and write it down, in one step with the launch's number. base: frame
 * address of ct_launch; refused: why the clone did not run after all, NULL at first. */
static void decide(const struct ct_launch_call *call, struct ct_decision *d, uintptr_t base,
		   const char *refused)
{
	struct ct_quiet quiet;

	/* Where kernels run as they are, there is nothing else to ask or to prepare. */
	if (ct_session_options()->calls_only || ct_session_options()->sample_exponent)
		ct_quiet_begin_light(&quiet);
	else
		ct_quiet_begin(&quiet);
	ct_session_lock();
	d->id = 0;
	d->device = ct_session_is_active() ? ct_device_current() : NULL;
	if (d->device) {
		d->id = (uint32_t)ct_session_count(&ct_session_totals.launches, 1);
		d->stream = ct_streams_id(call->stream, call->per_thread);
		ct_call_note_stream(d->stream);
		call->from->launch = d->id;
		ct_events_units();
		d->reason = refused ? refused : why_pristine(call, d, base);
		if (refused)
			d->sample.launch_period = 0;
		d->context = ct_drain_of(d->device)->context_address;
		ct_decide_write(call, d);
	}
	ct_session_unlock();
	ct_quiet_end(&quiet);
}

/* Calls nothing of CUDA, unless recording is interrupted, so it needs no quiet section. */
static void note_result(const struct ct_launch_call *call, const struct ct_decision *d,
			cudaError_t error)
{
	int saved = errno;

	if (!d->id)
		return;
	ct_session_lock();
	if (ct_session_is_open()) {
		if (error == cudaSuccess)
			ct_pending_add(d->id, d->device->ordinal, d->stream);
		else
			ct_pending_failed(d->id, (int)error);
		if (error == cudaSuccess && (ct_watch_is_on() || ct_session_options()->check))
			ct_given(call, d);
	}
	ct_session_unlock();
	if (error == cudaSuccess)
		ct_behind_launch(ct_drain_of(d->device), d->stream,
				 ct_streams_meant(call->stream, call->per_thread));
	errno = saved;
}

static cudaError_t launch_clone(const struct ct_launch_call *call, const struct ct_decision *d)
{
	cudaStream_t stream = ct_streams_meant(call->stream, call->per_thread);
	uint32_t count = d->kernel->param_count;
	struct ct_launch block = {.context = d->context,
				  .launch = d->id,
				  .flags = d->counts.flags,
				  .block_period = d->sample.block_period,
				  .block_offset = d->sample.block_offset,
				  .clock = d->ctas.times,
				  .counters = d->counts.counters,
				  .row_bytes = d->counts.row_bytes};
	void *arguments[count + 1];
	cudaError_t error;

	if (count)
		memcpy(arguments, call->arguments, count * sizeof(*arguments));
	arguments[count] = &block;
	ct_counts_begin(&d->counts, stream);
	ct_ctas_begin(&d->ctas, stream);
	error = call->real(call, ct_image_code(d->kernel), arguments);
	ct_ctas_end(&d->ctas, d->id, error == cudaSuccess);
	ct_counts_end(&d->counts, stream, d->id, error == cudaSuccess);
	return error;
}

/* Whether the clone lacks something that the pristine kernel has. */
static bool is_resource_error(cudaError_t error)
{
	return error == cudaErrorLaunchOutOfResources ||
	       error == cudaErrorCooperativeLaunchTooLarge || error == cudaErrorInvalidValue ||
	       error == cudaErrorInvalidConfiguration || error == cudaErrorInvalidClusterSize ||
	       error == cudaErrorInvalidDeviceFunction;
}

/* Nothing runs yet: the graph's kernels are decided on when it is instantiated. */
static cudaError_t capture(const struct ct_launch_call *call, const char *site)
{
	cudaError_t error = call->real(call, call->function, call->arguments);
	struct ct_quiet quiet;

	if (error != cudaSuccess)
		return error;
	ct_quiet_begin(&quiet);
	ct_session_lock();
	ct_captured_note(call, site);
	ct_session_unlock();
	ct_quiet_end(&quiet);
	return error;
}

cudaError_t ct_launch(const struct ct_launch_call *call)
{
	uintptr_t base = (uintptr_t)__builtin_frame_address(0);
	struct ct_decision d = {.site = ct_sites_take_launch(call->from)};
	cudaError_t error, pending;

	if (!ct_session_is_active())
		return call->real(call, call->function, call->arguments);
	if (is_capturing(call))
		return capture(call, d.site);
	decide(call, &d, base, NULL);
	if (d.id && ct_watch_is_on())
		ct_giving(call, &d);
	if (d.id && !d.reason) {
		pending = cudaPeekAtLastError();
		error = launch_clone(call, &d);
		note_result(call, &d, error);
		if (!is_resource_error(error))
			return error;
		if (pending == cudaSuccess)
			(void)cudaGetLastError();
		error = call->real(call, call->function, call->arguments);
		if (error != cudaSuccess)
			return error; /* by itself: the trace has the launch, with an error */
		decide(call, &d, base, "not enough resources for the instrumented kernel");
	} else {
		error = call->real(call, call->function, call->arguments);
	}
	note_result(call, &d, error);
	return error;
}
