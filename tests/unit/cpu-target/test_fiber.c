/* SPDX-License-Identifier: Apache-2.0 */
/* Stack switching and the stacks of device threads. */
#include "cpu-target/runtime/exec/fiber.h"
#include <criterion/criterion.h>
#include <fenv.h>

static struct ct_cpu_context main_context, fibers[2];
static int order[8], steps;

static void step(int value)
{
	order[steps++] = value;
}

static void first_fiber(void)
{
	double local = 1.5;

	ct_cpu_context_entered(&fibers[0]);
	step(1);
	ct_cpu_context_switch(&fibers[0], &fibers[1], 0);
	step(local == 1.5 ? 3 : -1);
	ct_cpu_context_switch(&fibers[0], &main_context, 1);
}

static void second_fiber(void)
{
	ct_cpu_context_entered(&fibers[1]);
	step(2);
	fesetround(FE_UPWARD);
	ct_cpu_context_switch(&fibers[1], &fibers[0], 1);
}

static void start(struct ct_cpu_stacks *stacks)
{
	void (*functions[2])(void) = {first_fiber, second_fiber};

	cr_assert_eq(ct_cpu_stacks_open(stacks, 2), 0);
	ct_cpu_context_init_self(&main_context);
	for (uint32_t i = 0; i < 2; i++) {
		size_t bytes;
		char *stack = ct_cpu_stack(stacks, i, &bytes);

		ct_cpu_context_init(&fibers[i], stack, bytes, 64 * i, functions[i]);
	}
}

static void finish(struct ct_cpu_stacks *stacks)
{
	for (int i = 0; i < 2; i++)
		ct_cpu_context_fini(&fibers[i]);
	ct_cpu_stacks_close(stacks);
}

Test(cpu_fiber, contexts_continue_where_they_stopped)
{
	struct ct_cpu_stacks stacks;

	start(&stacks);
	ct_cpu_context_switch(&main_context, &fibers[0], 0);
	cr_assert_eq(steps, 3);
	for (int i = 0; i < 3; i++)
		cr_expect_eq(order[i], i + 1);
	finish(&stacks);
}

Test(cpu_fiber, rounding_mode_belongs_to_the_context)
{
	struct ct_cpu_stacks stacks;

	start(&stacks);
	ct_cpu_context_switch(&main_context, &fibers[0], 0);
	cr_expect_eq(fegetround(), FE_TONEAREST);
	finish(&stacks);
}

Test(cpu_fiber, stacks_are_apart_and_guarded)
{
	struct ct_cpu_stacks stacks;
	char *low, *high;
	size_t bytes;

	cr_assert_eq(ct_cpu_stacks_open(&stacks, 3), 0);
	low = ct_cpu_stack(&stacks, 0, &bytes);
	high = ct_cpu_stack(&stacks, 1, &bytes);
	cr_expect_geq(bytes, 256u << 10);
	cr_expect_gt(high - low, (ptrdiff_t)bytes);
	cr_expect_eq(ct_cpu_stacks_guard_at(&stacks, low - 1), 0);
	cr_expect_eq(ct_cpu_stacks_guard_at(&stacks, high - 1), 1);
	cr_expect_eq(ct_cpu_stacks_guard_at(&stacks, high), -1);
	cr_expect_eq(ct_cpu_stacks_guard_at(&stacks, &stacks), -1);
	ct_cpu_stacks_close(&stacks);
	cr_expect_eq(ct_cpu_stacks_guard_at(&stacks, low - 1), -1);
}
