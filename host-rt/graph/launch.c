/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A launch of an executable graph: its events, and launch ids in stream order
 * ahead of the kernels. Launches of one executable graph run one after another
 * even on several streams, and so must the ids: hence the CUDA event.
 */
#include "host-rt/graph/launch.h"
#include "host-rt/base/quiet.h"
#include "host-rt/calls/real.h"
#include "host-rt/drain/behind.h"
#include "host-rt/drain/drain.h"
#include "host-rt/events/events.h"
#include "host-rt/events/pending.h"
#include "host-rt/events/session.h"
#include "host-rt/graph/execs.h"
#include "host-rt/graph/ids.h"
#include "host-rt/launch/given.h"
#include "host-rt/streams/order.h"
#include "host-rt/streams/streams.h"
#include "host-rt/watch/watch.h"

/* One launch of a graph. */
struct run {
	struct ct_graph_plan *plan;
	cudaStream_t stream;
	uint64_t stream_id;
	uint32_t first_id;
	uint32_t count; /* of enabled kernels: ids from first_id on; 0: no events were written */
	/* the launch before it */
	bool is_first;
	uint64_t last_stream;
};

static void write_event(const struct run *run, struct ct_graph_kernel *kernel, uint32_t id)
{
	struct ct_launch block = ct_graph_plan_block(run->plan, kernel);
	struct ct_decision d = kernel->decision;

	d.id = id;
	d.stream = run->stream_id;
	if (!d.reason)
		d.reason = ct_decide_number(id);
	if (!d.reason && ct_drain_of(run->plan->device)->phase != CT_DRAIN_READY)
		d.reason = "an earlier kernel failed";
	d.reason = ct_decide_sample(&d, 0, d.reason);
	d.sample.block_period = block.block_period;
	d.sample.block_offset = block.block_offset;
	kernel->recorded = !d.reason;
	ct_decide_write(&kernel->call, &d);
	ct_given_write(id, kernel->given);
}

static bool has_moved(const struct run *run)
{
	return !run->is_first && run->last_stream != run->stream_id;
}

/* The executable graph stands for an event of its own: that its last launch is done. */
static void write_events(struct run *run)
{
	struct ct_graph_plan *plan = run->plan;
	int device = plan->device->ordinal;
	uint32_t transfers = 0;

	if (has_moved(run))
		ct_order_write(CT_ORDER_WAIT, device, run->stream_id, plan->exec);
	run->first_id = (uint32_t)ct_session_totals.launches + 1;
	ct_watch_given(NULL, 0, false, device, run->stream_id);
	if (plan->has_host_functions)
		ct_watch_hidden("a function of the host runs before it (in a graph)", device,
				run->stream_id);
	for (uint32_t i = 0; ct_watch_is_on() && i < plan->count; i++)
		if (!plan->kernels[i].disabled)
			ct_given_effects(&plan->kernels[i].call, device, run->stream_id);
	ct_events_units();
	for (uint32_t i = 0; i < plan->count; i++) {
		ct_graph_transfers_write(&plan->transfers, i, &transfers, device, run->stream_id);
		if (!plan->kernels[i].disabled) {
			write_event(run, &plan->kernels[i], run->first_id + run->count++);
			ct_session_count(&ct_session_totals.launches, 1);
		}
	}
	ct_graph_transfers_write(&plan->transfers, plan->count, &transfers, device, run->stream_id);
	ct_order_write(CT_ORDER_RECORD, device, run->stream_id, plan->exec);
}

/* The program may launch while another device is current; returns that one. */
static int switch_device(int to)
{
	int current = to;

	if (cudaGetDevice(&current) == cudaSuccess && current != to)
		cudaSetDevice(to);
	return current;
}

static void begin(struct run *run, uint64_t stream_id)
{
	struct ct_graph_plan *plan = run->plan;
	int current;

	run->stream_id = stream_id;
	run->is_first = !plan->is_launched;
	run->last_stream = plan->last_stream;
	plan->is_launched = true;
	plan->last_stream = stream_id;
	if (!ct_session_is_active())
		return;
	current = switch_device(plan->device->ordinal);
	ct_drain_go_on(ct_drain_of(plan->device), 0);
	switch_device(current);
	write_events(run);
}

/* Whether two kernels get their ids together: what runs pristine takes any. */
static bool goes_with(const struct ct_graph_kernel *kernel, bool recorded)
{
	return !kernel->disabled && (kernel->recorded == recorded || kernel->decision.reason);
}

/* A run of enabled kernels has ids without gaps; those that are not recorded get none. */
static cudaError_t set_ids(const struct run *run)
{
	const struct ct_graph_plan *plan = run->plan;
	uint32_t id = run->first_id, last;
	cudaError_t error = cudaSuccess;

	for (uint32_t i = 0; error == cudaSuccess && i < plan->count; i = last) {
		bool recorded = run->count && plan->kernels[i].recorded;

		last = i + 1;
		if (plan->kernels[i].disabled || plan->kernels[i].decision.reason) {
			id += !plan->kernels[i].disabled;
			continue;
		}
		while (last < plan->count && goes_with(&plan->kernels[last], recorded))
			last++;
		error = ct_graph_ids_set(plan->device, run->stream, plan->first + i, last - i, id,
					 recorded ? 1 : UINT32_MAX, recorded ? UINT32_MAX : 0);
		id += last - i;
	}
	return error;
}

static bool is_recorded(const struct run *run, const struct ct_graph_kernel *kernel)
{
	return run->count && !kernel->disabled && kernel->recorded;
}

/* Tier counts: every kernel of the graph has an area of its own. */
static void begin_counts(const struct run *run)
{
	for (uint32_t i = 0; i < run->plan->count; i++)
		if (is_recorded(run, &run->plan->kernels[i]))
			ct_counts_begin(&run->plan->kernels[i].decision.counts, run->stream);
}

/* And a table of the CTA clock. */
static void end_launches(const struct run *run, cudaError_t error)
{
	uint32_t id = run->first_id;

	for (uint32_t i = 0; i < run->plan->count; i++) {
		const struct ct_graph_kernel *kernel = &run->plan->kernels[i];

		if (is_recorded(run, kernel)) {
			ct_counts_end(&kernel->decision.counts, run->stream, id,
				      error == cudaSuccess);
			if (error == cudaSuccess && kernel->decision.ctas.times)
				ct_ctas_copy(ct_drain_of(run->plan->device), &kernel->decision.ctas,
					     run->stream, run->stream_id, id);
		}
		id += !kernel->disabled;
	}
}

/* Out of the lock: what is put into a stream may block until another thread launches. */
static void prepare(const struct run *run)
{
	struct ct_graph_plan *plan = run->plan;
	cudaError_t error = cudaSuccess;
	int current;

	if (!ct_graph_plan_is_traced(plan))
		return;
	current = switch_device(plan->device->ordinal);
	if (plan->done && has_moved(run))
		error = __real_cudaStreamWaitEvent(run->stream, plan->done, 0);
	if (error == cudaSuccess)
		error = set_ids(run);
	begin_counts(run);
	switch_device(current);
	if (error == cudaSuccess || !run->count)
		return;
	ct_session_lock();
	if (ct_session_is_active())
		ct_events_loss(UINT64_MAX, run->first_id,
			       "the launch ids of a graph's kernels could not be set");
	ct_session_unlock();
}

static void note_result(struct run *run, cudaError_t error)
{
	struct ct_graph_plan *plan = run->plan;
	int current;

	if (ct_graph_plan_is_traced(plan)) {
		current = switch_device(plan->device->ordinal);
		end_launches(run, error);
		switch_device(current);
	}
	if (error == cudaSuccess && ct_graph_plan_is_traced(plan)) {
		current = switch_device(plan->device->ordinal);
		if (plan->done ||
		    cudaEventCreateWithFlags(&plan->done, cudaEventDisableTiming) == cudaSuccess)
			__real_cudaEventRecord(plan->done, run->stream);
		switch_device(current);
	}
	ct_session_lock();
	if (error != cudaSuccess) {
		plan->is_launched = !run->is_first;
		plan->last_stream = run->last_stream;
	}
	for (uint32_t i = 0; ct_session_is_open() && i < run->count; i++)
		if (error == cudaSuccess)
			ct_pending_add(run->first_id + i, plan->device->ordinal, run->stream_id);
		else
			ct_pending_failed(run->first_id + i, (int)error);
	ct_session_unlock();
	if (error == cudaSuccess && run->count) {
		current = switch_device(plan->device->ordinal);
		ct_behind_launch(ct_drain_of(plan->device), run->stream_id, run->stream);
		switch_device(current);
	}
}

cudaError_t ct_graphs_launch(struct ct_call *call, cudaGraphExec_t exec, cudaStream_t stream)
{
	struct run run = {.stream = ct_streams_meant(stream, call->per_thread)};
	struct ct_quiet quiet;
	cudaError_t error;

	if (!ct_session_is_open())
		return ct_real_cudaGraphLaunch(call, exec, stream);
	ct_quiet_begin(&quiet);
	if (!ct_streams_are_capturing(stream, call->per_thread)) {
		ct_session_lock();
		run.plan = ct_graph_execs_find(exec);
		if (run.plan)
			begin(&run, ct_streams_id(stream, call->per_thread));
		ct_call_note_stream(run.plan ? run.stream_id
					     : ct_streams_id(stream, call->per_thread));
		ct_session_unlock();
	}
	if (run.plan)
		prepare(&run);
	ct_quiet_end(&quiet);
	error = ct_real_cudaGraphLaunch(call, exec, stream);
	if (!run.plan)
		return error;
	ct_quiet_begin(&quiet);
	note_result(&run, error);
	ct_quiet_end(&quiet);
	return error;
}
