/* SPDX-License-Identifier: Apache-2.0 */
/* The same calls in two runs, as texts: a letter is what a call is, a bar begins another thread. */
#include "postproc/analysis/ffm/match.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4096

struct run {
	struct ct_ffm_step step[MOST];
	uint64_t what[MOST];
	struct ct_ffm_graph graph;
	struct ct_ffm_run run;
};

static struct run a, b;
static uint32_t to[MOST];
static struct ct_ffm_matched matched;

static void make(struct run *run, const char *text)
{
	uint32_t thread = 0;

	memset(run, 0, sizeof(*run));
	run->graph.step = run->step;
	for (; *text; text++) {
		if (*text == '|') {
			thread++;
			continue;
		}
		run->step[run->graph.steps].thread = thread;
		run->what[run->graph.steps++] = (uint64_t)*text;
	}
	run->run = (struct ct_ffm_run){&run->graph, run->what};
}

static void match(const char *x, const char *y)
{
	make(&a, x);
	make(&b, y);
	cr_assert_eq(ct_ffm_match(&a.run, &b.run, to, &matched), 0);
	for (size_t s = 0; s < a.graph.steps; s++) {
		cr_assert(s == 0 || to[s] == CT_FFM_NONE || to[s - 1] == CT_FFM_NONE ||
			  to[s] > to[s - 1]);
		if (to[s] != CT_FFM_NONE)
			cr_assert_eq(a.what[s], b.what[to[s]]);
	}
}

static void expect(size_t both, size_t a_alone, size_t b_alone, uint32_t step)
{
	cr_expect_eq(matched.both, both, "%zu", matched.both);
	cr_expect_eq(matched.run_alone, a_alone, "%zu", matched.run_alone);
	cr_expect_eq(matched.other_alone, b_alone, "%zu", matched.other_alone);
	cr_expect_eq(matched.step, step, "%u", matched.step);
}

Test(match, equal_runs)
{
	match("abcabc|xyz", "abcabc|xyz");
	expect(9, 0, 0, CT_FFM_NONE);
	cr_expect_eq(to[8], 8);
	match("", "");
	expect(0, 0, 0, CT_FFM_NONE);
}

Test(match, calls_of_one_run)
{
	match("abcdefgh", "abcXXdefgh");
	expect(8, 0, 2, 3);
	cr_expect_eq(to[3], 5);
	match("abcXXdefgh", "abcdefgh");
	expect(8, 2, 0, 3);
	cr_expect_eq(to[3], CT_FFM_NONE);
	cr_expect_eq(to[5], 3);
	match("abcYdefgh", "abcXXdefgh"); /* of both */
	expect(8, 1, 2, 3);
	match("abc", "abcde"); /* behind the last one */
	expect(3, 0, 2, CT_FFM_NONE);
	match("abcX", "abcY");
	expect(3, 1, 1, 3);
}

/* A single call that is the same again is no sign: they come in any order. */
Test(match, by_several_in_a_row)
{
	match("abcdefgh", "abdXcdefgh");
	expect(8, 0, 2, 2);
	cr_expect_eq(to[2], 4);
	cr_expect_eq(to[3], 5);
}

/* The calls that follow are another program: nothing is said of them. */
Test(match, as_far_as_it_goes)
{
	char x[400], y[400];

	memset(x, 'p', sizeof(x) - 1);
	memset(y, 'q', sizeof(y) - 1);
	x[399] = y[399] = 0;
	memcpy(x, "abc", 3);
	memcpy(y, "abc", 3);
	match(x, y);
	expect(3, 396, 396, 3);
	match("abcX|xyz", "abc|xyz"); /* other threads are */
	expect(6, 1, 0, CT_FFM_NONE);
	cr_expect_eq(to[4], 3);
}

/* before, a loop of so many times what is between, after */
static const char *looped(char *text, const char *before, size_t times, const char *loop,
			  const char *after)
{
	char *at = stpcpy(text, before);

	for (size_t i = 0; i < times; i++)
		at = stpcpy(at, loop);
	strcpy(at, after);
	return text;
}

/* A loop that polls asks as often as it takes, in each run. */
Test(match, loops_of_other_lengths)
{
	static char x[MOST], y[MOST];

	match(looped(x, "ab", 1000, "q", "cdef"), looped(y, "ab", 3, "q", "cdef"));
	expect(2 + 3 + 4, 997, 0, 5);
	match(looped(x, "ab", 2, "q", "cdef"), looped(y, "ab", 1500, "q", "cdef"));
	expect(2 + 2 + 4, 0, 1498, 4);
	match(looped(x, "ab", 700, "qg", "qcdef"), looped(y, "ab", 2, "qg", "qcdef"));
	expect(2 + 5 + 4, 1396, 0, 7);
	match(looped(x, "a", 900, "q", ""), looped(y, "a", 2, "q", ""));
	expect(3, 898, 0, CT_FFM_NONE);
}

/* Each iteration of the program polls, so that what follows a loop is like what follows another. */
Test(match, loops_in_a_loop)
{
	static char x[MOST], y[MOST];
	char *a_end = x, *b_end = y;
	unsigned seed = 3;
	size_t both = 0;

	for (int i = 0; i < 8; i++) {
		size_t a_times = 1 + (size_t)rand_r(&seed) % 400;
		size_t b_times = 1 + (size_t)rand_r(&seed) % 3;

		looped(a_end, "k", a_times, "q", i % 2 ? "m" : "");
		looped(b_end, "k", b_times, "q", i % 2 ? "m" : "");
		a_end += strlen(a_end);
		b_end += strlen(b_end);
		both += 1 + (a_times < b_times ? a_times : b_times) + i % 2;
	}
	match(x, y);
	cr_expect_eq(matched.both, both, "%zu of %zu", matched.both, both);
}

/* Some of the calls of a long run are left out or others put in: what is left is found. */
Test(match, random_changes)
{
	static char x[3001], y[4096];
	unsigned seed = 7;

	for (int round = 0; round < 200; round++) {
		size_t length = 0, left = 0;

		for (size_t i = 0; i < 3000; i++) {
			x[i] = (char)('a' + rand_r(&seed) % 20);
			if (rand_r(&seed) % 100 == 0 && length < 4000)
				y[length++] = (char)('A' + rand_r(&seed) % 20);
			if (rand_r(&seed) % 100 == 0)
				continue;
			y[length++] = x[i];
			left++;
		}
		x[3000] = y[length] = 0;
		match(x, y);
		/* Near changes a few may be taken for others. */
		cr_expect_geq(matched.both, left - left / 20, "round %d: %zu of %zu", round,
			      matched.both, left);
	}
}

/* The system gave the threads other ids, so that they stand in another order. */
Test(match, threads_by_their_first_calls)
{
	make(&a, "abc|xy|mn");
	make(&b, "xy|mn|abc");
	for (size_t s = 0; s < 7; s++) {
		a.step[s].begin_ns = s;
		b.step[s].begin_ns = s < 4 ? 10 + s : s - 4;
	}
	cr_assert_eq(ct_ffm_match(&a.run, &b.run, to, &matched), 0);
	expect(7, 0, 0, CT_FFM_NONE);
	cr_expect_eq(to[0], 4);
	cr_expect_eq(to[3], 0);
	/* Workers that began in another order are known by what they do first. */
	for (size_t s = 0; s < 4; s++)
		b.step[s].begin_ns = s < 2 ? 20 : 10;
	cr_assert_eq(ct_ffm_match(&a.run, &b.run, to, &matched), 0);
	expect(7, 0, 0, CT_FFM_NONE);
}
