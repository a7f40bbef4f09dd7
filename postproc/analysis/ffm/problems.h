/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which calls are problems (seed 000, 3.2, 3.3 and 4.3): from what a trace has of the first uses of
 * what waits protect (WAIT, USE) and of what copies move (CONTENT).
 *
 *	unnecessary	a wait after which the CPU has accessed nothing of what it protects
 *	misplaced	the first access comes long after it: of another thread's, later than it
 *takes to wake that transfer	a copy whose bytes were at its target already
 *
 * A wait that did not wait is none, nor is one of which it is not known whether it was needed.
 */
#ifndef CT_POSTPROC_ANALYSIS_FFM_PROBLEMS_H
#define CT_POSTPROC_ANALYSIS_FFM_PROBLEMS_H

#include "postproc/analysis/ffm/copies.h"

struct ct_ffm_verdicts {
	uint64_t unnecessary, misplaced, needed; /* waits */
	uint64_t unknown;                        /* of these it is not known */
	uint64_t copies, repeated;               /* that were looked at; that moved nothing new */
	bool has_uses, has_contents;             /* the trace reports them */
};

/* Whether what a wait protects is accessed. */
enum ct_ffm_need {
	CT_FFM_NOT_WATCHED, /* it is no wait, or watching was not requested */
	CT_FFM_NOT_KNOWN,
	CT_FFM_NOT_NEEDED,
	CT_FFM_NEEDED
};

/* A run says this of a call, however long it waited in that run. */
struct ct_ffm_judgement {
	uint64_t first_use_ns; /* of NEEDED: from the end of the call */
	const char *reason;    /* of NOT_KNOWN: why, the trace's; NULL: it is not said */
	uint32_t use;          /* of NEEDED: row of STACK of that run, whose code was first */
	uint8_t need;          /* enum ct_ffm_need */
	bool is_soon;     /* of NEEDED: the thread that waited was first, before its next call */
	bool is_others;   /* of NEEDED: another thread was first */
	bool is_copy;     /* that was looked at */
	bool is_repeated; /* it moved nothing new */
};

/* memory, found: of the same run; NULL: copies are not looked at. judgement: of each of the
 * program's steps, set here. verdicts: has_uses and has_contents are. 0 or a negative error. */
int ct_ffm_judge(const struct ct_ffm_program *program, const struct ct_ffm_memory *memory,
		 const struct ct_ffm_found *found, struct ct_trace *trace, uint32_t part,
		 struct ct_ffm_judgement *judgement, struct ct_ffm_verdicts *verdicts);

/* A first use by another thread is far if it comes no sooner: on a busy machine waking a thread
 * takes as long. */
#define CT_FFM_HANDOVER_NS 2000000u

/* Whether the first use of a NEEDED wait is far. */
bool ct_ffm_is_far(const struct ct_ffm_judgement *judgement, uint64_t far_ns);

/*
 * How far first uses are from their waits. Runs that watch accesses are disturbed by it, and a
 * machine that is busy is anyway; so a distance is
 *
 *	at most the time until the thread's next call in the run that the figures are of, if the
 *	thread was first and before that call;
 *	at most the lower quartile of the same wait (call site) and the same use.
 *
 * Of a wait that leaves nothing to the next one, which is needed, it is the way to what that is
 * needed for: a copy that waits by itself, then the stream's own wait, then the use.
 *
 * judgement: of each step of the program, whose times are those of the figures. Sets takers. gap:
 * of each step. 0 or -ENOMEM */
int ct_ffm_finish_distances(struct ct_ffm_program *program, const struct ct_trace *trace,
			    uint32_t part, const struct ct_ffm_gap *gap, uint64_t far_ns,
			    struct ct_ffm_judgement *judgement);

/* Whether a call cannot but wait: to be rid of the wait is to be rid of it. */
bool ct_ffm_must_go(const char *call);

/* Sets problem, latent and first_use_ns of the program's steps, and counts them; the program lasts
 * until the last first use. trace: the program's. far_ns: a first use is far if it comes no sooner.
 */
void ct_ffm_charge(struct ct_ffm_program *program, const struct ct_trace *trace, uint32_t part,
		   const struct ct_ffm_judgement *judgement, uint64_t far_ns,
		   struct ct_ffm_verdicts *verdicts);

#endif
