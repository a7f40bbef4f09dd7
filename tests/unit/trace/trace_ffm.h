/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of a study of `ctrun ffm`, made by hand. */
#ifndef CT_TRACE_FFM_H
#define CT_TRACE_FFM_H

#include <stdint.h>

enum ffm_run {
	FFM_CALLS,      /* stages 1 and 2 */
	FFM_USES,       /* stage 3: twice as slow, with a call more */
	FFM_FIRST_USES, /* stage 4: that of the misplaced wait */
	FFM_BRANCHED,   /* stage 3, in which the last iteration lacks the misplaced wait */
	FFM_ALL,        /* stage 1 with what stage 3 tells */
	FFM_LONG        /* the same of a program that then makes a call 100 ms after its begin */
};

/* The program of trace_ffm.c, of so many processes: rank r makes 3 - r iterations. Parts of
 * FFM_USES are in the other order. Returns what the writer's close returned. */
int ffm_make(const char *directory, enum ffm_run run, uint32_t processes);

#endif
