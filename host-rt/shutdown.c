/* SPDX-License-Identifier: Apache-2.0 */
/* The end of the trace at exit; later CUDA calls of destructors pass through untouched. */
#include "shutdown.h"
#include "device.h"
#include "quiet.h"
#include "session.h"
#include "sync.h"

void ct_shutdown(void)
{
	struct ct_quiet quiet;
	int current = 0;

	if (!ct_session_is_open())
		return;
	ct_quiet_begin(&quiet);
	cudaGetDevice(&current);
	ct_session_lock();
	for (int ordinal = 0; ordinal < CT_DEVICES_MAX; ordinal++)
		ct_sync_finish(ct_device_at(ordinal), true);
	ct_session_close();
	ct_session_unlock();
	cudaSetDevice(current);
	ct_quiet_end(&quiet);
}
