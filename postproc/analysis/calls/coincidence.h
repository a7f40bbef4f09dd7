/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that wait though their names do not say so: of libraries, and of functions whose
 * documentation is silent. Calls of a function from one place of the program (a row of STACK) do if
 *
 *	several of them, at least CT_COINCIDENCES, were under way for long when work of the device
 *	ended that they had not asked for, and ended just then;
 *	hardly any of that kind went on for longer (they may do more than wait); and
 *	none ended while such work was under way.
 *
 * "Just then" is the delay with which nine of ten explicit waits of the part return, at least 20
 * and at most 1000 microseconds; "for long" ten times that. So a call that overlaps the end of work
 * by chance passes with a probability of a tenth, three of them of a thousandth; and one that runs
 * beside a busy device ends while work is under way.
 */
#ifndef CT_POSTPROC_ANALYSIS_CALLS_COINCIDENCE_H
#define CT_POSTPROC_ANALYSIS_CALLS_COINCIDENCE_H

#include "postproc/analysis/calls/waits.h"

#define CT_COINCIDENCES 3u

/* Fills coincident, when all else is known. 0 or -ENOMEM */
int ct_waits_coincide(struct ct_waits *waits, const struct ct_row_call *call, size_t count);

#endif
