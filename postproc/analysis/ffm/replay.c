/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program once more, without what is fixed. Calls, works and ends of waits are taken in the
 * order in which they were, on which nothing depends that came later. What a thread does between
 * them takes as long as it did; where a misplaced wait is needed, it is put in.
 */
#include "base/large.h"
#include "postproc/analysis/ffm/graph.h"
#include <errno.h>
#include <stdlib.h>

struct move {
	uint64_t needed_ns; /* when it was first used */
	uint32_t step;
};

struct thread {
	size_t step, end; /* the next one, and behind the last */
	bool is_called;   /* its call is over, its wait is to come */
	uint64_t now;
	struct move *move; /* misplaced waits to come, the first one last */
	size_t moves, room;
};

struct replay {
	const struct ct_ffm_graph *graph;
	const struct ct_ffm_streams *streams;
	uint8_t *fix;       /* by step: its problems, if it is chosen */
	uint64_t *launched; /* by step: now */
	uint64_t *end;      /* by work: now */
	struct thread *thread;
	size_t threads;
	uint32_t *covered; /* by thread and stream: works that its last wait covered */
	size_t work;       /* the next one */
	int64_t late;      /* now against then, of the call that was last */
	int64_t least[2];  /* of all works: behind their launch, behind works */
};

enum behind { LAUNCH, WORKS };

static uint64_t greatest(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t add(uint64_t time, int64_t more)
{
	return more < 0 && time < -(uint64_t)more ? 0 : time + (uint64_t)more;
}

static uint64_t end_of(const struct ct_ffm_work *work)
{
	return work->begin_ns + work->duration_ns;
}

/* As ct_ffm_last_covered, of the thread's waits one after another: from where the last one was on.
 */
static uint32_t next_covered(struct replay *replay, const struct ct_ffm_step *step, uint32_t stream)
{
	const struct ct_ffm_graph *graph = replay->graph;
	const uint32_t *work = replay->streams->work + replay->streams->first[stream];
	uint32_t *covered = &replay->covered[(size_t)step->thread * graph->streams + stream];
	size_t count = replay->streams->first[stream + 1] - replay->streams->first[stream];

	if (step->scope == CT_FFM_ONE_WORK)
		return step->of;
	while (*covered < count && ct_ffm_is_launched(graph, &graph->work[work[*covered]], step))
		++*covered;
	return *covered ? work[*covered - 1] : CT_FFM_NONE;
}

/* When all was done that a wait covers: then, and now. 0: it covers nothing. */
struct done {
	uint64_t then, now;
};

/* is_moved: waits of the thread that came later were looked at. */
static struct done covered_end(struct replay *replay, const struct ct_ffm_step *step, bool is_moved)
{
	const struct ct_ffm_graph *graph = replay->graph;
	struct done done = {0, 0};

	for (uint32_t stream = 0; stream < graph->streams; stream++) {
		uint32_t last;

		if (!ct_ffm_covers(graph, step, stream))
			continue;
		last = is_moved ? ct_ffm_last_covered(graph, replay->streams, step, stream)
				: next_covered(replay, step, stream);
		if (last == CT_FFM_NONE)
			continue;
		done.then = greatest(done.then, end_of(&graph->work[last]));
		done.now = greatest(done.now, replay->end[last]);
	}
	return done;
}

/* The wait, begun now: it ends as late behind what it covers as it did. */
static uint64_t wait_for(struct replay *replay, uint32_t s, uint64_t now, bool is_moved)
{
	const struct ct_ffm_step *step = &replay->graph->step[s];
	struct done covered = covered_end(replay, step, is_moved);
	uint64_t at = ct_ffm_wait_at(step);
	int64_t rest = (int64_t)(ct_ffm_end(step) - greatest(at, covered.then));

	if (covered.now > now)
		return greatest(now, add(covered.now, rest));
	return covered.then > at ? now : add(now, rest);
}

/* Behind what is needed before it. */
static int put_move(struct thread *thread, struct move move)
{
	size_t at = thread->moves;

	if (thread->moves == thread->room) {
		size_t room = thread->room ? 2 * thread->room : 8;
		struct move *more = realloc(thread->move, room * sizeof(*more));

		if (!more)
			return -ENOMEM;
		thread->move = more;
		thread->room = room;
	}
	for (; at > 0 && thread->move[at - 1].needed_ns < move.needed_ns; at--)
		thread->move[at] = thread->move[at - 1];
	thread->move[at] = move;
	thread->moves++;
	return 0;
}

/* The thread does what it did from then on for so long. */
static void go_on(struct replay *replay, struct thread *thread, uint64_t then, uint64_t ns)
{
	uint64_t done = 0;

	while (thread->moves && thread->move[thread->moves - 1].needed_ns < then + ns) {
		struct move move = thread->move[--thread->moves];

		if (move.needed_ns > then + done) {
			thread->now += move.needed_ns - then - done;
			done = move.needed_ns - then;
		}
		thread->now = wait_for(replay, move.step, thread->now, true);
	}
	thread->now += ns - done;
}

static void make_call(struct replay *replay, struct thread *thread)
{
	const struct ct_ffm_step *step = &replay->graph->step[thread->step];
	uint8_t fix = replay->fix[thread->step];

	go_on(replay, thread, step->begin_ns, step->work_ns);
	if (!(fix & (CT_FFM_TRANSFER | CT_FFM_CALL)))
		go_on(replay, thread, ct_ffm_launch_at(step), step->launch_ns);
	replay->launched[thread->step] = thread->now;
	replay->late = (int64_t)(thread->now - ct_ffm_wait_at(step));
	thread->is_called = true;
}

static int end_step(struct replay *replay, struct thread *thread)
{
	uint32_t s = (uint32_t)thread->step++;
	const struct ct_ffm_step *step = &replay->graph->step[s];

	thread->is_called = false;
	if (step->scope == CT_FFM_NOTHING) {
		thread->now += step->wait_ns;
		return 0;
	}
	if (replay->fix[s] & CT_FFM_UNNECESSARY)
		return 0;
	if (replay->fix[s] & CT_FFM_MISPLACED)
		return put_move(thread, (struct move){ct_ffm_end(step) + step->first_use_ns, s});
	thread->now = wait_for(replay, s, thread->now, false);
	return 0;
}

/* The work before it in its stream; CT_FFM_NONE: it is the first. */
static uint32_t stream_before(const struct replay *replay, size_t w, size_t *in_stream)
{
	uint32_t stream = replay->graph->work[w].stream;
	size_t at = replay->streams->first[stream] + in_stream[stream];

	return in_stream[stream] ? replay->streams->work[at - 1] : CT_FFM_NONE;
}

/* When all is done that the work follows: then, and now. */
struct follows {
	uint64_t then, now;
};

static void follow(const struct replay *replay, uint32_t before, struct follows *follows)
{
	follows->then = greatest(follows->then, end_of(&replay->graph->work[before]));
	follows->now = greatest(follows->now, replay->end[before]);
}

static struct follows follows_of(const struct replay *replay, size_t w, size_t *in_stream)
{
	const struct ct_ffm_graph *graph = replay->graph;
	uint32_t before = stream_before(replay, w, in_stream);
	struct follows follows = {0, 0};

	if (before != CT_FFM_NONE)
		follow(replay, before, &follows);
	for (size_t i = graph->first_before[w]; i < graph->first_before[w + 1]; i++)
		follow(replay, graph->before[i], &follows);
	return follows;
}

/* How long it began behind its launch, or behind what it follows. */
static int64_t lag_of(const struct replay *replay, const struct ct_ffm_work *work,
		      const struct follows *follows, enum behind behind)
{
	if (behind == WORKS)
		return follows->then ? (int64_t)(work->begin_ns - follows->then) : INT64_MAX;
	return work->step == CT_FFM_NONE
		   ? INT64_MAX
		   : (int64_t)(work->begin_ns - ct_ffm_wait_at(&replay->graph->step[work->step]));
}

/* It began right behind the one of both that was nearer; behind the other one it could have begun
 * as soon as any work did. */
static uint64_t begin_of(const struct replay *replay, const struct ct_ffm_work *work,
			 const struct follows *follows)
{
	int64_t behind_launch = lag_of(replay, work, follows, LAUNCH);
	int64_t behind_works = lag_of(replay, work, follows, WORKS);
	uint64_t launched = work->step == CT_FFM_NONE ? 0 : replay->launched[work->step];

	if (behind_launch == INT64_MAX && behind_works == INT64_MAX)
		return add(work->begin_ns, replay->late);
	if (behind_launch <= behind_works) {
		if (behind_works > replay->least[WORKS])
			behind_works = replay->least[WORKS];
	} else if (behind_launch > replay->least[LAUNCH]) {
		behind_launch = replay->least[LAUNCH];
	}
	return greatest(work->step == CT_FFM_NONE ? 0 : add(launched, behind_launch),
			follows->then ? add(follows->now, behind_works) : 0);
}

static void do_work(struct replay *replay, size_t *in_stream)
{
	size_t w = replay->work++;
	const struct ct_ffm_work *work = &replay->graph->work[w];
	struct follows follows = follows_of(replay, w, in_stream);

	in_stream[work->stream]++;
	if (work->step != CT_FFM_NONE && replay->fix[work->step] & CT_FFM_TRANSFER)
		replay->end[w] = follows.now;
	else
		replay->end[w] = begin_of(replay, work, &follows) + work->duration_ns;
}

/* When the thread's next thing was; UINT64_MAX: there is none. */
static uint64_t next_of(const struct replay *replay, const struct thread *thread)
{
	const struct ct_ffm_step *step = &replay->graph->step[thread->step];

	if (thread->step == thread->end)
		return UINT64_MAX;
	return thread->is_called ? ct_ffm_end(step) : ct_ffm_launch_at(step);
}

/* The thread whose next thing was first, calls before ends of waits; NULL: there is none. */
static struct thread *first_thread(const struct replay *replay)
{
	uint64_t first = UINT64_MAX;
	struct thread *thread = NULL;

	for (size_t t = 0; t < replay->threads; t++) {
		struct thread *other = &replay->thread[t];
		uint64_t next = next_of(replay, other);

		if (next < first ||
		    (next == first && thread && thread->is_called && !other->is_called)) {
			first = next;
			thread = other;
		}
	}
	return thread;
}

/* The thread that has yet to launch the work: of what was at the same time. NULL: it did. */
static struct thread *launches(const struct replay *replay, const struct ct_ffm_work *work)
{
	struct thread *thread;

	if (work->step == CT_FFM_NONE)
		return NULL;
	thread = &replay->thread[replay->graph->step[work->step].thread];
	return thread->step < work->step || (thread->step == work->step && !thread->is_called)
		   ? thread
		   : NULL;
}

/* Who does something next: NULL, the next work. At the same time calls come first, then works, then
 * ends of waits. */
static struct thread *choose(const struct replay *replay)
{
	struct thread *thread = first_thread(replay);
	const struct ct_ffm_work *work = &replay->graph->work[replay->work];

	if (replay->work == replay->graph->works)
		return thread;
	if (!thread || work->begin_ns < next_of(replay, thread) ||
	    (work->begin_ns == next_of(replay, thread) && thread->is_called))
		return launches(replay, work);
	return thread;
}

static int run(struct replay *replay, size_t *in_stream)
{
	int err = 0;

	while (err == 0) {
		struct thread *thread = choose(replay);

		if (!thread && replay->work == replay->graph->works)
			return 0;
		if (!thread)
			do_work(replay, in_stream);
		else if (thread->is_called)
			err = end_step(replay, thread);
		else
			make_call(replay, thread);
	}
	return err;
}

/* Computes what follows its last call. */
static int64_t finish(struct replay *replay, struct thread *thread)
{
	const struct ct_ffm_graph *graph = replay->graph;
	uint64_t then = ct_ffm_end(&graph->step[thread->end - 1]);

	if (graph->end_ns > then)
		go_on(replay, thread, then, graph->end_ns - then);
	/* Waits that are needed behind the last thing that is known of. */
	while (thread->moves)
		thread->now =
		    wait_for(replay, thread->move[--thread->moves].step, thread->now, true);
	return (int64_t)(greatest(graph->end_ns, then) - thread->now);
}

static void close_replay(struct replay *replay)
{
	for (size_t t = 0; t < replay->threads; t++)
		free(replay->thread[t].move);
	free(replay->thread);
	ct_large_free(replay->fix);
	ct_large_free(replay->launched);
	ct_large_free(replay->end);
	free(replay->covered);
}

static int find_threads(struct replay *replay)
{
	const struct ct_ffm_graph *graph = replay->graph;
	size_t threads = 0;

	for (size_t s = 0; s < graph->steps; s++)
		threads += s == 0 || graph->step[s].thread != graph->step[s - 1].thread;
	replay->thread = calloc(threads + 1, sizeof(*replay->thread));
	if (!replay->thread)
		return -ENOMEM;
	for (size_t s = 0; s < graph->steps; s++) {
		if (s == 0 || graph->step[s].thread != graph->step[s - 1].thread)
			replay->thread[replay->threads++] =
			    (struct thread){.step = s, .now = graph->step[s].begin_ns};
		replay->thread[replay->threads - 1].end = s + 1;
	}
	return 0;
}

/* A step that is moved takes those along that would wait in its place. */
static void fix(struct replay *replay, uint32_t s)
{
	const struct ct_ffm_step *step = replay->graph->step;

	replay->fix[s] |= step[s].problem | step[s].latent;
	for (uint32_t taker = step[s].problem & CT_FFM_MISPLACED ? step[s].taker : 0; taker;
	     taker = step[taker - 1].taker)
		replay->fix[taker - 1] |= CT_FFM_UNNECESSARY;
}

static int open_replay(struct replay *replay, const uint32_t *chosen, size_t count)
{
	const struct ct_ffm_graph *graph = replay->graph;
	int err;

	replay->fix = ct_large_alloc(graph->steps + 1, sizeof(*replay->fix));
	replay->launched = ct_large_alloc(graph->steps + 1, sizeof(*replay->launched));
	replay->end = ct_large_alloc(graph->works + 1, sizeof(*replay->end));
	if (!replay->fix || !replay->launched || !replay->end)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		fix(replay, chosen[i]);
	err = find_threads(replay);
	if (err < 0)
		return err;
	replay->covered = calloc(replay->threads * graph->streams + 1, sizeof(*replay->covered));
	return replay->covered ? 0 : -ENOMEM;
}

/* Finds the least of works that began behind what they follow, and of those that began behind
 * their launch: what the others were behind says nothing of how soon they could have begun. */
static void find_least(struct replay *replay, size_t *in_stream)
{
	const struct ct_ffm_graph *graph = replay->graph;
	int64_t least[2] = {INT64_MAX, INT64_MAX};

	for (size_t w = 0; w < graph->works; w++) {
		const struct ct_ffm_work *work = &graph->work[w];
		struct follows follows = follows_of(replay, w, in_stream);
		int64_t launch = lag_of(replay, work, &follows, LAUNCH);
		int64_t works = lag_of(replay, work, &follows, WORKS);

		in_stream[work->stream]++;
		if (launch <= works && launch < least[LAUNCH])
			least[LAUNCH] = launch;
		/* Works of a graph may run beside each other in its stream; others may not. */
		if (works < launch && works >= 0 && works < least[WORKS])
			least[WORKS] = works;
	}
	for (enum behind behind = LAUNCH; behind <= WORKS; behind++)
		replay->least[behind] = least[behind] == INT64_MAX ? 0 : least[behind];
}

/* Threads may wait for each other, which is not known: what the one saves that saves most. */
static int64_t saved(struct replay *replay)
{
	int64_t most = INT64_MIN;

	for (size_t t = 0; t < replay->threads; t++) {
		int64_t here = finish(replay, &replay->thread[t]);

		if (most == INT64_MIN ||
		    (most <= 0 ? here != 0 && (most == 0 || here > most) : here > most))
			most = here;
	}
	return replay->threads ? most : 0;
}

int ct_ffm_replay(const struct ct_ffm_graph *graph, const struct ct_ffm_streams *streams,
		  const uint32_t *chosen, size_t count, int64_t *benefit_ns)
{
	struct replay replay = {.graph = graph, .streams = streams};
	size_t *in_stream = calloc((size_t)graph->streams + 1, sizeof(*in_stream));
	int err = in_stream ? open_replay(&replay, chosen, count) : -ENOMEM;

	if (err == 0) {
		find_least(&replay, in_stream);
		for (size_t s = 0; s < graph->streams; s++)
			in_stream[s] = 0;
		err = run(&replay, in_stream);
	}
	if (err == 0)
		*benefit_ns = saved(&replay);
	close_replay(&replay);
	free(in_stream);
	return err;
}
