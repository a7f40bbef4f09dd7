/* SPDX-License-Identifier: Apache-2.0 */
/* Wrapped calls that give out handles of kernels, and the driver's calls that launch by them. */
#include "host-rt/calls/driver.h"
#include "host-rt/base/quiet.h"
#include "host-rt/calls/real_driver.h"
#include "host-rt/launch/handles.h"
#include "host-rt/launch/launch.h"

typedef __typeof__(&cuLaunchKernel) launch_function;
typedef __typeof__(&cuLaunchKernelEx) launch_ex_function;
typedef __typeof__(&cuLaunchCooperativeKernel) launch_cooperative_function;

/* What ct_launch_call does not hold. */
struct driver_launch {
	const CUlaunchConfig *config; /* of cuLaunchKernelEx */
	void **extra;
};

/* The driver launches by its own handles: of a clone we only have the runtime's. */
static CUfunction driver_function(const struct ct_launch_call *call, const void *function)
{
	cudaFunction_t found = NULL;

	if (function == call->function)
		return (CUfunction)(uintptr_t)function;
	if (!__real_cudaGetFuncBySymbol ||
	    __real_cudaGetFuncBySymbol(&found, function) != cudaSuccess)
		return NULL;
	return (CUfunction)found;
}

/* Errors of the driver have the same numbers as the runtime's. */
static cudaError_t real_launch(const struct ct_launch_call *call, const void *function,
			       void **arguments)
{
	const struct driver_launch *launch = call->config;
	enum ct_driver_call which = launch->config      ? CT_DRIVER_LAUNCH_EX
				    : call->cooperative ? CT_DRIVER_LAUNCH_COOPERATIVE
							: CT_DRIVER_LAUNCH;
	void *real = ct_driver_real(which, call->per_thread);
	CUfunction f = driver_function(call, function);
	unsigned shared = (unsigned)call->shared_bytes;
	dim3 grid = call->grid, block = call->block;
	CUresult result;

	if (!real)
		return cudaErrorNotSupported;
	if (!f && function != call->function)
		return cudaErrorInvalidDeviceFunction;
	if (which == CT_DRIVER_LAUNCH_EX)
		result = ((launch_ex_function)real)(launch->config, f, arguments, launch->extra);
	else if (which == CT_DRIVER_LAUNCH_COOPERATIVE)
		result =
		    ((launch_cooperative_function)real)(f, grid.x, grid.y, grid.z, block.x, block.y,
							block.z, shared, call->stream, arguments);
	else
		result =
		    ((launch_function)real)(f, grid.x, grid.y, grid.z, block.x, block.y, block.z,
					    shared, call->stream, arguments, launch->extra);
	return (cudaError_t)result;
}

static CUresult launch(struct ct_launch_call *call, struct driver_launch *launch)
{
	call->real = real_launch;
	call->config = launch;
	/* We cannot know where in it the clone's parameter would have to stand. */
	if (launch->extra)
		call->refused = "its arguments are in a packed buffer";
	return (CUresult)ct_launch(call);
}

static CUresult launch_plain(CUfunction f, dim3 grid, dim3 block, unsigned shared, CUstream stream,
			     void **arguments, void **extra, bool per_thread, bool cooperative)
{
	struct driver_launch more = {NULL, extra};
	struct ct_launch_call call = {.function = f,
				      .arguments = arguments,
				      .grid = grid,
				      .block = block,
				      .cluster = {1, 1, 1},
				      .shared_bytes = shared,
				      .stream = stream,
				      .per_thread = per_thread,
				      .cooperative = cooperative};

	return launch(&call, &more);
}

CUresult __wrap_cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
			       unsigned by, unsigned bz, unsigned shared, CUstream stream,
			       void **arguments, void **extra)
{
	return launch_plain(f, (dim3){gx, gy, gz}, (dim3){bx, by, bz}, shared, stream, arguments,
			    extra, false, false);
}

CUresult __wrap_cuLaunchKernel_ptsz(CUfunction f, unsigned gx, unsigned gy, unsigned gz,
				    unsigned bx, unsigned by, unsigned bz, unsigned shared,
				    CUstream stream, void **arguments, void **extra)
{
	return launch_plain(f, (dim3){gx, gy, gz}, (dim3){bx, by, bz}, shared, stream, arguments,
			    extra, true, false);
}

CUresult __wrap_cuLaunchCooperativeKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz,
					  unsigned bx, unsigned by, unsigned bz, unsigned shared,
					  CUstream stream, void **arguments)
{
	return launch_plain(f, (dim3){gx, gy, gz}, (dim3){bx, by, bz}, shared, stream, arguments,
			    NULL, false, true);
}

CUresult __wrap_cuLaunchCooperativeKernel_ptsz(CUfunction f, unsigned gx, unsigned gy, unsigned gz,
					       unsigned bx, unsigned by, unsigned bz,
					       unsigned shared, CUstream stream, void **arguments)
{
	return launch_plain(f, (dim3){gx, gy, gz}, (dim3){bx, by, bz}, shared, stream, arguments,
			    NULL, true, true);
}

static CUresult launch_configured(const CUlaunchConfig *config, CUfunction f, void **arguments,
				  void **extra, bool per_thread)
{
	struct driver_launch more = {config, extra};
	struct ct_launch_call call = {
	    .function = f, .arguments = arguments, .cluster = {1, 1, 1}, .per_thread = per_thread};
	void *real = ct_driver_real(CT_DRIVER_LAUNCH_EX, per_thread);

	/* The driver's own answer to a missing configuration. */
	if (!config)
		return real ? ((launch_ex_function)real)(config, f, arguments, extra)
			    : CUDA_ERROR_NOT_SUPPORTED;
	call.grid = (dim3){config->gridDimX, config->gridDimY, config->gridDimZ};
	call.block = (dim3){config->blockDimX, config->blockDimY, config->blockDimZ};
	call.shared_bytes = config->sharedMemBytes;
	call.stream = config->hStream;
	for (unsigned i = 0; i < config->numAttrs; i++) {
		const CUlaunchAttribute *attribute = &config->attrs[i];

		if (attribute->id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
			call.cooperative = attribute->value.cooperative != 0;
		else if (attribute->id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
			call.cluster =
			    (dim3){attribute->value.clusterDim.x, attribute->value.clusterDim.y,
				   attribute->value.clusterDim.z};
	}
	return launch(&call, &more);
}

CUresult __wrap_cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **arguments,
				 void **extra)
{
	return launch_configured(config, f, arguments, extra, false);
}

CUresult __wrap_cuLaunchKernelEx_ptsz(const CUlaunchConfig *config, CUfunction f, void **arguments,
				      void **extra)
{
	return launch_configured(config, f, arguments, extra, true);
}

CUresult __wrap_cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
	void *real = ct_driver_real(CT_DRIVER_GET_FUNCTION, false);
	CUresult result = CUDA_ERROR_NOT_SUPPORTED;

	if (real)
		result = ((__typeof__(&cuKernelGetFunction))real)(function, kernel);
	if (result == CUDA_SUCCESS)
		ct_handles_note(*function, kernel);
	return result;
}

cudaError_t __wrap_cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol)
{
	cudaError_t error = __real_cudaGetFuncBySymbol(function, symbol);

	if (error == cudaSuccess)
		ct_handles_note(*function, symbol);
	return error;
}

cudaError_t __wrap_cudaGetKernel(cudaKernel_t *kernel, const void *symbol)
{
	cudaError_t error = __real_cudaGetKernel(kernel, symbol);

	if (error == cudaSuccess)
		ct_handles_note(*kernel, symbol);
	return error;
}

static cudaError_t given(cudaError_t error, const char *name, void **function,
			 unsigned long long flags, bool per_thread)
{
	if (flags)
		per_thread = flags & cudaEnablePerThreadDefaultStream;
	if (error == cudaSuccess && name && function && *function)
		ct_driver_replace(name, per_thread, function);
	return error;
}

cudaError_t __wrap_cudaGetDriverEntryPoint(const char *name, void **function,
					   unsigned long long flags,
					   enum cudaDriverEntryPointQueryResult *status)
{
	if (!__real_cudaGetDriverEntryPoint)
		return cudaErrorNotSupported;
	return given(__real_cudaGetDriverEntryPoint(name, function, flags, status), name, function,
		     flags, false);
}

cudaError_t __wrap_cudaGetDriverEntryPoint_ptsz(const char *name, void **function,
						unsigned long long flags,
						enum cudaDriverEntryPointQueryResult *status)
{
	if (!__real_cudaGetDriverEntryPoint_ptsz)
		return cudaErrorNotSupported;
	return given(__real_cudaGetDriverEntryPoint_ptsz(name, function, flags, status), name,
		     function, flags, true);
}

cudaError_t __wrap_cudaGetDriverEntryPointByVersion(const char *name, void **function,
						    unsigned version, unsigned long long flags,
						    enum cudaDriverEntryPointQueryResult *status)
{
	return given(
	    __real_cudaGetDriverEntryPointByVersion(name, function, version, flags, status), name,
	    function, flags, false);
}

cudaError_t
__wrap_cudaGetDriverEntryPointByVersion_ptsz(const char *name, void **function, unsigned version,
					     unsigned long long flags,
					     enum cudaDriverEntryPointQueryResult *status)
{
	if (!__real_cudaGetDriverEntryPointByVersion_ptsz)
		return cudaErrorNotSupported;
	return given(
	    __real_cudaGetDriverEntryPointByVersion_ptsz(name, function, version, flags, status),
	    name, function, flags, true);
}
