/* SPDX-License-Identifier: Apache-2.0 */
/* Open a trace on behalf of a command, and say what it lacks. */
#ifndef CT_POSTPROC_CMD_BASE_TRACE_FILE_H
#define CT_POSTPROC_CMD_BASE_TRACE_FILE_H

#include "postproc/command.h"
#include "trace/read/reader.h"

/* Opens the run of a study that holds records (study_paths.h). Objects are named by who had them
 * allocated (symbols/allocated.h). NULL after failure, with call->why set. */
struct ct_trace *ctpost_open_trace(struct ctpost_call *call, const char *path);

/* Write the trace's warnings but for the first ones. */
void ctpost_warn_from(const struct ct_trace *trace, size_t first);

/* Say on stderr what the files lack or hold damaged; and what is missing from the trace: that, what
 * was not recorded, and losses. */
void ctpost_warn_unread(const struct ct_trace *trace);
/* known: the tier (tiers.md) whose launches the caller knows what it shows of; NULL: none. */
void ctpost_warn_incomplete(const struct ct_trace *trace, const char *known);

/* Warn, for analyses of communication, of what sampling does to them. */
void ctpost_warn_unseen(const struct ct_trace *trace);

#endif
