/* SPDX-License-Identifier: Apache-2.0 */
/* Wrapped launch calls, and kernel attributes mirrored on the clone. */
#include "host-rt/launch/launch.h"
#include "host-rt/base/quiet.h"
#include "host-rt/calls/real.h"
#include "host-rt/events/session.h"
#include "host-rt/launch/handles.h"
#include "host-rt/launch/image.h"

#define NO_CLUSTER                                                                                 \
	{                                                                                          \
		1, 1, 1                                                                            \
	}

static cudaError_t real_plain(const struct ct_launch_call *call, const void *function,
			      void **arguments)
{
	if (call->per_thread)
		return __real_cudaLaunchKernel_ptsz(function, call->grid, call->block, arguments,
						    call->shared_bytes, call->stream);
	return __real_cudaLaunchKernel(function, call->grid, call->block, arguments,
				       call->shared_bytes, call->stream);
}

static cudaError_t real_cooperative(const struct ct_launch_call *call, const void *function,
				    void **arguments)
{
	if (call->per_thread)
		return __real_cudaLaunchCooperativeKernel_ptsz(
		    function, call->grid, call->block, arguments, call->shared_bytes, call->stream);
	return __real_cudaLaunchCooperativeKernel(function, call->grid, call->block, arguments,
						  call->shared_bytes, call->stream);
}

static cudaError_t real_configured(const struct ct_launch_call *call, const void *function,
				   void **arguments)
{
	if (call->per_thread)
		return __real_cudaLaunchKernelExC_ptsz(call->config, function, arguments);
	return __real_cudaLaunchKernelExC(call->config, function, arguments);
}

static cudaError_t launch(const void *function, dim3 grid, dim3 block, void **arguments,
			  size_t shared_bytes, cudaStream_t stream, bool per_thread,
			  bool cooperative)
{
	struct ct_launch_call call = {.function = function,
				      .arguments = arguments,
				      .grid = grid,
				      .block = block,
				      .cluster = NO_CLUSTER,
				      .shared_bytes = shared_bytes,
				      .stream = stream,
				      .per_thread = per_thread,
				      .cooperative = cooperative,
				      .real = cooperative ? real_cooperative : real_plain};

	return ct_launch(&call);
}

cudaError_t __wrap_cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
				    size_t shared_bytes, cudaStream_t stream)
{
	return launch(function, grid, block, arguments, shared_bytes, stream, false, false);
}

cudaError_t __wrap_cudaLaunchKernel_ptsz(const void *function, dim3 grid, dim3 block,
					 void **arguments, size_t shared_bytes, cudaStream_t stream)
{
	return launch(function, grid, block, arguments, shared_bytes, stream, true, false);
}

cudaError_t __wrap_cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
					       void **arguments, size_t shared_bytes,
					       cudaStream_t stream)
{
	return launch(function, grid, block, arguments, shared_bytes, stream, false, true);
}

cudaError_t __wrap_cudaLaunchCooperativeKernel_ptsz(const void *function, dim3 grid, dim3 block,
						    void **arguments, size_t shared_bytes,
						    cudaStream_t stream)
{
	return launch(function, grid, block, arguments, shared_bytes, stream, true, true);
}

static void read_attributes(struct ct_launch_call *call, const cudaLaunchConfig_t *config)
{
	for (unsigned i = 0; i < config->numAttrs; i++) {
		const cudaLaunchAttribute *attribute = &config->attrs[i];

		if (attribute->id == cudaLaunchAttributeCooperative) {
			call->cooperative = attribute->val.cooperative != 0;
		} else if (attribute->id == cudaLaunchAttributeClusterDimension) {
			call->cluster.x = attribute->val.clusterDim.x;
			call->cluster.y = attribute->val.clusterDim.y;
			call->cluster.z = attribute->val.clusterDim.z;
		}
	}
}

static cudaError_t launch_configured(const cudaLaunchConfig_t *config, const void *function,
				     void **arguments, bool per_thread)
{
	struct ct_launch_call call = {.function = function,
				      .arguments = arguments,
				      .cluster = NO_CLUSTER,
				      .per_thread = per_thread,
				      .real = real_configured,
				      .config = config};

	/* The runtime's own answer to a missing configuration. */
	if (!config)
		return real_configured(&call, function, arguments);
	call.grid = config->gridDim;
	call.block = config->blockDim;
	call.shared_bytes = config->dynamicSmemBytes;
	call.stream = config->stream;
	read_attributes(&call, config);
	return ct_launch(&call);
}

cudaError_t __wrap_cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function,
				       void **arguments)
{
	return launch_configured(config, function, arguments, false);
}

cudaError_t __wrap_cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *config, const void *function,
					    void **arguments)
{
	return launch_configured(config, function, arguments, true);
}

static bool changes_cluster(enum cudaFuncAttribute attribute)
{
	return attribute == cudaFuncAttributeRequiredClusterWidth ||
	       attribute == cudaFuncAttributeRequiredClusterHeight ||
	       attribute == cudaFuncAttributeRequiredClusterDepth;
}

/* What the clone does not take (it has less shared memory left) is settled at its launch. */
cudaError_t __wrap_cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute,
					int value)
{
	cudaError_t error = __real_cudaFuncSetAttribute(function, attribute, value);
	const struct ct_kernel *kernel = ct_handles_kernel(function);
	struct ct_quiet quiet;

	if (error != cudaSuccess || !kernel || !kernel->clone)
		return error;
	ct_quiet_begin(&quiet);
	__real_cudaFuncSetAttribute(kernel->clone, attribute, value);
	if (changes_cluster(attribute)) {
		ct_session_lock();
		ct_image_renew(kernel);
		ct_session_unlock();
	}
	ct_quiet_end(&quiet);
	return error;
}

cudaError_t __wrap_cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config)
{
	cudaError_t error = __real_cudaFuncSetCacheConfig(function, config);
	const struct ct_kernel *kernel = ct_handles_kernel(function);
	struct ct_quiet quiet;

	if (error != cudaSuccess || !kernel || !kernel->clone)
		return error;
	ct_quiet_begin(&quiet);
	__real_cudaFuncSetCacheConfig(kernel->clone, config);
	ct_quiet_end(&quiet);
	return error;
}
