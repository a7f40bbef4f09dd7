/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that give out handles of kernels and functions of the driver, and attributes of kernels. */
#include "host-rt/base/quiet.h"
#include "host-rt/events/session.h"
#include "host-rt/launch/handles.h"
#include "host-rt/launch/image.h"
#include "host-rt/wrap/do.h"

CUresult ct_do_cuKernelGetFunction(struct ct_call *call, CUfunction *function, CUkernel kernel)
{
	CUresult result = ct_real_cuKernelGetFunction(call, function, kernel);

	if (result == CUDA_SUCCESS)
		ct_handles_note(*function, kernel);
	return result;
}

cudaError_t ct_do_cudaGetFuncBySymbol(struct ct_call *call, cudaFunction_t *function,
				      const void *symbol)
{
	cudaError_t error = ct_real_cudaGetFuncBySymbol(call, function, symbol);

	if (error == cudaSuccess)
		ct_handles_note(*function, symbol);
	return error;
}

cudaError_t ct_do_cudaGetKernel(struct ct_call *call, cudaKernel_t *kernel, const void *symbol)
{
	cudaError_t error = ct_real_cudaGetKernel(call, kernel, symbol);

	if (error == cudaSuccess)
		ct_handles_note(*kernel, symbol);
	return error;
}

static cudaError_t given(struct ct_call *call, cudaError_t error, const char *name, void **function,
			 unsigned long long flags)
{
	bool per_thread = flags ? flags & cudaEnablePerThreadDefaultStream : call->per_thread;

	if (error == cudaSuccess && name && function && *function)
		ct_driver_replace(name, per_thread, function);
	return error;
}

cudaError_t ct_do_cudaGetDriverEntryPoint(struct ct_call *call, const char *name, void **function,
					  unsigned long long flags,
					  enum cudaDriverEntryPointQueryResult *status)
{
	return given(call, ct_real_cudaGetDriverEntryPoint(call, name, function, flags, status),
		     name, function, flags);
}

cudaError_t ct_do_cudaGetDriverEntryPointByVersion(struct ct_call *call, const char *name,
						   void **function, unsigned version,
						   unsigned long long flags,
						   enum cudaDriverEntryPointQueryResult *status)
{
	return given(
	    call,
	    ct_real_cudaGetDriverEntryPointByVersion(call, name, function, version, flags, status),
	    name, function, flags);
}

/* Its flags are the runtime's. */
CUresult ct_do_cuGetProcAddress_v2(struct ct_call *call, const char *name, void **function,
				   int version, cuuint64_t flags,
				   CUdriverProcAddressQueryResult *status)
{
	CUresult result = ct_real_cuGetProcAddress_v2(call, name, function, version, flags, status);

	return (CUresult)given(call, (cudaError_t)result, name, function, flags);
}

static bool changes_cluster(enum cudaFuncAttribute attribute)
{
	return attribute == cudaFuncAttributeRequiredClusterWidth ||
	       attribute == cudaFuncAttributeRequiredClusterHeight ||
	       attribute == cudaFuncAttributeRequiredClusterDepth;
}

/* Attributes that the clone does not take (it has less shared memory left) are set at its launch.
 */
cudaError_t ct_do_cudaFuncSetAttribute(struct ct_call *call, const void *function,
				       enum cudaFuncAttribute attribute, int value)
{
	cudaError_t error = ct_real_cudaFuncSetAttribute(call, function, attribute, value);
	const struct ct_kernel *kernel = ct_handles_kernel(function);
	struct ct_quiet quiet;

	if (error != cudaSuccess || !kernel || !ct_image_code(kernel))
		return error;
	ct_quiet_begin(&quiet);
	ct_real_cudaFuncSetAttribute(call, ct_image_code(kernel), attribute, value);
	if (changes_cluster(attribute)) {
		ct_session_lock();
		ct_image_renew(kernel);
		ct_session_unlock();
	}
	ct_quiet_end(&quiet);
	return error;
}

cudaError_t ct_do_cudaFuncSetCacheConfig(struct ct_call *call, const void *function,
					 enum cudaFuncCache config)
{
	cudaError_t error = ct_real_cudaFuncSetCacheConfig(call, function, config);
	const struct ct_kernel *kernel = ct_handles_kernel(function);
	struct ct_quiet quiet;

	if (error != cudaSuccess || !kernel || !ct_image_code(kernel))
		return error;
	ct_quiet_begin(&quiet);
	ct_real_cudaFuncSetCacheConfig(call, ct_image_code(kernel), config);
	ct_quiet_end(&quiet);
	return error;
}
