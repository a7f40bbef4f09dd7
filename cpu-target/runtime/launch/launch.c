/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel launches: limits of sm_90, copies of the arguments, execution. */
#include "cpu-target/runtime/launch/launch.h"
#include "cpu-target/runtime/base/activity.h"
#include "cpu-target/runtime/base/device.h"
#include "cpu-target/runtime/base/error_state.h"
#include "cpu-target/runtime/exec/exec.h"
#include "cpu-target/runtime/module/symbol.h"
#include "cpu-target/runtime/producer/producer.h"
#include "cpu-target/runtime/stream/stream.h"
#include <cudatrace/format.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_THREADS_MAX 1024u
#define BLOCK_DEPTH_MAX 64u
#define GRID_WIDTH_MAX 0x7fffffffu
#define GRID_HEIGHT_MAX 65535u
#define SM_THREADS 2048u
#define SM_BLOCKS 32u
#define SM_SHARED_BYTES 233472u
#define BLOCK_SHARED_RESERVED 1024u
#define PARAM_ALIGNMENT 64u

struct launch_work {
	struct ct_work work;
	struct ct_checked_launch *call;
};

struct call_block {
	struct ct_checked_launch call;
	char *args[]; /* then the arguments themselves */
};

static cudaError_t error_of(int result)
{
	switch ((enum ct_cpu_error)result) {
	case CT_CPU_OK:
		return cudaSuccess;
	case CT_CPU_ASSERT:
		return cudaErrorAssert;
	case CT_CPU_ILLEGAL_ADDRESS:
		return cudaErrorIllegalAddress;
	case CT_CPU_STACK_OVERFLOW:
		return cudaErrorHardwareStackError;
	case CT_CPU_NO_MEMORY:
		return cudaErrorLaunchOutOfResources;
	case CT_CPU_TRAP:
	case CT_CPU_UNSUPPORTED:
	case CT_CPU_DEADLOCK:
		break;
	}
	return cudaErrorLaunchFailure;
}

void ct_launch_run(struct ct_checked_launch *call)
{
	const struct ct_cpu_grid *grid = &call->grid;
	struct ct_activity activity = {
	    .kind = CT_ACTIVITY_KERNEL,
	    .kernel = grid->kernel->name,
	    .grid = {grid->grid[0], grid->grid[1], grid->grid[2]},
	    .block = {grid->block[0], grid->block[1], grid->block[2]},
	    .shared_bytes = grid->dynamic_shared_bytes + grid->kernel->static_shared_bytes,
	};
	cudaError_t error;

	ct_activity_begin(&activity);
	error = error_of(ct_cpu_grid_run(grid));
	ct_activity_end(&activity);
	if (error)
		ct_error_set_sticky(error);
}

static void run_launch(struct ct_work *work, cudaError_t device_error)
{
	struct ct_checked_launch *call = ((struct launch_work *)work)->call;

	if (!device_error)
		ct_launch_run(call);
	free(call);
}

int ct_launch_occupancy(unsigned threads_per_block, size_t shared_bytes)
{
	unsigned warps = (threads_per_block + 31) / 32;
	size_t blocks = SM_THREADS / 32 / (warps ? warps : 1);
	size_t by_shared = SM_SHARED_BYTES / (shared_bytes + BLOCK_SHARED_RESERVED);

	if (blocks > SM_BLOCKS)
		blocks = SM_BLOCKS;
	return (int)(blocks < by_shared ? blocks : by_shared);
}

size_t ct_launch_shared_share(unsigned blocks)
{
	size_t share = SM_SHARED_BYTES / blocks;

	return share > BLOCK_SHARED_RESERVED ? share - BLOCK_SHARED_RESERVED : 0;
}

void ct_launch_apply_attributes(struct ct_launch_request *request,
				const cudaLaunchAttribute *attributes, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		const cudaLaunchAttributeValue *value = &attributes[i].val;

		if (attributes[i].id == cudaLaunchAttributeCooperative)
			request->cooperative = value->cooperative;
		if (attributes[i].id == cudaLaunchAttributeClusterDimension)
			request->cluster =
			    (dim3){value->clusterDim.x, value->clusterDim.y, value->clusterDim.z};
	}
}

static int grid_is_valid(dim3 grid)
{
	return grid.x && grid.y && grid.z && grid.x <= GRID_WIDTH_MAX &&
	       grid.y <= GRID_HEIGHT_MAX && grid.z <= GRID_HEIGHT_MAX;
}

static int block_is_valid(dim3 block)
{
	return block.x && block.y && block.z && block.x <= BLOCK_THREADS_MAX &&
	       block.y <= BLOCK_THREADS_MAX && block.z <= BLOCK_DEPTH_MAX &&
	       (uint64_t)block.x * block.y * block.z <= BLOCK_THREADS_MAX;
}

/* The blocks of a cluster in this launch; 0 in x if there are no clusters. */
static dim3 cluster_of(const struct ct_launch_request *r, const struct ct_function *function)
{
	dim3 cluster = r->cluster;

	if (!cluster.x && function->kernel->cluster[0])
		cluster = (dim3){function->kernel->cluster[0], function->kernel->cluster[1],
				 function->kernel->cluster[2]};
	if (!cluster.x)
		cluster = function->cluster;
	if (cluster.x && !cluster.y)
		cluster.y = 1;
	if (cluster.x && !cluster.z)
		cluster.z = 1;
	return cluster;
}

static cudaError_t check_cluster(const struct ct_launch_request *r,
				 const struct ct_function *function)
{
	dim3 cluster = cluster_of(r, function);
	unsigned most =
	    function->wide_clusters ? CT_CLUSTER_BLOCKS_MAX : CT_CLUSTER_BLOCKS_PORTABLE;

	if (!cluster.x)
		return cudaSuccess;
	if ((uint64_t)cluster.x * cluster.y * cluster.z > most || r->grid.x % cluster.x ||
	    r->grid.y % cluster.y || r->grid.z % cluster.z)
		return cudaErrorInvalidClusterSize;
	return cudaSuccess;
}

static cudaError_t check(const struct ct_launch_request *r, const struct ct_function *function)
{
	unsigned threads = r->block.x * r->block.y * r->block.z;
	uint64_t blocks = (uint64_t)r->grid.x * r->grid.y * r->grid.z;
	int resident;

	/* CUDA 13 on sm_90 says cudaErrorInvalidValue in all of these cases;
	 * before CUDA 13 it was cudaErrorInvalidConfiguration in the first. */
	if (!grid_is_valid(r->grid) || !block_is_valid(r->block))
		return cudaErrorInvalidValue;
	if (threads > function->kernel->max_threads ||
	    r->dynamic_shared_bytes > function->max_dynamic_shared_bytes)
		return cudaErrorInvalidValue;
	if (!r->args && function->kernel->param_count)
		return cudaErrorInvalidValue;
	resident = ct_launch_occupancy(threads, r->dynamic_shared_bytes +
						    function->kernel->static_shared_bytes);
	if (r->cooperative && blocks > (uint64_t)resident * ct_cpu_worker_count())
		return cudaErrorCooperativeLaunchTooLarge;
	return check_cluster(r, function);
}

static size_t round_up(size_t bytes)
{
	return (bytes + PARAM_ALIGNMENT - 1) & ~(size_t)(PARAM_ALIGNMENT - 1);
}

/* A call with copies of the arguments behind it, each aligned for any type. */
static struct call_block *new_call(const struct ct_cpu_kernel *kernel, void **args)
{
	size_t header = round_up(sizeof(struct call_block) + kernel->param_count * sizeof(char *));
	size_t bytes = header;
	struct call_block *block;
	char *next;

	for (uint32_t i = 0; i < kernel->param_count; i++)
		bytes += round_up(kernel->param_bytes[i]);
	block = aligned_alloc(PARAM_ALIGNMENT, bytes);
	if (!block)
		return NULL;
	next = (char *)block + header;
	for (uint32_t i = 0; i < kernel->param_count; i++) {
		block->args[i] = memcpy(next, args[i], kernel->param_bytes[i]);
		next += round_up(kernel->param_bytes[i]);
	}
	return block;
}

static void fill_call(struct ct_checked_launch *call, const struct ct_launch_request *r,
		      void **args, const struct ct_function *function)
{
	static uint64_t last_id;
	dim3 cluster = cluster_of(r, function);

	call->request = *r;
	call->request.args = args;
	call->grid = (struct ct_cpu_grid){
	    .kernel = function->kernel,
	    .unit = function->unit,
	    .grid = {r->grid.x, r->grid.y, r->grid.z},
	    .block = {r->block.x, r->block.y, r->block.z},
	    .dynamic_shared_bytes = (uint32_t)r->dynamic_shared_bytes,
	    .cooperative = (uint32_t)r->cooperative,
	    .cluster = {cluster.x, cluster.y, cluster.z},
	    .args = args,
	    .id = __atomic_add_fetch(&last_id, 1, __ATOMIC_RELAXED),
	};
}

cudaError_t ct_launch_prepare(const struct ct_launch_request *request,
			      struct ct_checked_launch **call)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct ct_function *function;
	struct call_block *block;
	cudaError_t error;

	pthread_once(&once, ct_producer_init);
	ct_symbol_publish_constants();
	error = ct_symbol_function(request->stub, &function);
	if (!error)
		error = ct_error_sticky();
	if (!error)
		error = check(request, function);
	if (error)
		return error;
	block = new_call(function->kernel, request->args);
	if (!block)
		return cudaErrorMemoryAllocation;
	fill_call(&block->call, request, (void **)block->args, function);
	*call = &block->call;
	return cudaSuccess;
}

cudaError_t ct_launch_queue(struct ct_checked_launch *call, cudaStream_t stream)
{
	struct launch_work *work = calloc(1, sizeof(*work));
	cudaError_t error;

	if (ct_device_number() > 1 && ct_stream_device(stream) != ct_device_of_thread())
		return cudaErrorInvalidResourceHandle;
	if (!work)
		return cudaErrorMemoryAllocation;
	work->work.run = run_launch;
	work->call = call;
	error = ct_stream_submit(stream, &work->work, NULL, NULL);
	if (error)
		free(work);
	return error;
}
