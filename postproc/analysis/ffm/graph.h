/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The execution graph of the feed-forward measurement model, and what fixing problems in it is
 * expected to save (seed 000, chapter 5).
 *
 *	thread	work, call, wait | work, call, wait | …		struct ct_ffm_step
 *	                │     ▲
 *	                ▼     │
 *	stream	      [ work ][ work ] …			struct ct_ffm_work
 *
 * A step has the CPU's three nodes up to the end of a call, CWork, CLaunch and CWait, each of which
 * may be 0 long; a work is GWork, and GWait is what lies between works. A transfer that waits is a
 * step with all of them. Works follow what was launched into their stream before them, and what
 * they wait for in others: an event that a stream waits for is a work, 0 long, that follows
 *another. All times are nanoseconds.
 */
#ifndef CT_POSTPROC_ANALYSIS_FFM_GRAPH_H
#define CT_POSTPROC_ANALYSIS_FFM_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CT_FFM_NONE UINT32_MAX

/* Says what is wrong with a step (seed 000, 4.5); a sum. */
enum ct_ffm_problem {
	CT_FFM_UNNECESSARY = 1, /* its wait protects nothing that the CPU accesses */
	CT_FFM_MISPLACED = 2,   /* it is needed first_use_ns after its end */
	CT_FFM_TRANSFER = 4,    /* it moves bytes to where they are */
	CT_FFM_CALL = 8,        /* with UNNECESSARY: there is no such call without a wait, it must
				   go (cudaFree) */
};

/* Works of which streams a wait covers: those launched before its call, and by it. */
enum ct_ffm_scope {
	CT_FFM_NOTHING,
	CT_FFM_DEVICE,  /* all */
	CT_FFM_LEGACY,  /* those that the legacy default stream waits for */
	CT_FFM_STREAM,  /* number `of` */
	CT_FFM_ONE_WORK /* number `of`, and what is before it in its stream */
};

struct ct_ffm_step {
	uint64_t begin_ns;     /* of its work */
	uint64_t work_ns;      /* CWork: what the thread does before the call */
	uint64_t launch_ns;    /* CLaunch: the call, but for waiting */
	uint64_t wait_ns;      /* CWait */
	uint64_t first_use_ns; /* of MISPLACED: from the end of the wait */
	uint32_t thread;       /* numbers from 0, in the order of their steps */
	uint32_t of;
	uint8_t scope;   /* enum ct_ffm_scope */
	uint8_t problem; /* enum ct_ffm_problem */
	/* A wait that did not wait, since the thread had waited before it, becomes this problem
	 * where that is fixed; a call that allocates what is freed by a call that must go: CALL.
	 * It goes with those that are fixed all together. */
	uint8_t latent;
	uint8_t evidence; /* enum ct_wait_evidence: that it waits */
	/* 1 + the step behind it that waits for the same and goes with it where it is moved: it has
	 * nothing left to wait for now; 0: none. */
	uint32_t taker;
};

struct ct_ffm_work {
	uint64_t begin_ns, duration_ns;
	uint32_t step;   /* that launched it; CT_FFM_NONE: not known */
	uint32_t stream; /* number */
};

/* Owned by who makes it. */
struct ct_ffm_graph {
	struct ct_ffm_step *step; /* each thread's side by side, in its order, without gaps */
	size_t steps;
	uint64_t end_ns;          /* of the program; threads work on until then */
	struct ct_ffm_work *work; /* by begin_ns */
	size_t works;
	bool *is_legacy; /* by stream: the legacy default stream, and those that it waits for */
	uint32_t streams;
	/* Works in other streams that work w follows: before[first_before[w]] …
	 * before[first_before[w + 1] - 1]. */
	uint32_t *before;
	size_t *first_before;
};

static inline uint64_t ct_ffm_launch_at(const struct ct_ffm_step *step)
{
	return step->begin_ns + step->work_ns;
}

static inline uint64_t ct_ffm_wait_at(const struct ct_ffm_step *step)
{
	return ct_ffm_launch_at(step) + step->launch_ns;
}

static inline uint64_t ct_ffm_end(const struct ct_ffm_step *step)
{
	return ct_ffm_wait_at(step) + step->wait_ns;
}

/* Whether works of a stream are in the scope of a step's wait. */
static inline bool ct_ffm_covers(const struct ct_ffm_graph *graph, const struct ct_ffm_step *step,
				 uint32_t stream)
{
	switch (step->scope) {
	case CT_FFM_DEVICE:
		return true;
	case CT_FFM_LEGACY:
		return graph->is_legacy[stream];
	case CT_FFM_STREAM:
		return step->of == stream;
	case CT_FFM_ONE_WORK:
		return graph->work[step->of].stream == stream;
	default:
		return false;
	}
}

/* By stream, its works in their order. */
struct ct_ffm_streams {
	size_t *first; /* stream s has work[first[s]] … work[first[s + 1] - 1] */
	uint32_t *work;
};

/* 0 or -ENOMEM */
int ct_ffm_streams_init(struct ct_ffm_streams *streams, const struct ct_ffm_graph *graph);
void ct_ffm_streams_fini(struct ct_ffm_streams *streams);

/* Whether a work was launched before the step's call, or by it. Of unknown launches those were that
 * began before its end. Those of a stream that were are its first ones. */
static inline bool ct_ffm_is_launched(const struct ct_ffm_graph *graph,
				      const struct ct_ffm_work *work,
				      const struct ct_ffm_step *step)
{
	const struct ct_ffm_step *by;

	if (work->step == CT_FFM_NONE)
		return work->begin_ns < ct_ffm_end(step);
	by = &graph->step[work->step];
	return by->thread == step->thread ? by <= step
					  : ct_ffm_launch_at(by) < ct_ffm_launch_at(step);
}

/* The last work of the stream that the step's wait covers; CT_FFM_NONE: there is none. The stream
 * is in its scope. */
uint32_t ct_ffm_last_covered(const struct ct_ffm_graph *graph, const struct ct_ffm_streams *streams,
			     const struct ct_ffm_step *step, uint32_t stream);

/* In the order in which their calls begin, those that do at once in the order of steps: as
 * ct_ffm_expect wants them. 0 or -ENOMEM */
int ct_ffm_sort_steps(const struct ct_ffm_graph *graph, uint32_t *step, size_t count);

/* Figure 5.1 looks at this behind a step's wait. */
struct ct_ffm_gap {
	uint64_t idle_ns; /* CPU time, but for waits, until the next wait: how long the device may
			     idle meanwhile */
	uint32_t next;    /* step whose wait takes over what is not waited for any more: the first
			     one later whose scope has a stream with works that were waited for;
			     CT_FFM_NONE: the end of the program does */
};

/* gap: room for all steps; those that do not wait get none. 0 or -ENOMEM */
int ct_ffm_gaps(const struct ct_ffm_graph *graph, const struct ct_ffm_streams *streams,
		struct ct_ffm_gap *gap);

/*
 * The expected benefit of Figure 5.1 for fixing the problems of these steps together: chosen is in
 * the order of their begins. What the idle time after a wait does not absorb is added to the next
 * one, if that is chosen, too (5.2, sequences), else lost. MISPLACED saves at most what it waits.
 * 0 or -ENOMEM
 */
int ct_ffm_expect(const struct ct_ffm_graph *graph, const struct ct_ffm_gap *gap,
		  const uint32_t *chosen, size_t count, uint64_t *benefit_ns);

/*
 * The same by replay: the program runs again with the device's times and the CPU's, without the
 * waits and transfers of these steps (in any order), waits that are MISPLACED at their first use.
 * Works and the CPU take as long as they took; a work begins as late behind its launch or behind
 * what it follows as it did, whichever it began behind; waits end with what they cover. Fixing
 * nothing saves nothing; what is saved may be less than nothing. 0 or -ENOMEM
 */
int ct_ffm_replay(const struct ct_ffm_graph *graph, const struct ct_ffm_streams *streams,
		  const uint32_t *chosen, size_t count, int64_t *benefit_ns);

#endif
