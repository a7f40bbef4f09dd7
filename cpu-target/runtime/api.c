/* SPDX-License-Identifier: Apache-2.0 */
/* Results of API calls, and the calls that concern the whole device. */
#include "api.h"
#include "exec.h"
#include "stream.h"
#include <cudatrace/cpu.h>

const char ct_cpu_target = 1;

cudaError_t ct_api_result(cudaError_t error)
{
	return ct_error_set(error ? error : ct_error_sticky());
}

cudaError_t ct_api_synchronised(cudaError_t error)
{
	ct_cpu_flush_printf();
	return ct_api_result(error);
}

cudaError_t cudaDeviceSynchronize(void)
{
	return ct_api_synchronised(ct_stream_wait_all());
}

/* Memory and streams stay: the process's memory is the device's. */
cudaError_t cudaDeviceReset(void)
{
	return cudaDeviceSynchronize();
}
