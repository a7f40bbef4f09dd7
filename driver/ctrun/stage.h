/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stages of the feed-forward measurement model (seed 000, 4) as runs of the program, each with what
 * it records and what those before it feed it.
 */
#ifndef CT_DRIVER_CTRUN_STAGE_H
#define CT_DRIVER_CTRUN_STAGE_H

#include "driver/ctrun/study.h"

#include <stdint.h>
#include <sys/types.h>

struct ctrun_stage {
	unsigned number; /* the seed's; of the first run, which is 1 and 2, 1; 0: not one of them */
	const char *called;   /* "stages 1 and 2" */
	const char *does;     /* what it finds out */
	const char *trace;    /* of study.h */
	const char *feed;     /* argument of ctpost feed; NULL: it needs nothing of other stages */
	const char *fed;      /* the file that holds what it is fed; NULL: none */
	const char *calls;    /* --calls */
	const char *contents; /* --contents */
	bool watches;         /* --uses, of the sites that it is fed */
	bool takes_part;      /* a trace that has stopped before the end is one, too */
};

#define CTRUN_STAGES 3u
extern const struct ctrun_stage ctrun_stages[CTRUN_STAGES];
/* Samples what warps wait for; it is fed how often (ctpost feed --stage=samples). */
extern const struct ctrun_stage ctrun_stage_samples;
/* Records accesses; it is fed options of its own (ctpost feed --stage=accesses). */
extern const struct ctrun_stage ctrun_stage_accesses;

/* The runs share this. */
struct ctrun_staging {
	const struct ctrun_study *study;
	char **program;
	const char *uses; /* --uses */
	int status;       /* that the program ends with when all is well */
	bool injects;
	bool is_asked;     /* for one stage, which has to run if it has anything to look at */
	off_t input;       /* where its standard input begins; -1: it cannot be rewound */
	uint64_t first_ns; /* how long the first stage took; 0: it has not run now */
};

/* Finds out what the stage is fed, call sites that it shall watch or options, and writes it to its
 * file, a line each. Returns how many they are; negative: it could not be found out, which was
 * said. more: an argument for ctpost feed, or NULL. */
int ctrun_stage_feed(const struct ctrun_staging *staging, const struct ctrun_stage *stage,
		     const char *more);

/* Runs the program, and keeps its trace if it ended well. 0, or the exit status for ctrun, what
 * went wrong being said. */
int ctrun_stage_run(struct ctrun_staging *staging, const struct ctrun_stage *stage);

#endif
