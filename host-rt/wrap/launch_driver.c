/* SPDX-License-Identifier: Apache-2.0 */
/* The driver's calls that launch. */
#include "host-rt/calls/driver.h"
#include "host-rt/launch/launch.h"
#include "host-rt/wrap/do.h"

#define NO_CLUSTER                                                                                 \
	{                                                                                          \
		1, 1, 1                                                                            \
	}

/* Holds what ct_launch_call does not. */
struct driver_launch {
	const CUlaunchConfig *config; /* of cuLaunchKernelEx */
	void **extra;
};

/* The driver launches by its own handles: of a clone we only have the runtime's. */
static CUfunction driver_function(const struct ct_launch_call *launch, const void *function)
{
	cudaFunction_t found = NULL;

	if (function == launch->function)
		return (CUfunction)(uintptr_t)function;
	if (!__real_cudaGetFuncBySymbol ||
	    __real_cudaGetFuncBySymbol(&found, function) != cudaSuccess)
		return NULL;
	return (CUfunction)found;
}

/* Errors of the driver have the same numbers as the runtime's. */
static cudaError_t real_launch(const struct ct_launch_call *launch, const void *function,
			       void **arguments)
{
	const struct driver_launch *more = launch->config;
	CUfunction f = driver_function(launch, function);
	unsigned shared = (unsigned)launch->shared_bytes;
	dim3 grid = launch->grid, block = launch->block;

	if (!f && function != launch->function)
		return cudaErrorInvalidDeviceFunction;
	if (more->config)
		return (cudaError_t)ct_real_cuLaunchKernelEx(launch->from, more->config, f,
							     arguments, more->extra);
	if (launch->cooperative)
		return (cudaError_t)ct_real_cuLaunchCooperativeKernel(
		    launch->from, f, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared,
		    launch->stream, arguments);
	return (cudaError_t)ct_real_cuLaunchKernel(launch->from, f, grid.x, grid.y, grid.z, block.x,
						   block.y, block.z, shared, launch->stream,
						   arguments, more->extra);
}

#define ARGUMENTS_MAX 1024u /* of more, the buffer stays as it is */

/* Where the CPU target has it. */
extern CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *bytes)
    __attribute__((weak));

/* NULL: the driver is older than CUDA 12.4. */
static __typeof__(&cuFuncGetParamInfo) param_info(void)
{
	static __typeof__(&cuFuncGetParamInfo) asked; /* atomic */
	__typeof__(&cuFuncGetParamInfo) info = __atomic_load_n(&asked, __ATOMIC_RELAXED);

	if (info || cuFuncGetParamInfo)
		return info ? info : cuFuncGetParamInfo;
	*(void **)&info = ct_driver_ask_since("cuFuncGetParamInfo", 12040);
	__atomic_store_n(&asked, info, __ATOMIC_RELAXED);
	return info;
}

/* The program's arguments in one buffer, one by one. False: they are not known, or the driver will
 * say what is wrong with them. */
static bool unpack(CUfunction function, void **extra, void *arguments[ARGUMENTS_MAX])
{
	__typeof__(&cuFuncGetParamInfo) info = param_info();
	size_t offset, bytes, given = 0, count = 0;
	char *buffer = NULL;

	for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
		if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
			buffer = extra[1];
		else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[1])
			given = *(const size_t *)extra[1];
		else
			return false;
	}
	while (info && info(function, count, &offset, &bytes) == CUDA_SUCCESS) {
		if (!buffer || count == ARGUMENTS_MAX || offset + bytes > given)
			return false;
		arguments[count++] = buffer + offset;
	}
	return count > 0;
}

static CUresult make(struct ct_launch_call *launch, struct ct_call *call,
		     struct driver_launch *more)
{
	void *arguments[ARGUMENTS_MAX];

	launch->from = call;
	launch->per_thread = call->per_thread;
	launch->real = real_launch;
	launch->config = more;
	if (more->extra && !launch->arguments &&
	    unpack((CUfunction)(uintptr_t)launch->function, more->extra, arguments)) {
		launch->arguments = arguments;
		more->extra = NULL;
	}
	if (more->extra)
		launch->refused = "its arguments are in a packed buffer";
	return (CUresult)ct_launch(launch);
}

CUresult ct_do_cuLaunchKernel(struct ct_call *call, CUfunction function, unsigned grid_x,
			      unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
			      unsigned block_z, unsigned shared_bytes, CUstream stream,
			      void **arguments, void **extra)
{
	struct driver_launch more = {NULL, extra};
	struct ct_launch_call launch = {.function = function,
					.arguments = arguments,
					.grid = {grid_x, grid_y, grid_z},
					.block = {block_x, block_y, block_z},
					.cluster = NO_CLUSTER,
					.shared_bytes = shared_bytes,
					.stream = stream};

	return make(&launch, call, &more);
}

CUresult ct_do_cuLaunchCooperativeKernel(struct ct_call *call, CUfunction function, unsigned grid_x,
					 unsigned grid_y, unsigned grid_z, unsigned block_x,
					 unsigned block_y, unsigned block_z, unsigned shared_bytes,
					 CUstream stream, void **arguments)
{
	struct driver_launch more = {NULL, NULL};
	struct ct_launch_call launch = {.function = function,
					.arguments = arguments,
					.grid = {grid_x, grid_y, grid_z},
					.block = {block_x, block_y, block_z},
					.cluster = NO_CLUSTER,
					.shared_bytes = shared_bytes,
					.stream = stream,
					.cooperative = true};

	return make(&launch, call, &more);
}

static void read_attributes(struct ct_launch_call *launch, const CUlaunchConfig *config)
{
	for (unsigned i = 0; i < config->numAttrs; i++) {
		const CUlaunchAttribute *attribute = &config->attrs[i];

		if (attribute->id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
			launch->cooperative = attribute->value.cooperative != 0;
		else if (attribute->id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
			launch->cluster =
			    (dim3){attribute->value.clusterDim.x, attribute->value.clusterDim.y,
				   attribute->value.clusterDim.z};
	}
}

CUresult ct_do_cuLaunchKernelEx(struct ct_call *call, const CUlaunchConfig *config,
				CUfunction function, void **arguments, void **extra)
{
	struct driver_launch more = {config, extra};
	struct ct_launch_call launch = {
	    .function = function, .arguments = arguments, .cluster = NO_CLUSTER};

	/* The driver's own answer to a missing configuration. */
	if (!config)
		return ct_real_cuLaunchKernelEx(call, config, function, arguments, extra);
	launch.grid = (dim3){config->gridDimX, config->gridDimY, config->gridDimZ};
	launch.block = (dim3){config->blockDimX, config->blockDimY, config->blockDimZ};
	launch.shared_bytes = config->sharedMemBytes;
	launch.stream = config->hStream;
	read_attributes(&launch, config);
	return make(&launch, call, &more);
}
