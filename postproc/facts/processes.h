/* SPDX-License-Identifier: Apache-2.0 */
/* Sums what each process of a trace did and lost. */
#ifndef CT_POSTPROC_FACTS_PROCESSES_H
#define CT_POSTPROC_FACTS_PROCESSES_H

#include "trace/read/reader.h"
#include <stddef.h>
#include <stdint.h>

struct ct_process_totals {
	const struct ct_process_info *info;
	char host[128];     /* "" unknown */
	char program[1024]; /* command line, "" unknown */
	char error[512];    /* why tracing stopped early, "" if it did not */
	uint64_t pid;       /* 0 unknown */
	uint64_t parent;    /* pid, 0 unknown */
	uint64_t start_ns;  /* 0 unknown */
	uint64_t launches, traced;
	uint64_t unfinished; /* traced launches that no end was seen of */
	uint64_t lost_chunks;
	int lost_unknown; /* and an unknown number beside them */
	int complete;     /* it ended in order, and nothing of it was lost */
};

struct ct_processes {
	struct ct_process_totals *list; /* by part */
	size_t count;
	size_t hosts;   /* distinct ones */
	uint32_t ranks; /* of the job, 0: no launcher said */
};

/* The trace must outlive them. 0 or -ENOMEM */
int ct_processes_init(struct ct_processes *processes, const struct ct_trace *trace);
void ct_processes_fini(struct ct_processes *processes);

/* Returns the totals of that part; NULL if the trace has none. */
const struct ct_process_totals *ct_processes_of(const struct ct_processes *processes,
						uint32_t part);

#endif
