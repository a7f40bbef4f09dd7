/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One pass over a trace for any number of analyses (analysis.h), on all threads and ranks.
 *
 * How records are divided among workers goes by what the analyses want together:
 *
 *   any order    chunk by chunk, to whoever is free; where there are few, as `warps`
 *   warps        a chunk is read and decompressed by whoever is free, who also notes which of its
 *                segments are whose; each worker then decodes those of its own warps, chunk after
 *                chunk. What is known of a warp (its values that are to come, its calls) stays
 *                with its worker
 *   the trace's  one worker decodes; the others read and decompress ahead of it
 *
 * Nothing is serial but the look at chunk headers when the trace is opened and, between workers
 * that hold different records of one warp, that warp.
 */
#ifndef CT_POSTPROC_SCAN_PASS_H
#define CT_POSTPROC_SCAN_PASS_H

#include "postproc/scan/analysis.h"

#define CT_PASS_THREADS_MAX 256u

struct ct_pass_options {
	uint32_t threads;       /* 0: as many as the process may use */
	uint64_t memory_bytes;  /* of all jobs and the pass; 0: a quarter of what is free, or of the
				 * addresses that RLIMIT_AS leaves */
	const char *directory;  /* for what does not fit; NULL: TMPDIR or /tmp */
	struct ct_ranks *ranks; /* NULL: this process alone */
	/* From the calling thread, now and then; nonzero stops with that value. May be NULL. */
	int (*progress)(void *user, uint64_t done, uint64_t total);
	void *user;
};

struct ct_task {
	const struct ct_analysis *analysis;
	void *job;
};

/*
 * Run all tasks. Collective if there are ranks; an error of one is the error of all. Warnings
 * about records are added to the trace's, in the order of the trace; rank 0 has those of all.
 *
 * Returns 0, the nonzero value of a callback or of progress, or a negative error. why
 * (CT_WHY_BYTES, may be NULL): a sentence, or empty if the error says it all.
 */
int ct_pass_run(struct ct_trace *trace, const struct ct_task *tasks, size_t count,
		const struct ct_pass_options *options, struct ct_scanned *scanned, char *why);

/* Resolves options: 0 and NULL. */
uint32_t ct_pass_threads(uint32_t threads);
uint64_t ct_pass_memory(uint64_t memory_bytes);
const char *ct_pass_directory(const char *directory);

#endif
