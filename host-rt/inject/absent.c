/* SPDX-License-Identifier: Apache-2.0 */
/* Stands in for what a program that was not built by cuda-trace lacks: records and wrappers. */
#include "host-rt/base/quiet.h"
#include "host-rt/drain/drain.h"
#include "host-rt/drain/records.h"
#include "host-rt/events/device.h"
#include <errno.h>

_Thread_local unsigned ct_quiet_depth;

/* Nothing here sets the CUDA runtime's last error. */
void ct_quiet_begin(struct ct_quiet *quiet)
{
	ct_quiet_depth++;
	quiet->saved_errno = errno;
}

void ct_quiet_end(const struct ct_quiet *quiet)
{
	errno = quiet->saved_errno;
	ct_quiet_depth--;
}

uint64_t ct_records_first_missing(void)
{
	return UINT64_MAX;
}

uint64_t ct_drain_first_waiting(void)
{
	return UINT64_MAX;
}

bool ct_records_are_in_use(void)
{
	return false;
}

bool ct_device_is_cpu_target(void)
{
	return false;
}
