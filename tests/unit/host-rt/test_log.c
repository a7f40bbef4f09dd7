/* SPDX-License-Identifier: Apache-2.0 */
/* Logs of calls: what is kept, what is lost, what has not ended. Threads: log_threads.c. */
#include "host-rt/calls/call.h"
#include <criterion/criterion.h>
#include <cudatrace/format.h>
#include <pthread.h>

#define MANY 5000u

static const void *const no_symbols[2];

/* In place of the one that asks CUDA. */
_Thread_local unsigned ct_quiet_depth;

static void make_call(uint64_t number)
{
	struct ct_call call;

	ct_call_enter(&call, CT_CALL_cudaMalloc, no_symbols, false);
	ct_call_real_begins(&call);
	ct_call_real_ends(&call);
	call.result = 2;
	ct_call_note_bytes(number);
	ct_call_leave(&call);
}

/* Entries that are there, which must have the numbers from first on. */
static uint64_t read_all(struct ct_log *log, uint64_t first)
{
	const struct ct_log_entry *entries;
	uint64_t count = 0;
	size_t some;

	while ((some = ct_log_read(log, &entries)) > 0)
		for (size_t i = 0; i < some; i++, count++) {
			cr_assert_eq(entries[i].bytes, first + count);
			cr_assert_leq(entries[i].begin_ns, entries[i].end_ns);
			cr_assert_eq(entries[i].number, CT_CALL_cudaMalloc);
			cr_assert_eq(entries[i].result, 2);
		}
	return count;
}

Test(hostrt_log, every_call_is_read_once_in_its_order)
{
	struct ct_log *log;

	ct_log_turn(CT_LOG_TAKES);
	for (uint64_t i = 0; i < MANY; i++)
		make_call(i);
	log = ct_log_next(NULL);
	cr_assert_eq(read_all(log, 0), MANY);
	cr_assert_eq(read_all(log, MANY), 0);
	make_call(MANY);
	cr_assert_eq(read_all(log, MANY), 1);
	cr_assert_eq(ct_log_lost(), 0);
	cr_assert_null(ct_log_next(log));
}

Test(hostrt_log, what_comes_before_the_trace_is_opened_is_kept_as_far_as_a_block_goes)
{
	uint64_t kept;

	for (uint64_t i = 0; i < MANY; i++)
		make_call(i);
	ct_log_turn(CT_LOG_TAKES);
	kept = read_all(ct_log_next(NULL), 0);
	cr_assert_gt(kept, 1000);
	cr_assert_eq(kept + ct_log_lost(), MANY);
	make_call(kept);
	cr_assert_eq(read_all(ct_log_next(NULL), kept), 1);
}

Test(hostrt_log, memory_is_bounded_and_comes_back)
{
	uint64_t most = 2 * CT_LOG_BYTES / sizeof(struct ct_log_entry), kept;

	ct_log_turn(CT_LOG_TAKES);
	for (uint64_t i = 0; i < most; i++)
		make_call(i);
	kept = read_all(ct_log_next(NULL), 0);
	cr_assert_eq(kept + ct_log_lost(), most);
	cr_assert_gt(kept, most / 3);
	for (uint64_t i = 0; i < MANY; i++)
		make_call(kept + i);
	cr_assert_eq(read_all(ct_log_next(NULL), kept), MANY);
}

Test(hostrt_log, nothing_is_kept_of_a_closed_log_of_ours_and_of_what_cuda_never_got)
{
	struct ct_call call;

	ct_quiet_depth++;
	make_call(0);
	ct_quiet_depth--;
	cr_assert_null(ct_log_next(NULL));
	ct_call_enter(&call, CT_CALL_cudaMalloc, no_symbols, false);
	ct_call_leave(&call);
	cr_assert_eq(read_all(ct_log_next(NULL), 0), 0);
	ct_log_turn(CT_LOG_CLOSED);
	make_call(0);
	cr_assert_eq(read_all(ct_log_next(NULL), 0), 0);
	cr_assert_eq(ct_log_lost(), 0);
}

Test(hostrt_log, calls_under_way_are_known_outermost_first)
{
	struct ct_call calls[2]; /* as frames: what is called later lies lower */
	struct ct_log_entry entry;
	struct ct_log *log;

	ct_log_turn(CT_LOG_TAKES);
	ct_call_enter(&calls[1], CT_CALL_cudaMemcpy, no_symbols, false);
	log = ct_log_next(NULL);
	cr_assert_not(ct_log_unended(log, 0, &entry), "CUDA has not got it yet");
	ct_call_real_begins(&calls[1]);
	ct_call_enter(&calls[0], CT_CALL_cuMemcpyHtoD_v2, no_symbols, false);
	ct_call_real_begins(&calls[0]);
	cr_assert(ct_log_unended(log, 0, &entry));
	cr_assert_eq(entry.number, CT_CALL_cudaMemcpy);
	cr_assert_eq(entry.begin_ns, calls[1].begin_ns);
	cr_assert_eq(entry.flags, CT_SPAN_OPEN);
	cr_assert(ct_log_unended(log, 1, &entry));
	cr_assert_eq(entry.number, CT_CALL_cuMemcpyHtoD_v2);
	cr_assert_not(ct_log_unended(log, 2, &entry));
	ct_call_real_ends(&calls[0]);
	ct_call_leave(&calls[0]);
	cr_assert_not(ct_log_unended(log, 1, &entry));
	ct_call_real_ends(&calls[1]);
	ct_call_leave(&calls[1]);
	cr_assert_not(ct_log_unended(log, 0, &entry));
}

Test(hostrt_log, the_drivers_part_of_a_call_is_marked_and_ends_first)
{
	const struct ct_log_entry *entries;
	struct ct_call calls[2];

	ct_log_turn(CT_LOG_TAKES);
	for (int i = 1; i >= 0; i--) {
		ct_call_enter(&calls[i], i ? CT_CALL_cudaMemcpy : CT_CALL_cuMemcpyHtoD_v2,
			      no_symbols, false);
		ct_call_real_begins(&calls[i]);
	}
	for (int i = 0; i < 2; i++) {
		ct_call_real_ends(&calls[i]);
		ct_call_leave(&calls[i]);
	}
	cr_assert_eq(ct_log_read(ct_log_next(NULL), &entries), 2);
	cr_assert_eq(entries[0].flags, CT_SPAN_INNER);
	cr_assert_eq(entries[1].flags, 0);
	cr_assert_geq(entries[0].begin_ns, entries[1].begin_ns);
	cr_assert_leq(entries[0].end_ns, entries[1].end_ns);
}
