/* SPDX-License-Identifier: Apache-2.0 */
/* Options, ranks, trace, pass and warnings: the same for each view of a study. */
#include "postproc/cmd/view.h"
#include "postproc/cmd/base/kernel_times.h"
#include "postproc/cmd/base/trace_file.h"
#include <errno.h>
#include <stdio.h>

static int read_options(struct ctpost_call *call, struct ctpost_study *study)
{
	int status = ctpost_read_resources(call, &study->options);

	study->call = call;
	if (!study->operand)
		study->operand = call->operand[0];
	study->options.selection = &study->selection;
	return status == CTPOST_OK ? ctpost_read_selection(call, &study->selection) : status;
}

/* The pass, and what it warns of. Collective: 0 or an error with call->why set. */
static int analyse(struct ctpost_study *study, const struct ctpost_view *view, void *user)
{
	const char *const *warnings;
	size_t known;
	int err;

	if (view->begin)
		view->begin(study, user);
	if (study->ranks->rank == 0)
		ctpost_warn_incomplete(study->trace, view->tier);
	known = ct_trace_warnings(study->trace, &warnings);
	err = ctpost_study_run(study);
	if (study->ranks->rank != 0)
		return err;
	ctpost_warn_from(study->trace, known);
	if (study->inquiry.damaged_chunks)
		fprintf(stderr, "ctpost: warning: %s: %llu damaged chunks were skipped\n",
			ct_trace_directory(study->trace),
			(unsigned long long)study->inquiry.damaged_chunks);
	return err;
}

int ctpost_run_view(struct ctpost_call *call, const struct ctpost_view *view,
		    struct ctpost_study *study, void *user)
{
	int status = read_options(call, study), err, together;

	if (status == CTPOST_OK)
		status = ctpost_study_meet(study);
	if (status == CTPOST_OK) {
		err = ctpost_study_open(study);
		if (err == 0)
			err = analyse(study, view, user);
		if (err == 0 && study->ranks->rank == 0)
			status = view->show(study, user);
		/* All fail with rank 0, which knows why. */
		together = ctpost_study_end(study, status == CTPOST_OK ? err : -EIO);
		status = status == CTPOST_OK ? together : status;
	}
	return status;
}

int ctpost_view_times(struct ctpost_call *call, struct ctpost_study *study)
{
	return ctpost_open_kernel_times(call, &study->timed, &study->times);
}
