/* SPDX-License-Identifier: Apache-2.0 */
/* Options that say where lines of sources come from that a trace has not, and which are quoted. */
#ifndef CT_POSTPROC_CMD_OPTIONS_SOURCES_H
#define CT_POSTPROC_CMD_OPTIONS_SOURCES_H

#include "postproc/command.h"
#include "postproc/sources/store.h"

/* --source-root=DIR[,DIR] and --sources=auto|off|all */
extern const struct ctpost_option ctpost_source_options[];

struct ctpost_source_choice {
	enum ct_quoting quoting;
	const char *root[2]; /* of the first and the second study; NULL: none */
	char *roots;         /* owned: where they are */
};

/* A choice of a command of `studies` studies, 1 or 2, of which one directory is for all. CTPOST_OK,
 * or another status with call->why set; fini in either case. */
int ctpost_source_choice_read(struct ctpost_source_choice *choice, struct ctpost_call *call,
			      unsigned studies);
/* On the rank that reads sources. 0, or a negative error with call->why set: no such directory. */
int ctpost_source_choice_check(const struct ctpost_source_choice *choice, struct ctpost_call *call);
void ctpost_source_choice_fini(struct ctpost_source_choice *choice);

#endif
