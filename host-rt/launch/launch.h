/* SPDX-License-Identifier: Apache-2.0 */
/* Launches of the program: traced, or as they are. */
#ifndef CT_HOST_RT_LAUNCH_LAUNCH_H
#define CT_HOST_RT_LAUNCH_LAUNCH_H

#include "host-rt/launch/call.h"

/* Launch the instrumented clone or the pristine kernel; returns what the real call did. */
cudaError_t ct_launch(const struct ct_launch_call *call);

#endif
