/* SPDX-License-Identifier: Apache-2.0 */
/* Grids of hand-made kernels: barriers, warp operations, errors, producers. */
#include "cpu-target/runtime/exec/barrier.h"
#include "cpu-target/runtime/exec/block.h"
#include "cpu-target/runtime/exec/device_io.h"
#include "cpu-target/runtime/exec/exec.h"
#include "cpu-target/runtime/exec/warp.h"
#include <criterion/criterion.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static struct ct_cpu_unit unit = {.id = "test", .shared_bytes = 4096};

static int run(ct_cpu_entry entry, uint32_t blocks, uint32_t threads, void **args)
{
	struct ct_cpu_kernel kernel = {
	    .name = "kernel",
	    .entry = entry,
	    .blocking = 1,
	    .max_threads = 1024,
	};
	struct ct_cpu_grid grid = {
	    .kernel = &kernel,
	    .unit = &unit,
	    .grid = {blocks, 1, 1},
	    .block = {threads, 1, 1},
	    .args = args,
	};

	return ct_cpu_grid_run(&grid);
}

static uint32_t global_index(const struct ct_cpu_thread *thread)
{
	return thread->ctaid[0] * thread->ntid[0] + thread->tid[0];
}

static void reverse(struct ct_cpu_thread *thread, void **args)
{
	int *data = args[0], *shared = (int *)thread->shared;
	uint32_t i = thread->tid[0], n = thread->ntid[0];

	shared[i] = data[global_index(thread)];
	__ct_cpu_barrier(0, 0, CT_RED_NONE, 0);
	data[global_index(thread)] = shared[n - 1 - i];
}

Test(cpu_grid, barrier_separates_writes_from_reads)
{
	static int data[7 * 200];
	void *args[] = {data};

	for (int i = 0; i < 7 * 200; i++)
		data[i] = i;
	cr_assert_eq(run(reverse, 7, 200, args), CT_CPU_OK);
	for (int i = 0; i < 7 * 200; i++)
		cr_assert_eq(data[i], i / 200 * 200 + 199 - i % 200);
}

static void leave_then_reduce(struct ct_cpu_thread *thread, void **args)
{
	uint32_t *out = args[0], i = thread->tid[0];

	if (i >= 50)
		return;
	out[i] = __ct_cpu_barrier(3, 0, CT_RED_POPC, i % 2);
}

Test(cpu_grid, ended_threads_leave_the_barrier)
{
	static uint32_t out[50];
	void *args[] = {out};

	cr_assert_eq(run(leave_then_reduce, 1, 96, args), CT_CPU_OK);
	for (int i = 0; i < 50; i++)
		cr_assert_eq(out[i], 25);
}

static void vote_by_half(struct ct_cpu_thread *thread, void **args)
{
	uint32_t *out = args[0], i = thread->tid[0];
	uint32_t mask = i % 2 ? 0xaaaaaaaau : 0x55555555u;

	out[i] = (uint32_t)__ct_cpu_warp_op(CT_WARP_VOTE_BALLOT, mask, i >= 16, 0, 0);
}

Test(cpu_grid, disjoint_masks_complete_apart)
{
	static uint32_t out[32];
	void *args[] = {out};

	cr_assert_eq(run(vote_by_half, 1, 32, args), CT_CPU_OK);
	for (int i = 0; i < 32; i++)
		cr_assert_eq(out[i], i % 2 ? 0xaaaa0000u : 0x55550000u);
}

static void read_downwards(struct ct_cpu_thread *thread, void **args)
{
	uint32_t *out = args[0], i = thread->tid[0];

	if (i == 9)
		return;
	out[i] = (uint32_t)__ct_cpu_warp_op(CT_WARP_SHFL_DOWN, ~0u, 100 + i, 4, 31);
}

Test(cpu_grid, lanes_that_do_not_take_part_read_as_0)
{
	static uint32_t out[10];
	void *args[] = {out};

	cr_assert_eq(run(read_downwards, 1, 10, args), CT_CPU_OK);
	for (uint32_t i = 0; i < 9; i++)
		cr_assert_eq(out[i], i < 5 ? 104 + i : 0);
}

static void ask_active(struct ct_cpu_thread *thread, void **args)
{
	uint32_t *out = args[0], i = thread->tid[0];

	out[i] = i < 10 ? __ct_cpu_activemask(1) : __ct_cpu_activemask(2);
}

Test(cpu_grid, active_lanes_are_grouped_by_place)
{
	static uint32_t out[32];
	void *args[] = {out};

	cr_assert_eq(run(ask_active, 1, 32, args), CT_CPU_OK);
	for (int i = 0; i < 32; i++)
		cr_assert_eq(out[i], i < 10 ? 0x3ffu : ~0x3ffu);
}

static void wait_for_next(struct ct_cpu_thread *thread, void **args)
{
	_Atomic int *flags = args[0];
	uint32_t i = thread->tid[0];

	while (i + 1 < thread->ntid[0] && !atomic_load(&flags[i + 1]))
		__ct_cpu_yield();
	atomic_store(&flags[i], 1);
}

Test(cpu_grid, yielding_threads_let_the_others_run)
{
	static _Atomic int flags[128];
	void *args[] = {flags};

	cr_assert_eq(run(wait_for_next, 1, 128, args), CT_CPU_OK);
	cr_assert_eq(atomic_load(&flags[0]), 1);
}

static void half_reaches_the_barrier(struct ct_cpu_thread *thread, void **args)
{
	(void)args;
	if (thread->tid[0] < 16)
		__ct_cpu_barrier(0, 0, CT_RED_NONE, 0);
	else
		__ct_cpu_warp_op(CT_WARP_SYNC, ~0u, 0, 0, 0);
}

Test(cpu_grid, deadlock_is_an_error)
{
	cr_assert_eq(run(half_reaches_the_barrier, 3, 32, NULL), CT_CPU_DEADLOCK);
}

static void dereference(struct ct_cpu_thread *thread, void **args)
{
	if (thread->tid[0] == 5)
		**(volatile int **)args[0] = 1;
}

Test(cpu_grid, illegal_address_is_an_error_and_the_next_grid_runs)
{
	static int value;
	int *bad = (int *)16, *good = &value;
	void *args[] = {&bad};

	cr_assert_eq(run(dereference, 1, 32, args), CT_CPU_ILLEGAL_ADDRESS);
	args[0] = &good;
	cr_assert_eq(run(dereference, 1, 32, args), CT_CPU_OK);
	cr_assert_eq(value, 1);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winfinite-recursion"
static int descend(volatile char *above)
{
	volatile char local[1024];

	local[0] = above[0];
	return descend(local) + local[0];
}
#pragma GCC diagnostic pop

static void overflow(struct ct_cpu_thread *thread, void **args)
{
	volatile char start[1] = {0};

	(void)args;
	if (thread->tid[0] == 3)
		descend(start);
}

Test(cpu_grid, stack_overflow_is_an_error)
{
	cr_assert_eq(run(overflow, 1, 8, NULL), CT_CPU_STACK_OVERFLOW);
}

static void fail_assertion(struct ct_cpu_thread *thread, void **args)
{
	(void)thread, (void)args;
	__ct_cpu_assertfail("x > 0", "file.cu", 7, "kernel", 1);
}

Test(cpu_grid, failed_assertion_is_an_error)
{
	cr_assert_eq(run(fail_assertion, 1, 8, NULL), CT_CPU_ASSERT);
}

/* AddressSanitizer makes its own report of the signal. */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

Test(cpu_grid, faults_outside_kernels_are_not_ours, .signal = SIGSEGV, .disabled = SANITIZED)
{
	static int data[32];
	void *args[] = {data};

	cr_assert_eq(run(vote_by_half, 1, 32, args), CT_CPU_OK);
	raise(SIGSEGV);
}

/* Without the sanitizer, which moves locals to memory of its own. */
__attribute__((no_sanitize_address)) static void classify(struct ct_cpu_thread *thread, void **args)
{
	int *out = args[0], local = 0;

	out[0] = ct_cpu_address_space(out);
	out[1] = ct_cpu_address_space(thread->shared + 8);
	out[2] = ct_cpu_address_space(&local);
	out[3] = ct_cpu_current() == thread && ct_cpu_current_warp() != NULL;
}

Test(cpu_grid, addresses_are_told_apart)
{
	static int out[4];
	void *args[] = {out};

	cr_assert_eq(run(classify, 1, 1, args), CT_CPU_OK);
	cr_expect_eq(out[0], CT_CPU_SPACE_GLOBAL);
	cr_expect_eq(out[1], CT_CPU_SPACE_SHARED);
	cr_expect_eq(out[2], CT_CPU_SPACE_LOCAL);
	cr_expect(out[3]);
	cr_expect_null(ct_cpu_current());
}

static _Atomic int idles, warps, blocks, grids;

static void on_idle(struct ct_cpu_warp *warp)
{
	int waiting = 0;

	for (int lane = 0; lane < 32; lane++)
		waiting += warp->state[lane] == CT_LANE_TRACE;
	atomic_fetch_add(&idles, waiting);
}

static void on_warp_done(struct ct_cpu_warp *warp)
{
	atomic_fetch_add(&warps, warp->lanes == ~0u ? 1 : 100);
}

static void on_block_done(uint64_t cta, unsigned worker)
{
	(void)worker;
	atomic_fetch_add(&blocks, (int)cta + 1);
}

static void on_grid_done(uint64_t id, unsigned worker)
{
	(void)id, (void)worker;
	atomic_fetch_add(&grids, 1);
}

static void trace_twice(struct ct_cpu_thread *thread, void **args)
{
	(void)thread, (void)args;
	ct_cpu_lane_wait_trace();
	ct_cpu_lane_wait_trace();
}

Test(cpu_grid, producer_sees_every_warp_block_and_grid)
{
	static const struct ct_cpu_producer producer = {
	    .on_warp_idle = on_idle,
	    .on_warp_done = on_warp_done,
	    .on_block_done = on_block_done,
	    .on_grid_done = on_grid_done,
	};

	ct_cpu_set_producer(&producer);
	cr_assert_eq(run(trace_twice, 3, 40, NULL), CT_CPU_OK);
	ct_cpu_set_producer(NULL);
	cr_expect_eq(idles, 3 * 40 * 2);
	cr_expect_eq(warps, 3 * (1 + 100));
	cr_expect_eq(blocks, 1 + 2 + 3);
	cr_expect_geq(grids, 1);
}

static void *run_many(void *result)
{
	int errors = 0;

	for (int i = 0; i < 50; i++) {
		uint32_t out[32];
		void *args[] = {out};

		errors += run(vote_by_half, 1, 32, args) != CT_CPU_OK || out[1] != 0xaaaa0000u;
	}
	*(int *)result = errors;
	return NULL;
}

Test(cpu_grid, grids_of_different_threads_run_at_once)
{
	pthread_t threads[4];
	int errors[4];

	for (int i = 0; i < 4; i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, run_many, &errors[i]), 0);
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
		cr_expect_eq(errors[i], 0);
	}
}
