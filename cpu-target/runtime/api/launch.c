/* SPDX-License-Identifier: Apache-2.0 */
/* Launch calls of the CUDA runtime API. */
#include "cpu-target/runtime/launch/launch.h"
#include "cpu-target/runtime/api/api.h"
#include "cpu-target/runtime/api/submit.h"
#include <stdlib.h>

struct configuration {
	dim3 grid, block;
	size_t shared_bytes;
	cudaStream_t stream;
	struct configuration *outer; /* a copy: of the <<<>>> that this one stands within */
};

/* The <<<>>> that the thread is in; they are nested where one is in another's arguments. */
static __thread struct configuration innermost;
static __thread unsigned depth;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
				     struct CUstream_st *stream)
{
	struct configuration *outer = depth ? malloc(sizeof(*outer)) : NULL;

	if (depth && !outer)
		return (unsigned)ct_error_set(cudaErrorMissingConfiguration);
	if (outer)
		*outer = innermost;
	innermost = (struct configuration){grid, block, shared_bytes, stream, outer};
	depth++;
	return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream)
{
	struct configuration *outer = innermost.outer;

	if (!depth)
		return ct_error_set(cudaErrorMissingConfiguration);
	depth--;
	*grid = innermost.grid;
	*block = innermost.block;
	*shared_bytes = innermost.shared_bytes;
	*(cudaStream_t *)stream = innermost.stream;
	if (outer)
		innermost = *outer;
	free(outer);
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
