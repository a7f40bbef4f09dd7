/* SPDX-License-Identifier: Apache-2.0 */
/* Keep errno, the CUDA last error and the capture mode of the calling thread. */
#include "host-rt/base/quiet.h"
#include <cuda_runtime_api.h>
#include <errno.h>

_Thread_local unsigned ct_quiet_depth;

void ct_quiet_begin_light(struct ct_quiet *quiet)
{
	ct_quiet_depth++;
	*quiet = (struct ct_quiet){.is_light = true, .saved_errno = errno};
}

void ct_quiet_begin(struct ct_quiet *quiet)
{
	enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;

	ct_quiet_begin_light(quiet);
	quiet->is_light = false;
	quiet->pending = (int)cudaPeekAtLastError();
	if (cudaThreadExchangeStreamCaptureMode(&mode) != cudaSuccess)
		mode = cudaStreamCaptureModeGlobal;
	quiet->capture_mode = (int)mode;
}

static void end_heavy(const struct ct_quiet *quiet)
{
	enum cudaStreamCaptureMode mode = (enum cudaStreamCaptureMode)quiet->capture_mode;

	cudaThreadExchangeStreamCaptureMode(&mode);
	if (quiet->pending == (int)cudaSuccess && cudaPeekAtLastError() != cudaSuccess)
		(void)cudaGetLastError();
}

void ct_quiet_end(const struct ct_quiet *quiet)
{
	if (!quiet->is_light)
		end_heavy(quiet);
	errno = quiet->saved_errno;
	ct_quiet_depth--;
}
