/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the runs of a study say together (seed 000, 4.5 and 5): which calls are problems, what each
 * is worth, what to do. Times are those of the run that was disturbed least (stage 1); what later
 * stages found of a call is said of the same call there (match.h).
 *
 *	traces ── program, judge, match ──► steps with problems ── groups ──► entries ── remedies
 *
 * Processes of a program are looked at one by one and reported together: counts are sums, seconds
 * those of the process in which an entry is worth most, for the others wait for that one.
 */
#ifndef CT_POSTPROC_ANALYSIS_FFM_STUDY_H
#define CT_POSTPROC_ANALYSIS_FFM_STUDY_H

#include "base/map.h"
#include "postproc/analysis/ffm/crossings.h"
#include "postproc/analysis/ffm/groups.h"
#include "postproc/analysis/ffm/match.h"
#include "postproc/analysis/ffm/memory.h"
#include "postproc/analysis/ffm/problems.h"
#include "postproc/symbols/symbols.h"

enum ct_ffm_kind {
#define CT_FFM_KIND(ID, text) CT_FFM_##ID,
#include "postproc/analysis/ffm/kinds.def"
	CT_FFM_KINDS
};

struct ct_ffm_entry;
uint64_t ct_ffm_entry_worth(const struct ct_ffm_entry *entry); /* ct_ffm_worth */

/* Where something is done, in all of the study's traces: a node of its tree of stacks and the
 * API's name of what is called there. */
struct ct_ffm_site {
	const char *call; /* "" : it is no call, but an access */
	uint32_t stack;   /* node of ct_ffm_study.stacks; 0 not known */
	uint64_t count;   /* how often it was done for the entry */
};

/* These must be known of an entry's surroundings to fix it. */
enum ct_ffm_site_role {
	CT_FFM_ALLOCATED, /* the host memory, or the device memory that is freed */
	CT_FFM_FREED,     /* likewise */
	CT_FFM_USED,      /* the first access of what a wait protects */
	CT_FFM_PRODUCED,  /* the work that it protects was asked for */
	CT_FFM_COPIED,    /* the same bytes, before */
	CT_FFM_WRITTEN,   /* the memory that is copied from or to, by others */
	CT_FFM_CLOCKED,   /* a clock is read behind the wait */
	CT_FFM_VARIABLE,  /* the host memory is one: its name in place of a call, "" not known */
	CT_FFM_ON_STACK,  /* it is a function's own */
	CT_FFM_TAKER,     /* a wait behind a misplaced one, for the same, that goes with it */
	CT_FFM_LAUNCHED,  /* what else is launched without a wait between */
	CT_FFM_ROLES
};

struct ct_ffm_related {
	struct ct_ffm_site site;
	enum ct_ffm_site_role role;
};

/* Sums over an entry's calls, for its remedy. Bytes are those of the memory that is freed, or of
 * copies. */
struct ct_ffm_facts {
	const char *site; /* where the memory is allocated, as written: a descriptor
			     (cudatrace/host.h); NULL: not known */
	uint64_t least_bytes, most_bytes;
	uint64_t same_bytes;                /* of copies: that were at their targets */
	uint64_t pinned, managed, pageable; /* calls with such memory of the host */
	uint64_t held;    /* calls whose bytes are elsewhere, and nothing can have changed them */
	uint64_t crossed; /* waits that keep work of other streams behind what they wait for, which
			     touches the same memory */
	uint64_t perhaps; /* of which it is not known whether they do */
	uint64_t idle;    /* of the entry's calls: they did not wait */
	uint64_t needed;  /* calls from the same place, beside */
	uint64_t unknown; /* likewise */
	uint64_t timed;   /* waits behind which the thread reads a clock next */
	uint64_t again;   /* allocations that memory freed before could have served */
	uint64_t pinning_ns; /* that pinning its host memory once takes */
	uint64_t dropped_ns; /* of allocating them, which goes with the entry's calls (5.4.1) */
	uint32_t alive;      /* of these, at once at most */
	/* Before works: the device idled, and of that the thread computed; what the works took,
	 * or, of a host that keeps the device, what it did between. */
	uint64_t idle_ns, host_ns, device_ns;
};

/* Says what to do about an entry (seed 000, chapter 6). Texts are owned. */
struct ct_ffm_remedy {
	char *fix;       /* in the imperative, a sentence with the lines that it is about */
	char *condition; /* what must hold, and whether the traces show it; NULL: nothing */
	char *skeleton;  /* lines of code; NULL: the fix says it all */
};

/* Problems of one kind of one call site: the seed's single point. */
struct ct_ffm_entry {
	enum ct_ffm_kind kind;
	struct ct_ffm_site site;        /* count: of calls that are the problem */
	uint64_t occurrences;           /* of calls from there in all */
	uint64_t call_ns, wait_ns;      /* of those that are the problem: what a profile shows */
	uint8_t evidence;               /* enum ct_wait_evidence: that they wait */
	uint64_t expected_ns;           /* Figure 5.1, of all together */
	int64_t replayed_ns;            /* by replay, if is_replayed */
	bool is_replayed;               /* of large traces the largest entries alone are */
	uint64_t first_use_ns;          /* of misplaced ones: the median */
	uint64_t bytes;                 /* of copies and allocations */
	uint32_t processes;             /* that have it */
	struct ct_ffm_related *related; /* owned; the most frequent first */
	size_t relations;
	struct ct_ffm_facts facts;
	struct ct_ffm_remedy remedy;
};

/* A process in the runs: its part of each trace, and its graph by the calls of stage 1 with the
 * problems of all. */
struct ct_ffm_process {
	uint32_t calls_part, uses_part, first_uses_part; /* CT_FFM_NONE: it is not in that run */
	struct ct_ffm_program program;
	struct ct_ffm_gap *gap;             /* by step */
	struct ct_ffm_judgement *judgement; /* by step: what later runs say of it */
	uint32_t *site;                     /* by step: its number among ct_ffm_study.site */
	/* The program of stage 3, with its own times; `program`, if it is the same run; NULL:
	 * there is none. */
	const struct ct_ffm_program *uses;
	struct ct_ffm_program other_run; /* that `uses` points to, if it is another one */
	uint32_t *in_uses;               /* by step: the same in `uses`; CT_FFM_NONE; or NULL */
	struct ct_ffm_memory memory;     /* of stage 1 */
	const struct ct_ffm_memory *uses_memory;                /* of `uses`; NULL: there is none */
	struct ct_ffm_memory other_memory;                      /* likewise */
	struct ct_ffm_found *found;                             /* by copy of uses_memory */
	struct ct_ffm_matched matched_uses, matched_first_uses; /* both 0: not matched */
	struct ct_ffm_crossings crossings; /* of stage 1; its graph keeps them in order */
	struct ct_ffm_verdicts verdicts;
	uint64_t expected_ns; /* of all problems of steps together, as of an entry */
	int64_t replayed_ns;
};

/* A function of the API, as a profile of call times shows it, and what is to be had of it. */
struct ct_ffm_profiled {
	const char *call;
	uint64_t count, call_ns, wait_ns;
	uint64_t expected_ns; /* of all problems at it together; misplaced ones among them */
	int64_t replayed_ns;  /* likewise, by replay */
	bool is_replayed;
};

/* Waits of a call site of which it is not known, for this reason, whether they are needed. */
struct ct_ffm_unknown {
	struct ct_ffm_site site; /* count: of them */
	const char *reason;      /* "": none is recorded */
	uint64_t wait_ns;        /* of the process that waits longest there */
	uint64_t own_ns;         /* of the process that is looked at */
};

/* Says what to do to know it; NULL: nothing is known to help. */
const char *ct_ffm_how_to_know(const char *reason);

/* Lists end before the problems that are worth less than a part of the run in so many. */
#define CT_FFM_SMALL_PART 1000u

#define CT_FFM_FAR_NS 50000u /* about what an event and its synchronisation take */

struct ct_ffm_options {
	uint64_t far_ns; /* a first use is far if it comes no sooner */
	struct ct_symbols_options symbols;
};

/* Traces are borrowed; uses and first_uses may be the same as calls (a run with everything on), or
 * NULL. */
struct ct_ffm_study {
	struct ct_trace *calls, *uses, *first_uses;
	uint64_t far_ns;
	struct ct_stack_tree stacks; /* of all of them */
	struct ct_symbols *symbols;
	uint32_t *named; /* by node of stacks: the first one of the same functions and lines */
	struct ct_ffm_site *site; /* of all calls of stage 1; count: of all processes */
	size_t sites;
	struct ct_map site_numbers; /* text and node -> number + 1 */
	struct ct_ffm_process *process;
	size_t processes;
	uint64_t run_ns;            /* the longest of the processes */
	struct ct_ffm_entry *entry; /* the largest worth first */
	size_t entries;
	bool lists_all;                  /* lists have those that are worth next to nothing, too */
	struct ct_map entry_numbers;     /* kind, site -> number + 1 */
	struct ct_ffm_profiled *profile; /* the most time first */
	size_t profiled;
	struct ct_ffm_unknown *unknown; /* the longest waits first */
	size_t unknowns;
	uint64_t unknown_ns;             /* of all of them */
	struct ct_ffm_verdicts verdicts; /* of all processes */
	uint64_t expected_ns;            /* of all problems of steps together: entries overlap */
	int64_t replayed_ns;
};

/* How many entries come before those that are worth so little, by both methods, that a list
 * need not have them: none of those behind is worth more. */
size_t ct_ffm_study_large(const struct ct_ffm_study *study);

/* 0 or a negative error; fini is allowed in either case. Starts processes (symbols.h). */
int ct_ffm_study_init(struct ct_ffm_study *study, struct ct_trace *calls, struct ct_trace *uses,
		      struct ct_trace *first_uses, const struct ct_ffm_options *options);
void ct_ffm_study_fini(struct ct_ffm_study *study);

/* The node of a row of STACK of one of the traces, as sites have it: the first of the same
 * functions and lines. 0: not known. */
uint32_t ct_ffm_study_node(const struct ct_ffm_study *study, const struct ct_trace *trace,
			   uint32_t part, uint32_t row);

/* The frame that a call is reported at: of the code that made it. NULL: not known. */
const struct ct_code_frame *ct_ffm_study_frame(const struct ct_ffm_study *study, uint32_t stack);

/* Where in its module (ELF address) that frame's code is. 0: not known. */
uint64_t ct_ffm_study_offset(const struct ct_ffm_study *study, uint32_t stack);

/* If a call of the same function is made at the same place by way of other callers, too: the
 * innermost frame that tells the site apart from the first such. NULL: there is none. */
const struct ct_code_frame *ct_ffm_study_apart(const struct ct_ffm_study *study,
					       const struct ct_ffm_site *site);

/* Frames of a stack, innermost first, without those of the C library before `main`: as many as
 * there is room for. Returns how many there are. */
size_t ct_ffm_study_frames(const struct ct_ffm_study *study, uint32_t stack,
			   const struct ct_code_frame **frame, size_t room);

/* A run of the program, and how far it is the one that the figures are of. */
struct ct_ffm_stage {
	const char *name;
	const struct ct_trace *trace; /* NULL: missing */
	uint64_t calls;               /* of the run that the figures are of */
	uint64_t matched;             /* of these: the same in this run */
	struct ct_ffm_site differs;   /* the first that is not; call NULL: none */
};

enum { CT_FFM_STAGE_CALLS, CT_FFM_STAGE_USES, CT_FFM_STAGE_FIRST_USES, CT_FFM_STAGES };

void ct_ffm_study_stages(const struct ct_ffm_study *study,
			 struct ct_ffm_stage stage[CT_FFM_STAGES]);

/* The kind that a step of this problem (not 0) is reported as: a transfer that waits, as a
 * transfer. */
enum ct_ffm_kind ct_ffm_kind_of(uint8_t problem);

/* The entry that a step of the process belongs to; NULL: the step is no problem. */
const struct ct_ffm_entry *ct_ffm_study_entry_of(const struct ct_ffm_study *study,
						 const struct ct_ffm_process *process,
						 uint32_t step);

/* The same of a row of CALL of a part of `calls`. */
const struct ct_ffm_entry *ct_ffm_study_entry_at(const struct ct_ffm_study *study, uint32_t part,
						 const struct ct_row_call *call);

/*
 * Detectors: a file each in detect/, listed in study.c. Each adds entries of its kinds, or
 * what entries that are there are related to, process by process. 0 or a negative error.
 */
struct ct_ffm_detector {
	const char *name;
	int (*detect)(struct ct_ffm_study *study, struct ct_ffm_process *process);
};
extern const struct ct_ffm_detector ct_ffm_detect_allocations, ct_ffm_detect_compilations,
    ct_ffm_detect_copies, ct_ffm_detect_idle, ct_ffm_detect_parallel, ct_ffm_detect_pinning,
    ct_ffm_detect_related, ct_ffm_detect_unknown, ct_ffm_detect_waits;

/* The entry of this kind and site (stack: of ct_ffm_study_node), new if there is none: valid until
 * the next one is added. NULL: memory is short. */
struct ct_ffm_entry *ct_ffm_study_entry(struct ct_ffm_study *study, enum ct_ffm_kind kind,
					const char *call, uint32_t stack);
/* The same if it is there; NULL. */
struct ct_ffm_entry *ct_ffm_study_find(const struct ct_ffm_study *study, enum ct_ffm_kind kind,
				       const char *call, uint32_t stack);
/* Adds count to what an entry is related to. 0 or -ENOMEM */
int ct_ffm_entry_relate(struct ct_ffm_entry *entry, enum ct_ffm_site_role role, const char *call,
			uint32_t stack, uint64_t count);

/* remedy/: what to do about each entry, by its kind, its call and what it is related to. */
int ct_ffm_remedies(struct ct_ffm_study *study);

#endif
