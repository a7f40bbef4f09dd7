/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expected benefits. Programs are simulated, as they are and as they would be without what is
 * fixed: the replay must say the difference. What Figure 5.1 says of those that seed 000 draws is
 * worked out by hand.
 */
#include "postproc/analysis/ffm/graph.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4096
#define OPS_MOST 300u
#define STREAMS 3u

/* A thread does these one after another. */
enum kind {
	WORK,
	LAUNCH,
	WAIT,
	FOLLOW, /* the stream's next work follows the last one of stream `of`: cudaStreamWaitEvent
		 */
	MARK,   /* what a wait of that scope would wait for here … */
	AWAIT   /* … is waited for here: that of mark number `of` */
};

struct op {
	enum kind kind;
	uint64_t ns; /* of the CPU */
	/* LAUNCH; also as the last call before a wait: both are one, as cudaMemcpy. */
	uint32_t stream;
	uint64_t work_ns;
	/* WAIT */
	enum ct_ffm_scope scope;
	uint32_t of;
	uint32_t problem;
	uint64_t first_use_ns;
};

#define CPU(ns)                                                                                    \
	{                                                                                          \
		WORK, ns, 0, 0, 0, 0, 0, 0                                                         \
	}
#define KERNEL(cpu, ns)                                                                            \
	{                                                                                          \
		LAUNCH, cpu, 0, ns, 0, 0, 0, 0                                                     \
	}
#define COPY_AGAIN(cpu, ns)                                                                        \
	{                                                                                          \
		LAUNCH, cpu, 0, ns, 0, 0, CT_FFM_TRANSFER, 0                                       \
	}
#define NEEDED()                                                                                   \
	{                                                                                          \
		WAIT, 0, 0, 0, CT_FFM_DEVICE, 0, 0, 0                                              \
	}
#define NEEDLESS()                                                                                 \
	{                                                                                          \
		WAIT, 0, 0, 0, CT_FFM_DEVICE, 0, CT_FFM_UNNECESSARY, 0                             \
	}
#define EARLY(first_use)                                                                           \
	{                                                                                          \
		WAIT, 0, 0, 0, CT_FFM_DEVICE, 0, CT_FFM_MISPLACED, first_use                       \
	}

static struct ct_ffm_step step[MOST];
static struct ct_ffm_work work[MOST];
static size_t first_before[MOST + 1];
static bool is_legacy[STREAMS] = {true, true, false};
static struct ct_ffm_graph graph;
static struct ct_ffm_streams streams;
static struct ct_ffm_gap gap[MOST];
static uint32_t step_of[MOST];                /* by op */
static uint64_t begin_of[MOST], end_of[MOST]; /* by op */

static uint64_t stream_end[STREAMS];
static uint32_t stream_last[STREAMS]; /* 1 + work, as they are launched */
static uint32_t before[OPS_MOST];
static uint32_t follows[OPS_MOST]; /* by work, as they are launched: 1 + work */
static uint64_t marked[MOST];

static uint64_t wait_end(const struct op *op, uint64_t now)
{
	for (uint32_t s = 0; s < STREAMS; s++) {
		bool is_covered = op->scope == CT_FFM_DEVICE ||
				  (op->scope == CT_FFM_LEGACY && is_legacy[s]) ||
				  (op->scope == CT_FFM_STREAM && op->of == s);

		if (is_covered && stream_end[s] > now)
			now = stream_end[s];
	}
	return now;
}

/* After the work with this number + 1 in another stream; 0: after none. */
static void add_work(const struct op *op, uint64_t now, uint32_t other)
{
	uint32_t stream = op->stream;
	uint64_t begin = stream_end[stream] > now ? stream_end[stream] : now;

	if (other && work[other - 1].begin_ns + work[other - 1].duration_ns > begin)
		begin = work[other - 1].begin_ns + work[other - 1].duration_ns;
	follows[graph.works] = other;
	work[graph.works++] =
	    (struct ct_ffm_work){begin, op->work_ns, (uint32_t)graph.steps, stream};
	stream_end[stream] = begin + op->work_ns;
	stream_last[stream] = (uint32_t)graph.works;
}

static void add_step(struct ct_ffm_step *next, const struct op *op, uint64_t *now)
{
	uint64_t begin = *now;

	*now += op->ns;
	if (op->kind == WAIT) {
		*now = wait_end(op, *now);
		next->wait_ns = *now - begin;
		next->scope = (uint8_t)op->scope;
		next->of = op->of;
	} else {
		next->launch_ns = op->ns;
		add_work(op, *now, op->kind == FOLLOW ? stream_last[op->of] : 0);
	}
	next->first_use_ns = op->first_use_ns;
	next->problem = (uint8_t)op->problem;
	step[graph.steps++] = *next;
	*next = (struct ct_ffm_step){.begin_ns = *now};
}

/* Runs it, and makes its graph. When it ends. */
static uint64_t simulate(const struct op *op, size_t count)
{
	struct ct_ffm_step next = {0};
	uint64_t now = 0;

	memset(stream_end, 0, sizeof(stream_end));
	memset(stream_last, 0, sizeof(stream_last));
	graph = (struct ct_ffm_graph){.step = step,
				      .work = work,
				      .is_legacy = is_legacy,
				      .streams = STREAMS,
				      .before = before,
				      .first_before = first_before};
	for (size_t i = 0; i < count; i++) {
		step_of[i] = (uint32_t)graph.steps;
		begin_of[i] = now;
		if (op[i].kind == WORK) {
			next.work_ns += op[i].ns;
			now += op[i].ns;
		} else if (op[i].kind == MARK) {
			marked[op[i].first_use_ns] = wait_end(&op[i], 0);
		} else if (op[i].kind == AWAIT) {
			now = marked[op[i].of] > now ? marked[op[i].of] : now;
		} else {
			add_step(&next, &op[i], &now);
		}
		end_of[i] = now;
	}
	graph.end_ns = now;
	return now;
}

static int compare_works(const void *a, const void *b)
{
	const struct ct_ffm_work *x = a, *y = b;

	return x->begin_ns != y->begin_ns ? (x->begin_ns < y->begin_ns ? -1 : 1)
					  : (x->step > y->step) - (x->step < y->step);
}

/* By their begins; numbers of works change with it. */
static void sort_works(void)
{
	static struct ct_ffm_work launched[MOST];
	static uint32_t number[MOST];
	size_t edges = 0;

	memcpy(launched, work, graph.works * sizeof(*work));
	qsort(work, graph.works, sizeof(*work), compare_works);
	for (uint32_t i = 0; i < graph.works; i++)
		for (uint32_t w = 0; w < graph.works; w++)
			if (launched[i].step == work[w].step)
				number[i] = w;
	for (uint32_t w = 0; w < graph.works; w++) {
		uint32_t i = 0;

		while (number[i] != w)
			i++;
		first_before[w] = edges;
		if (follows[i])
			before[edges++] = number[follows[i] - 1];
	}
	first_before[graph.works] = edges;
}

static void make(const struct op *op, size_t count)
{
	simulate(op, count);
	sort_works();
	cr_assert_eq(ct_ffm_streams_init(&streams, &graph), 0);
	cr_assert_eq(ct_ffm_gaps(&graph, &streams, gap), 0);
}

static uint64_t expect(const uint32_t *op, size_t count)
{
	uint32_t chosen[MOST];
	uint64_t benefit;

	for (size_t i = 0; i < count; i++)
		chosen[i] = step_of[op[i]];
	cr_assert_eq(ct_ffm_expect(&graph, gap, chosen, count, &benefit), 0);
	return benefit;
}

static int64_t replay(const uint32_t *op, size_t count)
{
	uint32_t chosen[MOST];
	int64_t benefit;

	for (size_t i = 0; i < count; i++)
		chosen[i] = step_of[op[i]];
	cr_assert_eq(ct_ffm_replay(&graph, &streams, chosen, count, &benefit), 0);
	return benefit;
}

#define PROGRAM(...)                                                                               \
	const struct op program[] = {__VA_ARGS__};                                                 \
	make(program, sizeof(program) / sizeof(program[0]))
#define OPS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / 4

/* Figure 4.4, above: all of the wait is saved. */
Test(ffm, work_behind_the_wait_hides_it)
{
	PROGRAM(KERNEL(0, 100), NEEDLESS(), CPU(80), NEEDED());

	cr_expect_eq(expect(OPS(1)), 80);
	cr_expect_eq(replay(OPS(1)), 80);
	cr_expect_eq(gap[step_of[1]].idle_ns, 80);
	cr_expect_eq(gap[step_of[1]].next, step_of[3]);
	ct_ffm_streams_fini(&streams);
}

/* Figure 4.4, below: the next wait takes it over. */
Test(ffm, next_wait_takes_it_over)
{
	PROGRAM(KERNEL(0, 100), NEEDLESS(), KERNEL(5, 60), CPU(15), NEEDED());

	cr_expect_eq(step[step_of[4]].wait_ns, 45);
	cr_expect_eq(expect(OPS(1)), 20);
	cr_expect_eq(replay(OPS(1)), 5);
	ct_ffm_streams_fini(&streams);
}

/* The second saves what the first does not, if both are fixed (5.2). */
Test(ffm, sequences_carry_on)
{
	PROGRAM(KERNEL(0, 100), NEEDLESS(), KERNEL(5, 35), CPU(25), NEEDLESS(), CPU(50), NEEDED());

	cr_expect_eq(expect(OPS(1)), 30);
	cr_expect_eq(expect(OPS(4)), 10);
	cr_expect_eq(expect(OPS(1, 4)), 80);
	cr_expect_eq(replay(OPS(1)), 5);
	cr_expect_eq(replay(OPS(4)), 10);
	cr_expect_eq(replay(OPS(1, 4)), 55);
	ct_ffm_streams_fini(&streams);
}

/* Waits 2 and 10, behind them 8 and 1: what the first could have absorbed does not come to the
 * second. */
Test(ffm, nothing_is_carried_backwards)
{
	PROGRAM(KERNEL(0, 2), NEEDLESS(), CPU(7), KERNEL(1, 10), NEEDLESS(), CPU(1), NEEDED());

	cr_expect_eq(expect(OPS(1, 4)), 3);
	ct_ffm_streams_fini(&streams);
}

/* A wait that did not wait takes over what the one before it leaves, and goes with it if all are
 * fixed. */
Test(ffm, latent_waits_go_with_those_before_them)
{
	PROGRAM(KERNEL(0, 100), NEEDLESS(), CPU(10), NEEDED(), CPU(80), NEEDED());

	step[step_of[3]].latent = CT_FFM_UNNECESSARY;
	cr_expect_eq(expect(OPS(1)), 10);
	cr_expect_eq(replay(OPS(1)), 10);
	cr_expect_eq(expect(OPS(3)), 0);
	cr_expect_eq(replay(OPS(3)), 0);
	cr_expect_eq(expect(OPS(1, 3)), 90);
	cr_expect_eq(replay(OPS(1, 3)), 90);
	ct_ffm_streams_fini(&streams);
}

/* A misplaced wait saves what lies before the first use, at most what it waits. */
Test(ffm, misplaced_waits_move_to_their_first_use)
{
	{
		PROGRAM(KERNEL(0, 100), EARLY(60), CPU(200));

		cr_expect_eq(expect(OPS(1)), 60);
		cr_expect_eq(replay(OPS(1)), 60);
		ct_ffm_streams_fini(&streams);
	}
	{
		PROGRAM(KERNEL(0, 100), EARLY(150), CPU(200));

		cr_expect_eq(expect(OPS(1)), 100);
		cr_expect_eq(replay(OPS(1)), 100);
		ct_ffm_streams_fini(&streams);
	}
	{
		/* The wait that comes before the first use is as long as it leaves it. */
		PROGRAM(KERNEL(0, 100), EARLY(60), CPU(40), NEEDED(), CPU(100));

		cr_expect_eq(expect(OPS(1)), 60);
		cr_expect_eq(replay(OPS(1)), 40);
		ct_ffm_streams_fini(&streams);
	}
}

/* The first use is the last thing that is known of, or behind it. */
Test(ffm, misplaced_waits_at_the_end)
{
	PROGRAM(KERNEL(0, 100), EARLY(60));

	cr_expect_eq(replay(OPS(1)), 0);
	graph.end_ns += 60;
	cr_expect_eq(expect(OPS(1)), 60);
	cr_expect_eq(replay(OPS(1)), 60);
	ct_ffm_streams_fini(&streams);
}

/* A transfer that is left out saves its call; in a replay, where the device is waited for, its time
 * there. */
Test(ffm, transfers_go)
{
	PROGRAM(KERNEL(0, 20), COPY_AGAIN(7, 30), CPU(3), NEEDED(), CPU(1));

	cr_expect_eq(expect(OPS(1)), 7);
	cr_expect_eq(replay(OPS(1)), 30);
	ct_ffm_streams_fini(&streams);
}

/* cudaFree is gone with its wait. */
Test(ffm, calls_go_with_their_waits)
{
	PROGRAM(KERNEL(0, 100),
		{WAIT, 0, 0, 0, CT_FFM_DEVICE, 0, CT_FFM_UNNECESSARY | CT_FFM_CALL, 0}, CPU(40),
		NEEDED());
	uint32_t s = step_of[1];

	step[s].wait_ns -= 10;
	step[s].launch_ns += 10; /* of these 100 */
	cr_assert_eq(ct_ffm_gaps(&graph, &streams, gap), 0);
	cr_expect_eq(expect(OPS(1)), 50);
	cr_expect_eq(replay(OPS(1)), 40);
	ct_ffm_streams_fini(&streams);
}

/* A wait for another stream takes nothing over; the end of the program does. */
Test(ffm, next_waits_are_those_of_the_streams)
{
	PROGRAM({LAUNCH, 0, 1, 100, 0, 0, 0, 0},
		{WAIT, 0, 0, 0, CT_FFM_STREAM, 1, CT_FFM_UNNECESSARY, 0}, CPU(10),
		{WAIT, 0, 0, 0, CT_FFM_STREAM, 2, 0, 0}, CPU(20),
		{WAIT, 0, 0, 0, CT_FFM_LEGACY, 0, 0, 0}, CPU(5));

	cr_expect_eq(gap[step_of[1]].next, step_of[5]);
	cr_expect_eq(gap[step_of[1]].idle_ns, 30);
	cr_expect_eq(expect(OPS(1)), 30);
	cr_expect_eq(replay(OPS(1)), 30);
	ct_ffm_streams_fini(&streams);
	{
		PROGRAM({LAUNCH, 0, 2, 100, 0, 0, 0, 0},
			{WAIT, 0, 0, 0, CT_FFM_STREAM, 2, CT_FFM_UNNECESSARY, 0}, CPU(10),
			{WAIT, 0, 0, 0, CT_FFM_LEGACY, 0, 0, 0}, CPU(25));

		cr_expect_eq(gap[step_of[1]].next, CT_FFM_NONE);
		cr_expect_eq(gap[step_of[1]].idle_ns, 35);
		cr_expect_eq(replay(OPS(1)), 100);
		ct_ffm_streams_fini(&streams);
	}
}

static uint64_t any(unsigned *seed, uint64_t most)
{
	return (uint64_t)rand_r(seed) % (most + 1);
}

static void draw(struct op *op, size_t count, unsigned *seed)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t stream = (uint32_t)any(seed, STREAMS - 1);

		op[i] = (struct op){.kind = (enum kind)any(seed, FOLLOW), .ns = any(seed, 20)};
		if (op[i].kind == LAUNCH) {
			op[i].stream = stream;
			op[i].work_ns = any(seed, 60);
			op[i].problem = any(seed, 3) ? 0 : CT_FFM_TRANSFER;
		} else if (op[i].kind == WAIT) {
			op[i].ns = 0;
			op[i].scope = (enum ct_ffm_scope)(CT_FFM_DEVICE + any(seed, 2));
			op[i].of = stream;
			op[i].problem = any(seed, 1) ? 0 : CT_FFM_UNNECESSARY;
		} else if (op[i].kind == FOLLOW) {
			op[i].ns = 0;
			op[i].stream = stream;
			op[i].of = (uint32_t)any(seed, STREAMS - 1);
		}
	}
}

/* Some waits that are needless are needed after all, when work begins that is not their own's:
 * needed[i] is that op, 0 if there is none. */
static void misplace(struct op *op, size_t count, size_t *needed, unsigned *seed)
{
	for (size_t i = 0; i < count; i++) {
		size_t j = i + 1 + any(seed, 20);

		needed[i] = 0;
		if (op[i].kind != WAIT || !op[i].problem || any(seed, 1) || j >= count ||
		    op[j].kind != WORK || op[j].ns == 0)
			continue;
		op[i].problem = CT_FFM_MISPLACED;
		op[i].first_use_ns = begin_of[j] - end_of[i];
		needed[i] = j;
	}
}

/* The program with what is chosen fixed. Waits that are moved wait for what they waited for. */
static uint64_t end_of_fixed(const struct op *op, size_t count, const bool *is_chosen,
			     const size_t *needed)
{
	static struct op fixed[MOST];
	size_t left = 0;

	for (size_t i = 0; i < count; i++) {
		for (size_t w = 0; w < i; w++)
			if (is_chosen[w] && needed[w] == i)
				fixed[left++] = (struct op){.kind = AWAIT, .of = (uint32_t)w};
		if (!is_chosen[i]) {
			fixed[left++] = op[i];
		} else if (needed[i]) {
			fixed[left] = op[i];
			fixed[left].kind = MARK;
			fixed[left++].first_use_ns = i;
		}
	}
	return simulate(fixed, left);
}

Test(ffm, replay_says_what_would_be)
{
	static struct op op[OPS_MOST];
	static bool is_chosen[OPS_MOST];
	static size_t needed[OPS_MOST];
	uint32_t chosen[OPS_MOST];
	unsigned seed = 1;

	for (int round = 0; round < 2000; round++) {
		size_t count = 1 + any(&seed, OPS_MOST - 1), all = 0;
		int64_t said;
		uint64_t end;

		draw(op, count, &seed);
		simulate(op, count);
		misplace(op, count, needed, &seed);
		for (size_t i = 0; i < count; i++) {
			is_chosen[i] = op[i].problem && any(&seed, 1);
			if (is_chosen[i])
				chosen[all++] = (uint32_t)i;
		}
		make(op, count);
		end = graph.end_ns;
		cr_expect_eq(replay(NULL, 0), 0);
		said = replay(chosen, all);
		ct_ffm_streams_fini(&streams);
		cr_expect_eq(said, (int64_t)(end - end_of_fixed(op, count, is_chosen, needed)),
			     "round %d: %lld", round, (long long)said);
	}
}
