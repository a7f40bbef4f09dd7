/* SPDX-License-Identifier: Apache-2.0 */
/* The traces of a study on behalf of a command. */
#ifndef CT_POSTPROC_CMD_BASE_FFM_FILES_H
#define CT_POSTPROC_CMD_BASE_FFM_FILES_H

#include "postproc/analysis/ffm/study.h"
#include "postproc/cmd/base/study_paths.h"
#include "postproc/command.h"
#include "trace/read/reader.h"

/* uses and first_uses may be the same as calls, or NULL. */
struct ctpost_ffm_files {
	struct ct_trace *calls, *uses, *first_uses;
	bool is_study; /* a directory of `ctrun ffm` */
};

/* The other runs of the one whose times are shown: calls, which stays the caller's. uses NULL:
 * neither uses nor contents are recorded. Returns as ctpost_open_ffm. */
int ctpost_open_other_runs(struct ctpost_call *call, const char *path, struct ct_trace *calls,
			   struct ctpost_ffm_files *files);
void ctpost_close_other_runs(struct ctpost_ffm_files *files);

/* Holds what those runs say, for commands that show it beside other things. Zero-initialise. */
struct ctpost_ffm_beside {
	struct ctpost_ffm_files files;
	struct ct_ffm_study study;
	bool is_there; /* something is recorded */
};

/* calls: as of ctpost_open_other_runs, with calls. 0 or a negative error, maybe with call->why set;
 * fini is allowed in either case, before calls is closed. Starts processes (symbols.h). */
int ctpost_ffm_beside_init(struct ctpost_ffm_beside *beside, struct ctpost_call *call,
			   const char *path, struct ct_trace *calls);
void ctpost_ffm_beside_fini(struct ctpost_ffm_beside *beside);

/* Opens a directory of `ctrun ffm`, or a trace of one run. CTPOST_OK, or CTPOST_FAILED with
 * call->why set. Says on stderr what is missing. */
int ctpost_open_ffm(struct ctpost_call *call, const char *path, struct ctpost_ffm_files *files);
void ctpost_close_ffm(struct ctpost_ffm_files *files);

#endif
