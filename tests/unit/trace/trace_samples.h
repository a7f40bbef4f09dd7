/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trace of sampled program counters, made by hand. Its cubin has a kernel whose load (step.cu:8)
 * is waited for by a function that is inlined at line 9 (step.cu:3); samples of two launches:
 *
 *	pc	step.cu	what		launch 1			launch 2
 *	10	8	load		selected 10
 *	20	3	multiplication	long scoreboard 60 (50), wait 5	long scoreboard 30 (20)
 *	40	3	store		short scoreboard 15 (15)
 *
 * in parentheses: while nothing was issued.
 *
 * The load reads `list` and flows into `sum`; what twice returns is read from `x`, and the call
 * makes `out` of it.
 *
 * Beside them there are 10, selected, of a function whose cubin is not in the trace. Of each look 2
 * samples are dropped.
 */
#ifndef CT_TRACE_SAMPLES_H
#define CT_TRACE_SAMPLES_H

#include <stddef.h>

/* The cubin, freed by the caller, and what is known of the places of its PTX. */
void *samples_cubin(size_t *bytes);
const void *samples_places(size_t *bytes);

/* Returns what the writer's close returned. */
int samples_make(const char *directory);

#endif
