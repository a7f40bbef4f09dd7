/* SPDX-License-Identifier: Apache-2.0 */
/* Sorted runs in the temporary file, merged in bounded memory. */
#ifndef CT_COMM_SHUFFLE_MERGE_H
#define CT_COMM_SHUFFLE_MERGE_H

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
/* runs as user: the last run's next records. */
int ct_runs_write(void *runs, void *records, size_t count);
/* All records in order, as ct_shuffle_each; share: the reader's. The runs are used up. */
int ct_runs_merge(struct ct_runs *runs, unsigned char *share,
		  int (*take)(void *user, void *records, size_t count), void *user);

#endif
