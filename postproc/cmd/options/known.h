/* SPDX-License-Identifier: Apache-2.0 */
/* Holds what people know of a study's problems: suppressions of the source and of a file, a
 * baseline. */
#ifndef CT_POSTPROC_CMD_OPTIONS_KNOWN_H
#define CT_POSTPROC_CMD_OPTIONS_KNOWN_H

#include "postproc/command.h"
#include "postproc/problems/verdict.h"
#include "postproc/sources/store.h"

/* The group of commands that number problems: they leave out the same ones. */
extern const struct ctpost_option ctpost_known_options[];

/* Zero-initialise. */
struct ctpost_known {
	struct ct_suppressions suppressions;
	bool has_baseline;
	struct ct_identities baseline;
	struct ct_verdict verdict; /* after judge */
};

/* The group's values. CTPOST_OK, or another status with call->why set; to be closed in any case. */
int ctpost_known_read(struct ctpost_known *known, struct ctpost_call *call);
void ctpost_known_close(struct ctpost_known *known);

/* A baseline from a file, or the problems of a study. 0 or a negative error, with call->why set. */
int ctpost_known_read_baseline(struct ctpost_known *known, struct ctpost_call *call,
			       const char *path);
int ctpost_known_take_baseline(struct ctpost_known *known, const struct ct_problems *problems,
			       struct ct_source_store *sources);

/* Judges a study's findings, its problems and its inquiry, by lines of its sources; findings that
 * are suppressed are marked. 0 or a negative error. Remarks and suppressions of the file that
 * suppress nothing are reported on standard error. */
int ctpost_known_judge(struct ctpost_known *known, const struct ctpost_call *call,
		       const struct ct_verdict_from *of, struct ct_source_store *sources);

#endif
