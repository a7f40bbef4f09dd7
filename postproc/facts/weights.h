/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Weights by place of the source: what each instruction's place costs, in a unit that whoever
 * measured it names. The contract between what measures (samples of program counters, executed
 * instructions) and what asks who is to blame. Source: seed 003; blame.md, sections 3 and 5.
 *
 * A place is (subprogram, file, line, column) and the place of the call that it was inlined at;
 * the same chain is the same place, once in the list. It says nothing of calls that were not
 * inlined: `symbol` is the function whose code holds the instruction, `kernel` the kernel that ran.
 */
#ifndef CT_POSTPROC_FACTS_WEIGHTS_H
#define CT_POSTPROC_FACTS_WEIGHTS_H

#include <stddef.h>
#include <stdint.h>

#define CT_WEIGHT_NONE 0xffffffffu

struct ct_weight_place {
	const char *function; /* linkage name of the subprogram; "" not known */
	const char *file;     /* as the debug information has it; "" not known */
	uint32_t line;        /* 0: none */
	uint32_t column;      /* 0: none, or not known */
	uint32_t inlined_at;  /* index of the call's place; CT_WEIGHT_NONE: in `symbol` itself */
};

struct ct_weight {
	const char *kernel; /* mangled; that of `symbol` where it is not known which one ran */
	const char *symbol; /* mangled function that holds the instruction */
	uint32_t context;   /* of LAUNCH; 0 not known */
	uint32_t place;     /* index of places; CT_WEIGHT_NONE: the instruction has none */
	uint32_t reason;    /* index of reasons; CT_WEIGHT_NONE: there are no reasons */
	uint64_t weight;
	uint64_t latency; /* of samples: those in which the scheduler issued nothing */
};

/* Stalls by what makes warps wait: the weight of those of `list` whose producers are known, divided
 * evenly among the producers of each instruction that waits. */
struct ct_weight_wait {
	const char *kernel, *symbol;
	uint32_t context;
	uint32_t producer; /* index of places, of what is waited for; CT_WEIGHT_NONE: it has none */
	uint32_t place;    /* of what waits; likewise */
	uint32_t reason;
	double weight;
};

struct ct_weights {
	const char *unit; /* "samples", "instructions" */
	struct ct_weight_place *places;
	struct ct_weight *list;
	struct ct_weight_wait *waits; /* of those whose producers are known */
	const char **reasons; /* why warps waited: "long_scoreboard"; "selected": they did not */
	size_t place_count, count, wait_count, reason_count;
	uint64_t total;    /* of the list */
	uint64_t unplaced; /* of these: without a place that has a line */
	void *owner;       /* every string above lives as long as the weights */
	void (*close)(struct ct_weights *weights);
};

static inline void ct_weights_close(struct ct_weights *weights) /* NULL is allowed */
{
	if (weights && weights->close)
		weights->close(weights);
}

#endif
