/* SPDX-License-Identifier: Apache-2.0 */
/* The traces of a study on behalf of a command. */
#ifndef CTPOST_CMD_FFM_FILES_H
#define CTPOST_CMD_FFM_FILES_H

#include "postproc/command.h"
#include "trace/read/reader.h"

/* uses and first_uses may be the same as calls, or NULL. */
struct ctpost_ffm_files {
	struct ct_trace *calls, *uses, *first_uses;
	bool is_study; /* a directory of `ctrun ffm` */
};

/* Whether path is a directory of `ctrun ffm`. */
bool ctpost_is_study(const char *path);

/* Of a directory of `ctrun ffm`, or of a trace of one run. CTPOST_OK, or CTPOST_FAILED with
 * call->why set. Says on stderr what is missing. */
int ctpost_open_ffm(struct ctpost_call *call, const char *path, struct ctpost_ffm_files *files);
void ctpost_close_ffm(struct ctpost_ffm_files *files);

#endif
