/* SPDX-License-Identifier: Apache-2.0 */
/* The traces of a study: those that `ctrun ffm` has made, or one of a run with everything on. */
#include "postproc/cmd/base/ffm_files.h"
#include "base/study.h"
#include "postproc/analysis/calls/calls.h"
#include "postproc/cmd/base/trace_file.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* *trace is NULL if it is not there. */
static int open_stage(struct ctpost_call *call, const char *directory, const char *name,
		      struct ct_trace **trace)
{
	char *path = ctpost_study_path(directory, name);

	*trace = path ? ctpost_open_trace(call, path) : NULL;
	if (*trace)
		ctpost_warn_unread(*trace);
	free(path);
	return path && !*trace ? CTPOST_FAILED : CTPOST_OK;
}

static bool has_rows(struct ct_trace *trace, enum ct_table_number table)
{
	const struct ct_process_info *processes;
	size_t count = ct_trace_processes(trace, &processes), rows = 0;
	const void *row;

	for (size_t i = 0; i < count && !rows; i++)
		if (ct_trace_rows(trace, processes[i].part, table, &row, &rows) < 0)
			return false;
	return rows > 0;
}

static int open_study(struct ctpost_call *call, const char *path, struct ctpost_ffm_files *files)
{
	int status = open_stage(call, path, CT_STUDY_USES, &files->uses);

	if (status == CTPOST_OK)
		status = open_stage(call, path, CT_STUDY_FIRST_USES, &files->first_uses);
	if (status == CTPOST_OK && !files->uses)
		fprintf(stderr,
			"ctpost: warning: %s: the run of stage 3 (%s) is missing, so nothing is "
			"known of which waits and copies are needed; run ctrun ffm -o %s again\n",
			path, CT_STUDY_USES, path);
	return status;
}

int ctpost_open_other_runs(struct ctpost_call *call, const char *path, struct ct_trace *calls,
			   struct ctpost_ffm_files *files)
{
	*files = (struct ctpost_ffm_files){.calls = calls, .is_study = ctpost_is_study(path)};
	if (files->is_study)
		return open_study(call, path, files);
	if (has_rows(calls, CT_TABLE_WAIT) || has_rows(calls, CT_TABLE_CONTENT))
		files->uses = files->first_uses = calls;
	return CTPOST_OK;
}

void ctpost_close_other_runs(struct ctpost_ffm_files *files)
{
	if (files->first_uses != files->calls)
		ct_trace_close(files->first_uses);
	if (files->uses != files->calls)
		ct_trace_close(files->uses);
	files->uses = files->first_uses = NULL;
}

int ctpost_ffm_beside_init(struct ctpost_ffm_beside *beside, struct ctpost_call *call,
			   const char *path, struct ct_trace *calls)
{
	const struct ct_ffm_options options = {.far_ns = CT_FFM_FAR_NS};
	struct ctpost_ffm_files *files = &beside->files;
	int err;

	if (ctpost_open_other_runs(call, path, calls, files) != CTPOST_OK)
		return -EIO;
	if (!files->uses)
		return 0;
	err = ct_ffm_study_init(&beside->study, files->calls, files->uses, files->first_uses,
				&options);
	beside->is_there = err == 0;
	return err;
}

void ctpost_ffm_beside_fini(struct ctpost_ffm_beside *beside)
{
	ct_ffm_study_fini(&beside->study);
	ctpost_close_other_runs(&beside->files);
}

/* Opens the run whose times are shown; why it cannot be opened is in call->why. */
static struct ct_trace *open_calls(struct ctpost_call *call, const char *path)
{
	struct ct_trace *trace = NULL;

	if (ctpost_is_study(path) && !ctpost_study_has(path, CT_STUDY_CALLS)) {
		ctpost_fail(call, 0,
			    "%s: the run of stage 1 (%s) is missing; run ctrun ffm -o %s again",
			    path, CT_STUDY_CALLS, path);
		return NULL;
	}
	if (!ctpost_is_study(path))
		trace = ctpost_open_trace(call, path);
	else
		open_stage(call, path, CT_STUDY_CALLS, &trace);
	if (trace && !ctpost_is_study(path))
		ctpost_warn_unread(trace);
	return trace;
}

int ctpost_open_ffm(struct ctpost_call *call, const char *path, struct ctpost_ffm_files *files)
{
	struct ct_trace *calls = open_calls(call, path);

	*files = (struct ctpost_ffm_files){.calls = calls};
	if (!calls)
		return CTPOST_FAILED;
	if (!ct_calls_are_there(calls))
		return ctpost_fail(call, CTPOST_FAILED,
				   "%s: no calls are recorded; run the program by ctrun ffm", path);
	if (ctpost_open_other_runs(call, path, calls, files) != CTPOST_OK)
		return CTPOST_FAILED;
	if (!files->is_study && !files->uses)
		return ctpost_fail(call, CTPOST_FAILED,
				   "%s: neither uses nor contents are recorded; run the program by "
				   "ctrun ffm, or once by ctrun --calls=only --uses=auto "
				   "--contents=on",
				   path);
	ct_trace_have_one_reader(files->calls);
	if (files->uses)
		ct_trace_have_one_reader(files->uses);
	if (files->first_uses)
		ct_trace_have_one_reader(files->first_uses);
	return CTPOST_OK;
}

void ctpost_close_ffm(struct ctpost_ffm_files *files)
{
	ctpost_close_other_runs(files);
	ct_trace_close(files->calls);
}
