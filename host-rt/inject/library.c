/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing is watched in a program that was not built by cuda-trace: calls have their rows alone. */
#include "host-rt/activities/library.h"

void ct_library_waited(struct ct_log_call *call, const struct ct_library_wait *wait)
{
	(void)call;
	(void)wait;
}
