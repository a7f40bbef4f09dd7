/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of calls in the making, part by part. */
#ifndef CT_POSTPROC_ANALYSIS_CALLS_MAKE_H
#define CT_POSTPROC_ANALYSIS_CALLS_MAKE_H

#include "base/intern.h"
#include "postproc/analysis/calls/calls.h"
#include "postproc/analysis/calls/caused.h"

struct ct_calls_making {
	struct ct_calls *calls;
	struct ct_intern function_names, kernel_names; /* with what else tells them apart */
	size_t function_room, kernel_room, path_room, wait_room, thread_room, stream_room;
	struct ct_map waits; /* function, kind and what -> wait + 1 */
	struct ct_map paths; /* function, node -> path + 1 */

	/* The calls of the part. */
	struct ct_calls_part *part;
	const struct ct_row_call *call;
	size_t call_count;
	const struct ct_row_activity *activity;
	size_t activity_count;
	struct ct_map functions; /* name, kind and flags -> function + 1 */
	struct ct_map kernels;   /* name, traced -> kernel + 1 */
	struct ct_map threads;   /* thread -> thread + 1 */
	struct ct_map streams;   /* device, stream -> stream + 1 */
	struct ct_map launches;  /* launch -> its LAUNCH event */
	struct ct_waits waiting;
	struct ct_caused caused;
	const uint32_t *node; /* by row of STACK */
	size_t nodes;
};

/* The part's activities into kernels, copies, streams; of a part without any its LAUNCH events.
 * 0 or -ENOMEM, as the others. */
int ct_calls_add_activities(struct ct_calls_making *making);
/* Moments of the run in which these were under way (struct ct_calls_shares). */
int ct_calls_add_shares(struct ct_calls_making *making);
/* And its calls into functions, threads, waits, paths. */
int ct_calls_add_calls(struct ct_calls_making *making);

/* How well the clocks agree, if CUPTI reported devices and the program shows it (clock.c). */
int ct_calls_bound_clock(struct ct_calls_making *making);

/* The number + 1 of the kernel of an activity, 0: memory is short. */
uint32_t ct_calls_kernel_of(struct ct_calls_making *making, const struct ct_row_activity *activity);

static inline void ct_times_add(struct ct_times *times, uint64_t ns)
{
	if (times->count == 0 || ns < times->least_ns)
		times->least_ns = ns;
	if (ns > times->most_ns)
		times->most_ns = ns;
	times->total_ns += ns;
	times->count++;
}

#endif
