/* SPDX-License-Identifier: Apache-2.0 */
/* Slots of launch ids: taken in order; returned ones are used again when their last reader is done.
 */
#include "host-rt/graph/ids.h"
#include "host-rt/calls/symbols.h"
#include <stdlib.h>

struct range {
	struct range *next;
	const struct ct_device *device;
	uint32_t first;
	uint32_t count;
	cudaEvent_t event;
};

/* In memory, so that a host function can write them: the CPU target. */
struct assignment {
	uint32_t *slots;
	uint32_t count;
	uint32_t id, low, high;
};

/* Absent from the CPU target's archive. */
extern const void *__ct_launch_ids_kernel(void) __attribute__((weak));

static struct range *returned;
static uint32_t used[CT_DEVICES_MAX];

/* A returned range of this size whose readers are done. */
static struct range **reusable(const struct ct_device *device, uint32_t count)
{
	struct range **link = &returned;

	for (; *link; link = &(*link)->next)
		if ((*link)->device == device && (*link)->count == count &&
		    (!(*link)->event || __real_cudaEventQuery((*link)->event) == cudaSuccess))
			break;
	return link;
}

static void discard(struct range **link)
{
	struct range *range = *link;

	*link = range->next;
	if (range->event)
		__real_cudaEventDestroy(range->event);
	free(range);
}

uint32_t ct_graph_ids_take(const struct ct_device *device, uint32_t count)
{
	struct range **link = reusable(device, count);
	uint32_t *next = &used[device->ordinal], first = *next;
	struct cudaFuncAttributes attributes;

	/* Loads it: at a launch that might have to wait for what runs. */
	if (__ct_launch_ids_kernel &&
	    cudaFuncGetAttributes(&attributes, __ct_launch_ids_kernel()) != cudaSuccess)
		return CT_NO_SLOTS;
	if (*link) {
		first = (*link)->first;
		discard(link);
		return first;
	}
	if (count > CT_LAUNCH_IDS - first)
		return CT_NO_SLOTS;
	*next += count;
	return first;
}

/* Out of memory, the slots are not used again. */
void ct_graph_ids_return(const struct ct_device *device, uint32_t first, uint32_t count,
			 cudaEvent_t event)
{
	struct range *range = malloc(sizeof(*range));

	if (!range) {
		if (event)
			__real_cudaEventDestroy(event);
		return;
	}
	*range = (struct range){returned, device, first, count, event};
	returned = range;
}

void ct_graph_ids_forget(const struct ct_device *device)
{
	struct range **link = &returned;

	while (*link)
		if ((*link)->device == device)
			discard(link);
		else
			link = &(*link)->next;
	used[device->ordinal] = 0;
}

static void assign(void *user)
{
	struct assignment *a = user;

	for (uint32_t i = 0; i < a->count; i++) {
		uint32_t id = a->id + i;

		a->slots[i] = id >= a->low && id <= a->high ? id : 0;
	}
	free(a);
}

static cudaError_t assign_on_host(uint64_t slots, cudaStream_t stream, uint32_t count, uint32_t id,
				  uint32_t low, uint32_t high)
{
	struct assignment *a = malloc(sizeof(*a));
	cudaError_t error;

	if (!a)
		return cudaErrorMemoryAllocation;
	*a = (struct assignment){(uint32_t *)(uintptr_t)slots, count, id, low, high};
	error = __real_cudaLaunchHostFunc(stream, assign, a);
	if (error != cudaSuccess)
		free(a);
	return error;
}

cudaError_t ct_graph_ids_set(const struct ct_device *device, cudaStream_t stream, uint32_t first,
			     uint32_t count, uint32_t id, uint32_t low, uint32_t high)
{
	uint64_t slots = ct_drain_of(device)->context.launch_ids + 4ull * first;
	void *arguments[] = {&slots, &count, &id, &low, &high};
	dim3 grid = {(count + 255) / 256, 1, 1}, block = {256, 1, 1};

	if (!__ct_launch_ids_kernel)
		return assign_on_host(slots, stream, count, id, low, high);
	return __real_cudaLaunchKernel(__ct_launch_ids_kernel(), grid, block, arguments, 0, stream);
}
