/* SPDX-License-Identifier: Apache-2.0 */
/* The envelope of calls, wrappers made of lines as in api.def, sites noted for calls. */
#include "host-rt/base/quiet.h"
#include "host-rt/calls/sites.h"
#include "host-rt/wrap/wrapper.h"
#include <criterion/criterion.h>
#include <cudatrace/host.h>

static const void *const no_symbols[2];

static void enter(struct ct_call *call, enum ct_call_number number)
{
	ct_call_enter(call, number, no_symbols, false);
}

Test(hostrt_calls, the_drivers_part_of_a_call_of_the_runtime_is_no_call_of_the_program)
{
	struct ct_call calls[3]; /* as frames: what is called later lies lower */

	enter(&calls[2], CT_CALL_cudaMalloc);
	cr_assert_null(calls[2].outer);
	cr_assert_not(calls[2].is_inner);
	enter(&calls[1], CT_CALL_cuMemcpyHtoD_v2);
	cr_assert_eq(calls[1].outer, &calls[2]);
	cr_assert(calls[1].is_inner);
	ct_call_leave(&calls[1]);
	enter(&calls[1], CT_CALL_cudaFree);
	cr_assert_eq(calls[1].outer, &calls[2]);
	cr_assert_not(calls[1].is_inner);
	ct_call_leave(&calls[1]);
	ct_call_leave(&calls[2]);
	enter(&calls[2], CT_CALL_cuMemcpyHtoD_v2);
	cr_assert_null(calls[2].outer);
	cr_assert_not(calls[2].is_inner);
	enter(&calls[1], CT_CALL_cuMemcpyHtoD_v2);
	cr_assert_not(calls[1].is_inner);
	ct_call_leave(&calls[1]);
	ct_call_leave(&calls[2]);
	cr_assert_null(ct_call_innermost);
}

Test(hostrt_calls, a_frame_that_longjmp_has_left_is_no_outer_call)
{
	struct ct_call calls[2];

	enter(&calls[0], CT_CALL_cudaMalloc); /* never left */
	enter(&calls[1], CT_CALL_cuMemcpyHtoD_v2);
	cr_assert_null(calls[1].outer);
	cr_assert_not(calls[1].is_inner);
	ct_call_leave(&calls[1]);
	cr_assert_null(ct_call_innermost);
}

Test(hostrt_calls, names_are_those_that_cuda_documents)
{
	cr_assert_str_eq(ct_call_name(CT_CALL_cudaMemcpyAsync), "cudaMemcpyAsync");
	cr_assert_str_eq(ct_call_name(CT_CALL_cuMemcpyHtoD_v2), "cuMemcpyHtoD");
	cr_assert_not(ct_call_is_of_driver(CT_CALL_cudaMemcpyAsync));
	cr_assert(ct_call_is_of_driver(CT_CALL_cuMemcpyHtoD_v2));
}

/* In place of the ones that ask CUDA. */
_Thread_local unsigned ct_quiet_depth;

/* Calls as api.def has them, of a library that is this file. */
#define TEST_CALLS(CALL)                                                                           \
	CALL(cudaError_t, testWait, , NONE, EVERY, NONE, void)                                     \
	CALL(cudaError_t, testAdd, , PTSZ, EVERY, NONE, int, a, int, b)                            \
	CALL(cudaError_t, testSet, _v2, PTDS, MOST, NONE, int *, to)                               \
	CALL(cudaError_t, testGone, , NONE, GPU, NONE, int, a)

static const enum ct_call_number CT_CALL_testWait = 0, CT_CALL_testAdd = 1, CT_CALL_testSet_v2 = 2,
				 CT_CALL_testGone = 3;

#define DECLARE(returns, name, version, thread, where, site, ...)                                  \
	CT_DECLARE_##thread(where, returns, name##version, __VA_ARGS__)
TEST_CALLS(DECLARE)
#define REAL(returns, name, version, thread, where, site, ...)                                     \
	CT_REAL_CALL(returns, name##version, CT_LINKED_##thread(name##version, call->per_thread),  \
		     where, __VA_ARGS__)
TEST_CALLS(REAL)
#define WRAP(returns, name, version, thread, where, site, ...)                                     \
	CT_WRAPPERS(returns, name##version, thread, seen_##name, __VA_ARGS__)

static struct ct_call seen;
static unsigned sights;

static void see(struct ct_call *call)
{
	seen = *call;
	sights++;
}

static cudaError_t seen_testWait(struct ct_call *call)
{
	see(call);
	return ct_real_testWait(call);
}

static cudaError_t seen_testAdd(struct ct_call *call, int a, int b)
{
	see(call);
	return ct_real_testAdd(call, a, b);
}

static cudaError_t seen_testSet(struct ct_call *call, int *to)
{
	see(call);
	return ct_real_testSet_v2(call, to);
}

static cudaError_t seen_testGone(struct ct_call *call, int a)
{
	see(call);
	return ct_real_testGone(call, a);
}

TEST_CALLS(WRAP)

cudaError_t __real_testWait(void)
{
	cr_assert_not_null(ct_call_innermost);
	return (cudaError_t)7;
}

cudaError_t __real_testAdd(int a, int b)
{
	return (cudaError_t)(a + b);
}

cudaError_t __real_testAdd_ptsz(int a, int b)
{
	return (cudaError_t)(100 + a + b);
}

cudaError_t __real_testSet_v2(int *to)
{
	*to = 1;
	return cudaSuccess;
}

cudaError_t __real_testSet_v2_ptds(int *to)
{
	*to = 2;
	return cudaSuccess;
}

Test(hostrt_calls, each_name_of_a_call_makes_its_own_real_call)
{
	int set = 0;

	cr_assert_eq(__wrap_testWait(), 7);
	cr_assert_eq(seen.number, CT_CALL_testWait);
	cr_assert_eq(seen.symbols[0], (const void *)__wrap_testWait);
	cr_assert_eq(__wrap_testAdd(3, 4), 7);
	cr_assert_not(seen.per_thread);
	cr_assert_eq(__wrap_testAdd_ptsz(3, 4), 107);
	cr_assert(seen.per_thread);
	cr_assert_eq(seen.symbols[0], (const void *)__wrap_testAdd);
	cr_assert_eq(seen.symbols[1], (const void *)__wrap_testAdd_ptsz);
	cr_assert_eq(__wrap_testSet_v2(&set), cudaSuccess);
	cr_assert_eq(set, 1);
	cr_assert_eq(__wrap_testSet_v2_ptds(&set), cudaSuccess);
	cr_assert_eq(set, 2);
	cr_assert_eq(__wrap_testGone(1), cudaErrorNotSupported);
	cr_assert_eq(sights, 6);
	cr_assert_null(ct_call_innermost);
}

Test(hostrt_calls, what_we_call_ourselves_means_nothing)
{
	ct_quiet_depth = 1;
	cr_assert_eq(__wrap_testAdd_ptsz(1, 2), 103);
	ct_quiet_depth = 0;
	cr_assert_eq(sights, 0);
}

static const char *take(const char *(*from)(const struct ct_call *), const void *plain,
			const void *per_thread)
{
	const void *const symbols[] = {plain, per_thread};
	struct ct_call call;
	const char *site;

	ct_call_enter(&call, CT_CALL_cudaMalloc, symbols, false);
	site = from(&call);
	ct_call_leave(&call);
	return site;
}

Test(hostrt_calls, a_site_is_taken_once_and_by_the_call_that_it_was_noted_for)
{
	struct CUstream_st *stream = (struct CUstream_st *)0x10;
	static const char one, two, three;

	cr_assert_eq(__ct_launch_site(stream, "L1", &one), stream);
	cr_assert_eq(__ct_alloc_site(77, "A1", &two), 77);
	cr_assert_str_eq(take(ct_sites_take_launch, &one, &three), "L1");
	cr_assert_null(take(ct_sites_take_launch, &one, &three));
	cr_assert_str_eq(take(ct_sites_take_alloc, &three, &two), "A1");
	cr_assert_null(take(ct_sites_take_alloc, &three, &two));
	cr_assert_eq(__ct_launch_site_function(&three, "L2", &two), &three);
	cr_assert_null(take(ct_sites_take_launch, &one, &one));
	cr_assert_null(take(ct_sites_take_launch, &two, &two));
}
