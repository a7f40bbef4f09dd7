/* SPDX-License-Identifier: Apache-2.0 */
/* Summarises what a trace holds as a whole: who was traced, how much, what is missing. */
#ifndef CT_POSTPROC_FACTS_SUMMARY_H
#define CT_POSTPROC_FACTS_SUMMARY_H

#include "postproc/facts/operation.h"
#include "postproc/facts/processes.h"
#include "postproc/facts/sampling.h"
#include <jansson.h>

/* Facts that several sites, kernels or launches share. */
struct ct_reason {
	const char *text;
	uint64_t count;
	const struct ct_unit *unit; /* of the first one, for sites */
	uint32_t site;
};

struct ct_reasons {
	struct ct_reason *list;
	size_t count;
};

struct ct_summary {
	json_t *manifest;   /* of the first process; {} if missing or damaged */
	char program[256];  /* name without directories, of the first process; "" unknown */
	char command[1024]; /* command line, or "" */
	char host[128];
	char started[64];
	size_t kernels;       /* distinct kernels launched */
	size_t traced;        /* launches */
	size_t unfinished;    /* traced launches that no end was seen of */
	size_t stored;        /* traced launches that a STORED says are all there */
	uint64_t lost_chunks; /* known to be lost */
	int lost_unknown;     /* and an unknown number beside them */
	int complete;
	struct ct_processes processes;
	struct ct_sampling sampling;
	uint64_t copies, sets; /* transfers */
	uint64_t transfer_bytes;
	struct ct_reasons sites;    /* not instrumented */
	struct ct_reasons filtered; /* sites left out by an option */
	struct ct_reasons launches; /* not traced */
};

/* The trace must outlive the summary. */
int ct_summary_init(struct ct_summary *summary, const struct ct_trace *trace);
void ct_summary_fini(struct ct_summary *summary);

#endif
