/* SPDX-License-Identifier: Apache-2.0 */
/* Launch calls of the CUDA runtime API. */
#include "cpu-target/runtime/launch/launch.h"
#include "cpu-target/runtime/api/api.h"
#include "cpu-target/runtime/api/submit.h"

#define CONFIGURATIONS 16 /* nested <<<>>> within one thread's launch expressions */

struct configuration {
	dim3 grid, block;
	size_t shared_bytes;
	cudaStream_t stream;
};

static __thread struct configuration configurations[CONFIGURATIONS];
static __thread unsigned configuration_count;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
				     struct CUstream_st *stream)
{
	if (configuration_count == CONFIGURATIONS)
		return (unsigned)ct_error_set(cudaErrorMissingConfiguration);
	configurations[configuration_count++] =
	    (struct configuration){grid, block, shared_bytes, stream};
	return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream)
{
	const struct configuration *top;

	if (!configuration_count)
		return ct_error_set(cudaErrorMissingConfiguration);
	top = &configurations[--configuration_count];
	*grid = top->grid;
	*block = top->block;
	*shared_bytes = top->shared_bytes;
	*(cudaStream_t *)stream = top->stream;
	return cudaSuccess;
}

static cudaError_t launch(const void *stub, dim3 grid, dim3 block, void **args, size_t shared_bytes,
			  cudaStream_t stream, int cooperative)
{
	struct ct_launch_request request = {
	    .stub = stub,
	    .grid = grid,
	    .block = block,
	    .dynamic_shared_bytes = shared_bytes,
	    .cooperative = cooperative,
	    .stream = stream,
	    .args = args,
	};

	return ct_error_set(ct_submit_launch(&request));
}

cudaError_t cudaLaunchKernel(const void *stub, dim3 grid, dim3 block, void **args,
			     size_t shared_bytes, cudaStream_t stream)
{
	return launch(stub, grid, block, args, shared_bytes, stream, 0);
}

cudaError_t cudaLaunchCooperativeKernel(const void *stub, dim3 grid, dim3 block, void **args,
					size_t shared_bytes, cudaStream_t stream)
{
	return launch(stub, grid, block, args, shared_bytes, stream, 1);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *stub, void **args)
{
	struct ct_launch_request request;

	if (!config || (config->numAttrs && !config->attrs))
		return ct_error_set(cudaErrorInvalidValue);
	request = (struct ct_launch_request){
	    .stub = stub,
	    .grid = config->gridDim,
	    .block = config->blockDim,
	    .dynamic_shared_bytes = config->dynamicSmemBytes,
	    .stream = config->stream,
	    .args = args,
	};
	ct_launch_apply_attributes(&request, config->attrs, config->numAttrs);
	return ct_error_set(ct_submit_launch(&request));
}
