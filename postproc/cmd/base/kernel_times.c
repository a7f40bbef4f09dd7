/* SPDX-License-Identifier: Apache-2.0 */
/* --times=RUN: how long kernels run when they are not instrumented. */
#include "postproc/cmd/base/kernel_times.h"
#include "base/error.h"
#include "postproc/cmd/base/trace_file.h"

/* Whether there are times of kernels that are not instrumented, if only of one. */
static bool has_times(const struct ct_calls *calls)
{
	for (size_t i = 0; i < calls->kernels; i++)
		if (calls->kernel[i].is_timed && !calls->kernel[i].is_traced &&
		    calls->kernel[i].times.count)
			return true;
	return false;
}

static int say_no_times(struct ctpost_call *call)
{
	return ctpost_fail(call, CTPOST_FAILED,
			   "%s: it has no times of kernels that are not traced; ctrun "
			   "--calls=only records them",
			   ctpost_value(call, "times"));
}

int ctpost_open_kernel_times(struct ctpost_call *call, struct ct_trace **from,
			     struct ct_calls *times)
{
	const char *name = ctpost_value(call, "times");
	int err, status = CTPOST_OK;

	*from = name ? ctpost_open_trace(call, name) : NULL;
	if (!*from)
		return name ? CTPOST_FAILED : CTPOST_OK;
	if (!ct_calls_are_there(*from)) {
		status = say_no_times(call);
	} else {
		err = ct_calls_init(times, *from, NULL);
		if (err < 0)
			status = ctpost_fail(call, CTPOST_FAILED, "%s: %s", name, ct_strerror(err));
		else if (!has_times(times))
			status = say_no_times(call);
		if (status != CTPOST_OK)
			ct_calls_fini(times);
	}
	if (status != CTPOST_OK) {
		ct_trace_close(*from);
		*from = NULL;
	}
	return status;
}
