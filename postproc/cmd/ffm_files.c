/* SPDX-License-Identifier: Apache-2.0 */
/* The traces of a study: those that `ctrun ffm` has made, or one of a run with everything on. */
#include "postproc/cmd/ffm_files.h"
#include "postproc/analysis/calls/calls.h"
#include "postproc/cmd/trace_file.h"
#include <cudatrace/study.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* NULL: it is not there, or memory is short. */
static char *path_to(const char *directory, const char *name)
{
	struct stat status;
	char *path;

	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return NULL;
	if (stat(path, &status) == 0)
		return path;
	free(path);
	return NULL;
}

static bool has(const char *directory, const char *name)
{
	char *path = path_to(directory, name);

	free(path);
	return path != NULL;
}

bool ctpost_is_study(const char *path)
{
	return has(path, CT_STUDY_CALLS) || has(path, CT_STUDY_USES) || has(path, CT_STUDY_COMMAND);
}

/* *trace is NULL if it is not there. */
static int open_stage(struct ctpost_call *call, const char *directory, const char *name,
		      struct ct_trace **trace)
{
	char *path = path_to(directory, name);

	*trace = path ? ctpost_open_trace(call, path) : NULL;
	if (*trace)
		ctpost_warn_unread(*trace);
	free(path);
	return path && !*trace ? CTPOST_FAILED : CTPOST_OK;
}

static int open_study(struct ctpost_call *call, const char *path, struct ctpost_ffm_files *files)
{
	int status = open_stage(call, path, CT_STUDY_CALLS, &files->calls);

	files->is_study = true;
	if (status == CTPOST_OK && !files->calls)
		return ctpost_fail(
		    call, CTPOST_FAILED,
		    "%s: the run of stage 1 (%s) is missing; run ctrun ffm -o %s again", path,
		    CT_STUDY_CALLS, path);
	if (status == CTPOST_OK)
		status = open_stage(call, path, CT_STUDY_USES, &files->uses);
	if (status == CTPOST_OK)
		status = open_stage(call, path, CT_STUDY_FIRST_USES, &files->first_uses);
	if (status == CTPOST_OK && !files->uses)
		fprintf(stderr,
			"ctpost: warning: %s: the run of stage 3 (%s) is missing, so nothing is "
			"known of which waits and copies are needed; run ctrun ffm -o %s again\n",
			path, CT_STUDY_USES, path);
	return status;
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

static int open_run(struct ctpost_call *call, const char *path, struct ctpost_ffm_files *files)
{
	files->calls = files->uses = files->first_uses = ctpost_open_trace(call, path);
	if (!files->calls)
		return CTPOST_FAILED;
	ctpost_warn_unread(files->calls);
	if (!ct_calls_are_there(files->calls))
		return ctpost_fail(call, CTPOST_FAILED,
				   "%s: no calls are recorded; run the program by ctrun ffm", path);
	if (!has_rows(files->calls, CT_TABLE_WAIT) && !has_rows(files->calls, CT_TABLE_CONTENT))
		return ctpost_fail(call, CTPOST_FAILED,
				   "%s: neither uses nor contents are recorded; run the program by "
				   "ctrun ffm, or once by ctrun --calls=only --uses=auto "
				   "--contents=on",
				   path);
	return CTPOST_OK;
}

int ctpost_open_ffm(struct ctpost_call *call, const char *path, struct ctpost_ffm_files *files)
{
	*files = (struct ctpost_ffm_files){.calls = NULL};
	return ctpost_is_study(path) ? open_study(call, path, files) : open_run(call, path, files);
}

void ctpost_close_ffm(struct ctpost_ffm_files *files)
{
	if (files->first_uses != files->calls)
		ct_trace_close(files->first_uses);
	if (files->uses != files->calls)
		ct_trace_close(files->uses);
	ct_trace_close(files->calls);
}
