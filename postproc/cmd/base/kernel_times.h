/* SPDX-License-Identifier: Apache-2.0 */
/* --times=RUN: how long kernels run when they are not instrumented. */
#ifndef CT_POSTPROC_CMD_BASE_KERNEL_TIMES_H
#define CT_POSTPROC_CMD_BASE_KERNEL_TIMES_H

#include "postproc/analysis/calls/calls.h"
#include "postproc/command.h"

/* Opens the run that --times names: *from, which the caller closes behind *times; NULL, and no
 * times: there is no such option. Says what is wrong; CTPOST_OK or CTPOST_FAILED, with *from
 * NULL. */
int ctpost_open_kernel_times(struct ctpost_call *call, struct ct_trace **from,
			     struct ct_calls *times);

#endif
