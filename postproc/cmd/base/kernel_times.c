/* SPDX-License-Identifier: Apache-2.0 */
/* --times=RUN: how long kernels run when they are not instrumented. */
#include "postproc/cmd/base/kernel_times.h"
#include "base/error.h"
#include "postproc/cmd/base/trace_file.h"

/* Of kernels that are not instrumented, if only of one. */
static bool has_times(const struct ct_calls *calls)
{
	for (size_t i = 0; i < calls->kernels; i++)
		if (calls->kernel[i].is_timed && !calls->kernel[i].is_traced &&
		    calls->kernel[i].times.count)
			return true;
	return false;
}

int ctpost_read_kernel_times(struct ctpost_call *call, struct ct_trace *trace,
			     int (*set)(void *user, const struct ct_calls *calls), void *user)
{
	const char *name = ctpost_value(call, "times");
	struct ct_trace *from = name ? ctpost_open_trace(call, name) : trace;
	struct ct_calls calls;
	bool is_timed = false;
	int err = 0;

	if (!from)
		return CTPOST_FAILED;
	if (ct_calls_are_there(from)) {
		err = ct_calls_init(&calls, from, NULL);
		is_timed = err == 0 && has_times(&calls);
		if (err == 0)
			err = set(user, &calls);
		ct_calls_fini(&calls);
	}
	if (name)
		ct_trace_close(from);
	if (name && err == 0 && !is_timed)
		return ctpost_fail(call, CTPOST_FAILED,
				   "%s: it has no times of kernels that are not traced; ctrun "
				   "--calls=only records them",
				   name);
	return err < 0 ? ctpost_fail(call, CTPOST_FAILED, "%s: %s", name ? name : call->operand[0],
				     ct_strerror(err))
		       : CTPOST_OK;
}
