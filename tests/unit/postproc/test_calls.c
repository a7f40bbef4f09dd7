/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of calls against what trace_api.c works out by hand. */
#include "postproc/analysis/calls/calls.h"
#include "postproc/analysis/calls/tree.h"
#include "tests/unit/trace/trace_api.h"
#include "tests/unit/trace/trace_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

#define US 1000u

static char *directory;
static struct ct_trace *trace;
static struct ct_stack_tree stacks;
static struct ct_calls calls;

static void study(bool with_activities)
{
	char why[512];

	directory = fixture_directory();
	cr_assert_eq(api_make(directory, with_activities, "/nowhere/solver"), 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(ct_stacks_init(&stacks, trace), 0);
	cr_assert_eq(ct_calls_init(&calls, trace, &stacks), 0);
}

static void end(void)
{
	ct_calls_fini(&calls);
	ct_stacks_fini(&stacks);
	ct_trace_close(trace);
	fixture_remove(directory);
}

static const struct ct_calls_function *function(const char *name)
{
	for (size_t i = 0; i < calls.functions; i++)
		if (!strcmp(calls.function[i].name, name))
			return &calls.function[i];
	cr_assert_fail("no calls of %s", name);
	return NULL;
}

static void expect(const char *name, uint64_t count, uint64_t total_us, uint64_t waited_us,
		   uint64_t device_us)
{
	const struct ct_calls_function *found = function(name);

	cr_expect_eq(found->times.count, count, "%s", name);
	cr_expect_eq(found->times.total_ns, total_us * US, "%s", name);
	cr_expect_eq(found->waited_ns, waited_us * US, "%s waited %lu", name,
		     (unsigned long)found->waited_ns);
	cr_expect_eq(found->device_ns, device_us * US, "%s: %lu on the device", name,
		     (unsigned long)found->device_ns);
}

Test(calls, of_each_function, .fini = end)
{
	study(true);
	expect("cudaMalloc", 1, 100, 0, 0);
	expect("cudaMemcpy", 1, 100, 70, 70);
	expect("cudaLaunchKernel", 3, 23, 0, 200 + 100 + 40);
	expect("cudaDeviceSynchronize", 1, 200, 190, 0);
	expect("cudaStreamSynchronize", 1, 20, 10, 0);
	expect("cudaFree", 1, 30, 25, 0);
	expect("cudaMemset", 1, 3, 0, 1);
	expect("cudaMemcpyAsync", 1, 4, 0, 10);
	expect("cuCtxSynchronize", 1, 20, 0, 0);
	expect("step", 1, 300, 0, 0);
	expect("solve", 1, 800, 0, 0);
	cr_expect_eq(function("cudaLaunchKernel")->times.least_ns, 5 * US);
	cr_expect_eq(function("cudaLaunchKernel")->times.most_ns, 10 * US);
	cr_expect_eq(function("cudaFree")->failed, 1);
	cr_expect_eq(function("cudaStreamQuery")->failed, 0, "not ready is no failure");
	cr_expect_eq(function("cuCtxSynchronize")->open, 1);
	cr_expect_eq(function("cudaMemcpy")->bytes, 1000000);
	cr_expect(function("cuMemcpyHtoD_v2")->is_inner);
	cr_expect_eq(calls.functions, 13);
}

/* Inner calls, ranges and the tracer's own work are in none of them. */
Test(calls, sums, .fini = end)
{
	study(true);
	cr_expect_eq(calls.run_ns, 800 * US);
	cr_expect_eq(calls.calls_ns, 501 * US);
	cr_expect_eq(calls.device_ns, 421 * US);
	cr_expect_eq(calls.tracer.count, 1);
	cr_expect_eq(calls.tracer.total_ns, 100 * US);
	cr_expect_not(calls.waits_are_bounds);
	cr_expect_not(calls.copies_are_calls);
	cr_assert_eq(calls.parts, 1);
	cr_expect_eq(calls.part[0].calls, 12);
	cr_expect_eq(calls.part[0].inner, 1);
	cr_expect_eq(calls.part[0].spans, 2);
	cr_expect_eq(calls.part[0].activities, 7);
	cr_expect_eq(calls.part[0].clock_error_ns, 50);
	cr_expect_str_eq(calls.part[0].source, "CUPTI 13.0");
	cr_assert_eq(calls.threads, 2);
	cr_expect_str_eq(calls.thread[0].name, "solver");
	cr_expect_eq(calls.thread[0].total_ns, 439 * US);
	cr_expect_eq(calls.thread[0].waited_ns, 270 * US);
	cr_expect_eq(calls.thread[1].waited_ns, 25 * US);
}

static const struct ct_calls_kernel *kernel(const char *name, bool is_traced)
{
	for (size_t i = 0; i < calls.kernels; i++)
		if (!strcmp(calls.kernel[i].name, name) && calls.kernel[i].is_traced == is_traced)
			return &calls.kernel[i];
	cr_assert_fail("no launches of %s", name);
	return NULL;
}

/* Two kernels overlap: the moments of both belong to the one that began first. */
Test(calls, shares_of_the_run, .fini = end)
{
	study(true);
	cr_expect_eq(kernel("expand(int const*)", true)->share_ns, 200 * US);
	cr_expect_eq(kernel("count()", false)->share_ns, 0);
	cr_expect_eq(calls.shares.kernels_ns, 240 * US);
	cr_expect_eq(calls.shares.copies_ns, 80 * US);
	cr_expect_eq(calls.shares.sets_ns, 1 * US);
	cr_expect_eq(calls.shares.tracer_ns, 0, "it is behind the run's end");
}

Test(calls, kernels_and_copies, .fini = end)
{
	study(true);
	cr_assert_eq(calls.kernels, 3);
	cr_expect_eq(kernel("expand(int const*)", true)->times.total_ns, 200 * US);
	cr_expect_eq(kernel("expand(int const*)", false)->times.total_ns, 40 * US,
		     "known by its launch");
	cr_expect_eq(kernel("count()", false)->times.total_ns, 100 * US);
	cr_expect_eq(calls.copy[CT_COPY_TO_DEVICE].count, 1);
	cr_expect_eq(calls.copy[CT_COPY_TO_DEVICE].bytes, 1000000);
	cr_expect_eq(calls.copy[CT_COPY_TO_DEVICE].total_ns, 70 * US);
	cr_expect_eq(calls.copy[CT_COPY_TO_DEVICE].pageable.count, 1);
	cr_expect_eq(calls.copy[CT_COPY_TO_HOST].bytes, 4096);
	cr_expect_eq(calls.copy[CT_COPY_TO_HOST].pageable.count, 0);
	cr_expect_eq(calls.set.total_ns, 1 * US);
	cr_assert_eq(calls.streams, 2);
	cr_expect_eq(calls.stream[0].total_ns, 311 * US);
	cr_expect_eq(calls.stream[1].kernels, 1);
}

static uint64_t waited_for(const char *name, enum ct_waited_kind kind)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < calls.waits; i++)
		if (!strcmp(calls.function[calls.wait[i].function].name, name) &&
		    calls.wait[i].kind == kind)
			sum += calls.wait[i].total_ns;
	return sum;
}

Test(calls, who_waited_for_what, .fini = end)
{
	study(true);
	cr_expect_eq(calls.waits, 4);
	cr_expect_eq(waited_for("cudaDeviceSynchronize", CT_WAITED_KERNEL), 190 * US);
	cr_expect_eq(waited_for("cudaMemcpy", CT_WAITED_COPY), 70 * US);
	cr_expect_eq(waited_for("cudaFree", CT_WAITED_KERNEL), 25 * US);
	cr_expect_eq(waited_for("cudaStreamSynchronize", CT_WAITED_COPY), 10 * US);
}

/* A call that synchronises has waited at most as long as it took; of others nothing is known. */
Test(calls, without_activities, .fini = end)
{
	study(false);
	expect("cudaDeviceSynchronize", 1, 200, 200, 0);
	expect("cudaStreamSynchronize", 1, 20, 20, 0);
	expect("cudaMemcpy", 1, 100, 0, 0);
	cr_expect(calls.waits_are_bounds);
	cr_expect(ct_calls_knows_wait(&calls, function("cudaStreamSynchronize")));
	cr_expect_not(ct_calls_knows_wait(&calls, function("cudaMemcpy")));
	cr_expect(calls.copies_are_calls);
	cr_expect_eq(calls.copy[CT_COPY_TO_DEVICE].count, 1, "not its inner call, too");
	cr_expect_eq(calls.copy[CT_COPY_TO_DEVICE].total_ns, 100 * US);
	cr_expect_eq(kernel("expand(int const*)", true)->times.count, 1);
	cr_expect_eq(kernel("expand(int const*)", false)->times.count, 1);
	cr_expect_not(kernel("count()", false)->is_timed);
}

Test(calls, that_wait_are_known_with_any_suffix)
{
	cr_expect_eq(ct_wait_kind("cuMemcpyDtoH_v2").what, CT_WAIT_FOR_STREAM);
	cr_expect_eq(ct_wait_kind("cuMemcpyDtoH_v2_ptds").what, CT_WAIT_FOR_STREAM);
	cr_expect_eq(ct_wait_kind("cudaMemcpyAsync_ptsz").what, CT_WAIT_FOR_OWN);
	cr_expect_eq(ct_wait_kind("cudaDeviceSynchronize").what, CT_WAIT_FOR_DEVICE);
	cr_expect(ct_wait_kind("cudaDeviceSynchronize").is_synchronize);
	cr_expect_eq(ct_wait_kind("cudaLaunchKernel").what, CT_WAIT_FOR_NONE);
	cr_expect_eq(ct_wait_kind("cudaMemcp").what, CT_WAIT_FOR_NONE);
	cr_expect_eq(ct_wait_kind("_v2").what, CT_WAIT_FOR_NONE);
}

/* The node of a tree that these names lead to. */
static const struct ct_call_tree_node *at(const struct ct_call_tree *tree, const char *const *names)
{
	uint32_t node = 0;

	for (; *names; names++) {
		const struct ct_call_tree_node *parent = &tree->node[node];
		uint32_t i = 0;

		while (
		    i < parent->children &&
		    strcmp(ct_call_tree_name(tree, tree->order[parent->first_child + i]), *names))
			i++;
		cr_assert_lt(i, parent->children, "no %s", *names);
		node = tree->order[parent->first_child + i];
	}
	return &tree->node[node];
}
#define AT(tree, ...) at(tree, (const char *const[]){__VA_ARGS__, NULL})

Test(calls, trees, .fini = end)
{
	struct ct_symbols *symbols;
	struct ct_call_tree tree;

	study(true);
	cr_assert_eq(ct_symbols_open(&symbols, &stacks, &(struct ct_symbols_options){0}), 0);
	cr_assert_eq(ct_call_tree_init(&tree, &calls, symbols, CT_TREE_TOP_DOWN), 0);
	cr_expect_eq(tree.node[0].total_ns, 501 * US);
	cr_expect_eq(tree.node[0].children, 4);
	cr_expect_eq(AT(&tree, "solver+0x1010")->total_ns, 339 * US);
	cr_expect_eq(AT(&tree, "solver+0x1010")->count, 6);
	cr_expect_eq(AT(&tree, "solver+0x1010", "solver+0x2020")->waited_ns, 260 * US);
	cr_expect_eq(AT(&tree, "solver+0x1010", "solver+0x2020", "solver+0x3030")->device_ns,
		     300 * US);
	cr_expect_eq(AT(&tree, "0x7f0000", "solver+0x6060", "cudaFree")->own_ns, 30 * US);
	cr_expect_eq(AT(&tree, "[unknown]", "cuCtxSynchronize")->count, 1);
	ct_call_tree_fini(&tree);

	cr_assert_eq(ct_call_tree_init(&tree, &calls, symbols, CT_TREE_BOTTOM_UP), 0);
	cr_expect_eq(tree.node[0].total_ns, 501 * US);
	cr_expect_eq(AT(&tree, "cudaLaunchKernel")->count, 3);
	cr_expect_eq(AT(&tree, "cudaLaunchKernel", "solver+0x3030")->count, 2);
	cr_expect_eq(AT(&tree, "cudaLaunchKernel", "solver+0x6060", "0x7f0000")->total_ns, 8 * US);
	cr_expect_eq(AT(&tree, "cuCtxSynchronize", "[unknown]")->total_ns, 20 * US);
	ct_call_tree_fini(&tree);
	ct_symbols_close(symbols);
}

/* However many ends there are in whichever order. */
Test(calls, ends_are_sorted)
{
	enum { COUNT = 5000 };
	static struct ct_row_activity rows[COUNT];
	struct ct_ends ends;
	uint64_t state = 1;

	for (size_t i = 0; i < COUNT; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		rows[i].begin_ns = 1750000000000000000u + (state >> 20);
		rows[i].duration_ns = state >> 50;
	}
	cr_assert_eq(ct_ends_init(&ends, rows, COUNT), 0);
	for (size_t i = 0; i < COUNT; i++) {
		const struct ct_row_activity *row = &rows[ends.index[i]];

		cr_assert_eq(ends.end_ns[i], row->begin_ns + row->duration_ns);
		cr_assert(i == 0 || ends.end_ns[i - 1] <= ends.end_ns[i]);
	}
	cr_expect_eq(ct_ends_after(&ends, 0), 0);
	cr_expect_eq(ct_ends_after(&ends, UINT64_MAX), COUNT);
	cr_expect_gt(ends.end_ns[ct_ends_after(&ends, ends.end_ns[100])], ends.end_ns[100]);
	ct_ends_fini(&ends);
}
