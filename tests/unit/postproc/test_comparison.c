/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels and lines of two studies, and which of them are the same one. */
#include "postproc/comparison/pairs.h"

#include <criterion/criterion.h>

#define MAX 16

struct study {
	struct ct_side_kernel kernel[MAX];
	struct ct_side_line line[MAX];
	struct ct_side side;
};

static void add_kernel(struct study *study, const char *name, const char *folded)
{
	study->side.kernel = study->kernel;
	study->kernel[study->side.kernels++] =
	    (struct ct_side_kernel){.name = name, .symbol = name, .folded = (char *)folded};
}

static void add_said(struct study *study, size_t kernel, uint32_t line, const char *signature,
		     const char *text)
{
	study->side.line = study->line;
	study->line[study->side.lines++] = (struct ct_side_line){.kernel = kernel,
								 .file = "src/a.cu",
								 .base = "a.cu",
								 .line = line,
								 .signature = (char *)signature,
								 .text = (char *)text};
}

static void add_line(struct study *study, size_t kernel, uint32_t line, const char *signature)
{
	add_said(study, kernel, line, signature, "");
}

static void expect(const struct ct_compared_pairs *pairs, const struct ct_compared_pair *expected,
		   size_t count)
{
	cr_assert_eq(pairs->count, count, "%zu pairs", pairs->count);
	for (size_t i = 0; i < count; i++) {
		cr_expect_eq(pairs->list[i].before, expected[i].before, "pair %zu", i);
		cr_expect_eq(pairs->list[i].after, expected[i].after, "pair %zu", i);
	}
}

#define EXPECT(pairs, ...)                                                                         \
	do {                                                                                       \
		const struct ct_compared_pair expected[] = {__VA_ARGS__};                          \
		expect(pairs, expected, sizeof(expected) / sizeof(*expected));                     \
	} while (0)
#define NONE CT_PAIR_NONE

Test(comparison, kernels_are_the_same_by_name_then_by_their_only_instance)
{
	struct study before = {.side = {.name = "before"}}, after = {.side = {.name = "after"}};
	struct ct_compared_pairs kernels;

	add_kernel(&before, "add(float*)", "add");
	add_kernel(&before, "sum<int>(int*)", "sum<...>");
	add_kernel(&before, "sum<float>(float*)", "sum<...>");
	add_kernel(&before, "scan<4>(int*)", "scan<...>");
	add_kernel(&before, "gone(int)", "gone");
	add_kernel(&after, "scan<8>(int*, int)", "scan<...>");
	add_kernel(&after, "sum<int>(int*)", "sum<...>");
	add_kernel(&after, "sum<double>(double*)", "sum<...>");
	add_kernel(&after, "add(float const*)", "add");
	cr_assert_eq(ct_compared_pairs_kernels(&kernels, &before.side, &after.side), 0);
	EXPECT(&kernels, {0, 3}, {1, 1}, {2, 2}, {3, 0}, {4, NONE});
	ct_compared_pairs_fini(&kernels);
}

Test(comparison, several_instances_on_one_side_are_nobodys_other)
{
	struct study before = {.side = {.name = "before"}}, after = {.side = {.name = "after"}};
	struct ct_compared_pairs kernels;

	add_kernel(&before, "scan<4>(int*)", "scan<...>");
	add_kernel(&after, "scan<8>(int*)", "scan<...>");
	add_kernel(&after, "scan<16>(int*)", "scan<...>");
	cr_assert_eq(ct_compared_pairs_kernels(&kernels, &before.side, &after.side), 0);
	EXPECT(&kernels, {0, NONE}, {NONE, 0}, {NONE, 1});
	cr_expect(ct_compared_pairs_are_foreign(&kernels, &before.side, &after.side));
	/* Lines of the same source were renamed. */
	add_line(&before, 0, 10, "load a;");
	add_line(&after, 0, 20, "load b;");
	cr_expect(!ct_compared_pairs_are_foreign(&kernels, &before.side, &after.side));
	ct_compared_pairs_fini(&kernels);
}

/* Two lines went in above; one that was there is gone; a new one does what no other does. */
Test(comparison, lines_are_found_where_an_edit_has_moved_them)
{
	struct study before = {.side = {.name = "before"}}, after = {.side = {.name = "after"}};
	struct ct_compared_pairs kernels, lines;

	add_kernel(&before, "k(int*)", "k");
	add_kernel(&after, "k(int*)", "k");
	add_line(&before, 0, 10, "load a;");
	add_line(&before, 0, 11, "load b;");
	add_line(&before, 0, 12, "load a;");
	add_line(&before, 0, 14, "store c;");
	add_line(&after, 0, 12, "load a;");
	add_line(&after, 0, 14, "load a;");
	add_line(&after, 0, 15, "load d;");
	add_line(&after, 0, 16, "store c;");
	cr_assert_eq(ct_compared_pairs_kernels(&kernels, &before.side, &after.side), 0);
	cr_assert_eq(ct_compared_pairs_lines(&lines, &before.side, &after.side, &kernels), 0);
	EXPECT(&lines, {0, 0}, {1, NONE}, {2, 1}, {3, 3}, {NONE, 2});
	ct_compared_pairs_fini(&lines);
	ct_compared_pairs_fini(&kernels);
}

/* Lines that are alike and have the same number are the same. */
Test(comparison, of_lines_that_are_alike_the_number_decides)
{
	struct study before = {.side = {.name = "before"}}, after = {.side = {.name = "after"}};
	struct ct_compared_pairs kernels, lines;

	add_kernel(&before, "k(int*)", "k");
	add_kernel(&before, "other(int*)", "other");
	add_kernel(&after, "k(int*)", "k");
	add_line(&before, 0, 10, "load a;");
	add_line(&before, 0, 11, "load a;");
	add_line(&before, 0, 12, "load a;");
	add_line(&before, 1, 12, "load a;");
	add_line(&after, 0, 11, "load a;");
	cr_assert_eq(ct_compared_pairs_kernels(&kernels, &before.side, &after.side), 0);
	cr_assert_eq(ct_compared_pairs_lines(&lines, &before.side, &after.side, &kernels), 0);
	EXPECT(&lines, {0, NONE}, {1, 0}, {2, NONE}, {3, NONE});
	ct_compared_pairs_fini(&lines);
	ct_compared_pairs_fini(&kernels);
}

/* The text of lines counts more than what they do; one that does the same and says something else
 * was edited, unless another one says it. */
Test(comparison, lines_are_the_same_that_say_the_same)
{
	struct study before = {.side = {.name = "before"}}, after = {.side = {.name = "after"}};
	struct ct_compared_pairs kernels, lines;

	add_kernel(&before, "k(int*)", "k");
	add_kernel(&after, "k(int*)", "k");
	add_said(&before, 0, 10, "load p;", "x = p[i].x;");
	add_said(&before, 0, 11, "load a;", "s += a[i];");
	add_said(&before, 0, 12, "load a;", "t += a[j];");
	add_said(&before, 0, 13, "load b;", "u = b[i];");
	add_said(&after, 0, 20, "load x;", "x = p[i].x;");
	add_said(&after, 0, 21, "load a;", "t += a[j];");
	add_said(&after, 0, 22, "load b;", "u = b[i * 2];");
	add_said(&after, 0, 23, "load c;", "v = c[i];");
	cr_assert_eq(ct_compared_pairs_kernels(&kernels, &before.side, &after.side), 0);
	cr_assert_eq(ct_compared_pairs_lines(&lines, &before.side, &after.side, &kernels), 0);
	EXPECT(&lines, {0, 0}, {1, NONE}, {2, 1}, {3, 2}, {NONE, 3});
	ct_compared_pairs_fini(&lines);
	ct_compared_pairs_fini(&kernels);
}
