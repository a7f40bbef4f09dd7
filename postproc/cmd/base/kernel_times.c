/* SPDX-License-Identifier: Apache-2.0 */
/* --times=RUN: how long kernels run when they are not instrumented. */
#include "postproc/cmd/base/kernel_times.h"
#include "base/error.h"
#include "postproc/cmd/base/trace_file.h"

int ctpost_read_kernel_times(struct ctpost_call *call, struct ct_trace *trace,
			     int (*set)(void *user, const struct ct_calls *calls), void *user)
{
	const char *name = ctpost_value(call, "times");
	struct ct_trace *from = name ? ctpost_open_trace(call, name) : trace;
	struct ct_calls calls;
	int err = 0;

	if (!from)
		return CTPOST_FAILED;
	if (ct_calls_are_there(from)) {
		err = ct_calls_init(&calls, from, NULL);
		if (err == 0)
			err = set(user, &calls);
		ct_calls_fini(&calls);
	}
	if (name)
		ct_trace_close(from);
	return err < 0 ? ctpost_fail(call, CTPOST_FAILED, "%s: %s", name ? name : call->operand[0],
				     ct_strerror(err))
		       : CTPOST_OK;
}
