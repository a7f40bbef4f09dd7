/* SPDX-License-Identifier: Apache-2.0 */
/* Sorted runs in the temporary file, merged in bounded memory. */
#ifndef CT_POSTPROC_SHUFFLE_MERGE_H
#define CT_POSTPROC_SHUFFLE_MERGE_H

#include "postproc/shuffle/state.h"

struct ct_sorted_run {
	uint64_t offset, bytes;
};

/* Begins as zeros but for state. */
struct ct_runs {
	struct ct_shuffle_state *state;
	struct ct_sorted_run *run;
	size_t count, room;
	uint64_t written; /* of the last run, bytes */
};

void ct_runs_close(struct ct_runs *runs);
int ct_runs_begin(struct ct_runs *runs, uint64_t records);
/* The last run's next records. */
int ct_runs_write(struct ct_runs *runs, const void *records, size_t count);
/* Runs, merged within a share. */
struct ct_merge {
	struct ct_shuffle_state *state;
	size_t buffer_bytes;
	struct ct_merge_cursor *cursor; /* a heap; the least key first */
	size_t count;
	unsigned char *out;
};

/* As few runs as a share can merge at once; share: the reader's. */
int ct_runs_reduce(struct ct_runs *runs, unsigned char *share);
/* All of them. */
int ct_merge_begin(struct ct_merge *merge, const struct ct_runs *runs, unsigned char *share);
/* The next records in order, valid until the next call; *count 0: there are none. */
int ct_merge_next(struct ct_merge *merge, void **records, size_t *count);

#endif
