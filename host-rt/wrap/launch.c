/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime's calls that launch. */
#include "host-rt/launch/launch.h"
#include "host-rt/wrap/do.h"

#define NO_CLUSTER                                                                                 \
	{                                                                                          \
		1, 1, 1                                                                            \
	}

static cudaError_t real_plain(const struct ct_launch_call *launch, const void *function,
			      void **arguments)
{
	return ct_real_cudaLaunchKernel(launch->from, function, launch->grid, launch->block,
					arguments, launch->shared_bytes, launch->stream);
}

static cudaError_t real_cooperative(const struct ct_launch_call *launch, const void *function,
				    void **arguments)
{
	return ct_real_cudaLaunchCooperativeKernel(launch->from, function, launch->grid,
						   launch->block, arguments, launch->shared_bytes,
						   launch->stream);
}

static cudaError_t real_configured(const struct ct_launch_call *launch, const void *function,
				   void **arguments)
{
	return ct_real_cudaLaunchKernelExC(launch->from, launch->config, function, arguments);
}

cudaError_t ct_do_cudaLaunchKernel(struct ct_call *call, const void *function, dim3 grid,
				   dim3 block, void **arguments, size_t shared_bytes,
				   cudaStream_t stream)
{
	struct ct_launch_call launch = {.from = call,
					.function = function,
					.arguments = arguments,
					.grid = grid,
					.block = block,
					.cluster = NO_CLUSTER,
					.shared_bytes = shared_bytes,
					.stream = stream,
					.per_thread = call->per_thread,
					.real = real_plain};

	return ct_launch(&launch);
}

cudaError_t ct_do_cudaLaunchCooperativeKernel(struct ct_call *call, const void *function, dim3 grid,
					      dim3 block, void **arguments, size_t shared_bytes,
					      cudaStream_t stream)
{
	struct ct_launch_call launch = {.from = call,
					.function = function,
					.arguments = arguments,
					.grid = grid,
					.block = block,
					.cluster = NO_CLUSTER,
					.shared_bytes = shared_bytes,
					.stream = stream,
					.per_thread = call->per_thread,
					.cooperative = true,
					.real = real_cooperative};

	return ct_launch(&launch);
}

static void read_attributes(struct ct_launch_call *launch, const cudaLaunchConfig_t *config)
{
	for (unsigned i = 0; i < config->numAttrs; i++) {
		const cudaLaunchAttribute *attribute = &config->attrs[i];

		if (attribute->id == cudaLaunchAttributeCooperative) {
			launch->cooperative = attribute->val.cooperative != 0;
		} else if (attribute->id == cudaLaunchAttributeClusterDimension) {
			launch->cluster.x = attribute->val.clusterDim.x;
			launch->cluster.y = attribute->val.clusterDim.y;
			launch->cluster.z = attribute->val.clusterDim.z;
		}
	}
}

cudaError_t ct_do_cudaLaunchKernelExC(struct ct_call *call, const cudaLaunchConfig_t *config,
				      const void *function, void **arguments)
{
	struct ct_launch_call launch = {.from = call,
					.function = function,
					.arguments = arguments,
					.cluster = NO_CLUSTER,
					.per_thread = call->per_thread,
					.real = real_configured,
					.config = config};

	/* The runtime's own answer to a missing configuration. */
	if (!config)
		return real_configured(&launch, function, arguments);
	launch.grid = config->gridDim;
	launch.block = config->blockDim;
	launch.shared_bytes = config->dynamicSmemBytes;
	launch.stream = config->stream;
	read_attributes(&launch, config);
	return ct_launch(&launch);
}
