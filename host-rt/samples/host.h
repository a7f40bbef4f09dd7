/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the program's own threads spend processor time: samples by perf.h, counted by stack, until
 * the journal takes them. A thread of ours looks every 50 ms.
 */
#ifndef CT_HOST_RT_SAMPLES_HOST_H
#define CT_HOST_RT_SAMPLES_HOST_H

#include <cudatrace/format.h>
#include <stddef.h>

/* Nothing is sampled: it says why on stderr, and ct_host_samples_missing does. */
void ct_host_samples_begin(void);
/* Takes what there is, and ends. */
void ct_host_samples_end(void);
/* In the child of a fork: it does not sample. */
void ct_host_samples_forget(void);

/* Why not all is sampled; NULL: nothing is missing. Lives as long as the process. */
const char *ct_host_samples_missing(void);

/* For the journal: what has come since the last time, until the next. */
size_t ct_host_samples_take(const struct ct_row_cpu_sample **rows);

#endif
