/* SPDX-License-Identifier: Apache-2.0 */
/* Results of API calls, and the calls that concern the whole device. */
#include "cpu-target/runtime/api/api.h"
#include "cpu-target/runtime/exec/exec.h"
#include "cpu-target/runtime/stream/stream.h"
#include <cudatrace/cpu.h>

const char ct_cpu_target = 1;

cudaError_t ct_api_result(cudaError_t error)
{
	cudaError_t sticky = ct_error_sticky();

	return ct_error_set(sticky ? sticky : error);
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

/* Memory and streams stay: the process's memory is the device's. Nothing makes
 * a failed device usable again but a new process, as with CUDA. */
cudaError_t cudaDeviceReset(void)
{
	cudaError_t error = ct_stream_wait_all();

	ct_cpu_flush_printf();
	return ct_error_set(error);
}
