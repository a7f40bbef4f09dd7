/* SPDX-License-Identifier: Apache-2.0 */
/* Why no launch of a run was traced, and which could be. */
#ifndef CT_DRIVER_CTRUN_UNTRACED_H
#define CT_DRIVER_CTRUN_UNTRACED_H

/* Lines on standard error about the trace in directory, which has launches and none that was
 * traced: the reasons, each with how many, and the kernels. Nothing if it cannot be read. */
void ctrun_untraced_say(const char *directory);

#endif
