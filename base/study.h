/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The directory of a study of `ctrun ffm` or `ctrun profile`: a trace for each run of the program.
 * ctrun makes it, ctpost reads it. A trace that is there is complete: while a run lasts, and after
 * it if it failed, it has the name with CT_STUDY_PARTIAL behind it.
 */
#ifndef CT_BASE_STUDY_H
#define CT_BASE_STUDY_H

#define CT_STUDY_CALLS "calls.ctrace"           /* stages 1 and 2: --calls=only */
#define CT_STUDY_USES "uses.ctrace"             /* stage 3: --uses, --contents */
#define CT_STUDY_FIRST_USES "first-uses.ctrace" /* stage 4: --uses of the waits that are needed */
#define CT_STUDY_ACCESSES "accesses.ctrace"     /* of ctrun profile: records, within a budget */
#define CT_STUDY_SAMPLED "samples.ctrace"       /* of ctrun profile: --samples, of a GPU */
/* All of them, in the order in which they are made. */
#define CT_STUDY_TRACES                                                                            \
	CT_STUDY_CALLS, CT_STUDY_USES, CT_STUDY_FIRST_USES, CT_STUDY_SAMPLED, CT_STUDY_ACCESSES
#define CT_STUDY_SAMPLED_AT "samples.cycles"         /* its --samples */
#define CT_STUDY_USES_SITES "uses.sites"             /* --uses-of of stage 3, as stage 2 feeds it */
#define CT_STUDY_FIRST_USES_SITES "first-uses.sites" /* of stage 4, as stage 3 does */
#define CT_STUDY_PAGE "report.html"                  /* of ctrun profile */
#define CT_STUDY_BUDGET "budget" /* options of the run that records accesses, a line each */
#define CT_STUDY_COMMAND                                                                           \
	"command" /* the program and its arguments, a line each, with                              \
		     \n and \\ for line ends and backslashes in them */
#define CT_STUDY_PARTIAL ".partial"
#define CT_STUDY_DRIVER "driver.json" /* what ctrun calibrate knows of the driver */

#endif
