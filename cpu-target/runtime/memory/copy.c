/* SPDX-License-Identifier: Apache-2.0 */
/* Checks and execution of copies and fills. */
#include "cpu-target/runtime/memory/copy.h"
#include "cpu-target/runtime/base/activity.h"
#include "cpu-target/runtime/base/device.h"
#include "cpu-target/runtime/memory/array.h"
#include "cpu-target/runtime/memory/memory.h"
#include "cpu-target/runtime/stream/stream.h"
#include <cudatrace/format.h>
#include <stdlib.h>
#include <string.h>

#define STAGE_BYTES_MAX 65536u

struct copy_work {
	struct ct_work work;
	struct ct_copy copy;
	char stage[]; /* the source, if it was pageable */
};

struct fill_work {
	struct ct_work work;
	struct ct_fill fill;
};

static int is_pageable(enum ct_memory_kind kind)
{
	return kind == CT_MEMORY_UNKNOWN;
}

static int is_on_host(enum ct_memory_kind kind)
{
	return is_pageable(kind) || kind == CT_MEMORY_HOST || kind == CT_MEMORY_REGISTERED;
}

/* Managed memory counts as the device's. */
static uint32_t direction_of(enum ct_memory_kind to, enum ct_memory_kind from)
{
	if (is_on_host(from))
		return is_on_host(to) ? CT_COPY_ON_HOST : CT_COPY_TO_DEVICE;
	return is_on_host(to) ? CT_COPY_TO_HOST : CT_COPY_ON_DEVICE;
}

void ct_copy_run(const struct ct_copy *c)
{
	enum ct_memory_kind to = ct_memory_find(c->to.start).kind;
	enum ct_memory_kind from = ct_memory_find(c->from.start).kind;
	struct ct_activity activity = {
	    .kind = CT_ACTIVITY_COPY,
	    .bytes = c->width * c->height * c->depth,
	    .copy = direction_of(to, from),
	    .is_pageable = is_pageable(to) || is_pageable(from),
	};

	ct_activity_begin(&activity);
	for (size_t z = 0; z < c->depth; z++)
		for (size_t y = 0; y < c->height; y++)
			ct_activity_move(c->to.start + z * c->to.slice + y * c->to.pitch,
					 c->from.start + z * c->from.slice + y * c->from.pitch,
					 c->width);
	ct_activity_end(&activity);
}

static void fill_row(char *row, const struct ct_fill *f)
{
	if (f->element_bytes == 1) {
		memset(row, (int)f->value, f->width);
		return;
	}
	for (size_t x = 0; x < f->width; x += f->element_bytes)
		memcpy(row + x, &f->value, f->element_bytes);
}

void ct_fill_run(const struct ct_fill *f)
{
	struct ct_activity activity = {.kind = CT_ACTIVITY_SET,
				       .bytes = f->width * f->height * f->depth};

	ct_activity_begin(&activity);
	for (size_t z = 0; z < f->depth; z++)
		for (size_t y = 0; y < f->height; y++)
			fill_row(f->to.start + z * f->to.slice + y * f->to.pitch, f);
	ct_activity_end(&activity);
}

struct ct_box ct_box_at(const struct cudaPitchedPtr *pointer, const struct cudaPos *position)
{
	struct ct_box box = {pointer->ptr, pointer->pitch, pointer->pitch * pointer->ysize};

	box.start += position->z * box.slice + position->y * box.pitch + position->x;
	return box;
}

/* Are there so many elements from there on? */
static int holds(const struct ct_cpu_image *image, const struct cudaPos *at,
		 const struct cudaExtent *extent)
{
	return at->x <= image->width && extent->width <= image->width - at->x &&
	       at->y <= image->height && extent->height <= image->height - at->y &&
	       at->z <= image->depth && extent->depth <= image->depth - at->z;
}

/* One end of a 3D copy: an array, whose positions are elements, or pitched memory. */
static cudaError_t end_of_3d(cudaArray_const_t array, const struct cudaPitchedPtr *pointer,
			     const struct cudaPos *position, const struct cudaExtent *extent,
			     struct ct_box *box)
{
	if (!array == !pointer->ptr)
		return cudaErrorInvalidValue;
	if (!array) {
		*box = ct_box_at(pointer, position);
		return cudaSuccess;
	}
	if (ct_array_check(array) || !holds(&array->image, position, extent))
		return cudaErrorInvalidValue;
	*box = ct_array_box(array, position->x * ct_image_element(&array->image), position->y);
	box->start += position->z * box->slice;
	return cudaSuccess;
}

/* Elements of an array that takes part are the unit of the width; two arrays have equal ones. */
static cudaError_t width_of_3d(const struct cudaMemcpy3DParms *p, size_t *width)
{
	cudaArray_const_t array = p->srcArray ? p->srcArray : p->dstArray;
	size_t element = array ? ct_image_element(&array->image) : 1;

	if (p->srcArray && p->dstArray && ct_image_element(&p->dstArray->image) != element)
		return cudaErrorInvalidValue;
	*width = p->extent.width * element;
	return cudaSuccess;
}

cudaError_t ct_copy_of_3d(const struct cudaMemcpy3DParms *p, struct ct_copy *copy)
{
	cudaError_t error;

	if (!p)
		return cudaErrorInvalidValue;
	*copy =
	    (struct ct_copy){.height = p->extent.height, .depth = p->extent.depth, .kind = p->kind};
	error = end_of_3d(p->dstArray, &p->dstPtr, &p->dstPos, &p->extent, &copy->to);
	if (!error)
		error = end_of_3d(p->srcArray, &p->srcPtr, &p->srcPos, &p->extent, &copy->from);
	return error ? error : width_of_3d(p, &copy->width);
}

static void run_copy(struct ct_work *work, cudaError_t device_error)
{
	if (!device_error)
		ct_copy_run(&((struct copy_work *)work)->copy);
}

static void run_fill(struct ct_work *work, cudaError_t device_error)
{
	if (!device_error)
		ct_fill_run(&((struct fill_work *)work)->fill);
}

/* Bytes from the first to behind the last byte of the box. */
static size_t extent_of(const struct ct_box *box, size_t width, size_t height, size_t depth)
{
	return (depth - 1) * box->slice + (height - 1) * box->pitch + width;
}

/* Kind of the memory that holds the box, in *kind; a known allocation must
 * hold all of it. */
static cudaError_t check_box(const struct ct_box *box, size_t width, size_t height, size_t depth,
			     enum ct_memory_kind *kind)
{
	struct ct_allocation allocation = ct_memory_find(box->start);
	size_t offset = (size_t)(box->start - allocation.address);

	*kind = allocation.kind;
	if (height > 1 && box->pitch < width)
		return cudaErrorInvalidPitchValue;
	if (!box->start)
		return cudaErrorInvalidValue;
	if (allocation.kind == CT_MEMORY_UNKNOWN || allocation.kind == CT_MEMORY_REGISTERED)
		return cudaSuccess;
	if (extent_of(box, width, height, depth) > allocation.bytes - offset)
		return cudaErrorInvalidValue;
	return cudaSuccess;
}

/* The side that the kind of the copy calls device must not be pageable. Nothing else is checked,
 * as with CUDA under unified addressing. */
static cudaError_t check_direction(enum cudaMemcpyKind direction, enum ct_memory_kind to,
				   enum ct_memory_kind from)
{
	int to_device =
	    direction == cudaMemcpyHostToDevice || direction == cudaMemcpyDeviceToDevice;
	int from_device =
	    direction == cudaMemcpyDeviceToHost || direction == cudaMemcpyDeviceToDevice;

	if ((int)direction < cudaMemcpyHostToHost || direction > cudaMemcpyDefault)
		return cudaErrorInvalidMemcpyDirection;
	if ((to_device && is_pageable(to)) || (from_device && is_pageable(from)))
		return cudaErrorInvalidValue;
	return cudaSuccess;
}

/* A source in pageable memory, small enough to be taken along. */
static int can_stage(const struct ct_copy *copy, enum ct_memory_kind to, enum ct_memory_kind from)
{
	return is_pageable(from) && !is_pageable(to) && copy->height == 1 && copy->depth == 1 &&
	       copy->width <= STAGE_BYTES_MAX;
}

static cudaError_t submit_copy(const struct ct_copy *copy, cudaStream_t stream, int stage, int wait)
{
	struct copy_work *work = calloc(1, sizeof(*work) + (stage ? copy->width : 0));
	struct ct_point point;
	cudaError_t error;

	if (!work)
		return cudaErrorMemoryAllocation;
	work->work.run = run_copy;
	work->copy = *copy;
	if (stage) {
		memcpy(work->stage, copy->from.start, copy->width);
		work->copy.from.start = work->stage;
	}
	error = ct_stream_submit(stream, &work->work, NULL, wait ? &point : NULL);
	if (error) {
		free(work);
		return error;
	}
	if (wait) {
		error = ct_point_wait(&point);
		ct_point_release(&point);
	}
	return error;
}

static int is_empty(size_t width, size_t height, size_t depth)
{
	return !width || !height || !depth;
}

int ct_copy_is_empty(const struct ct_copy *copy)
{
	return is_empty(copy->width, copy->height, copy->depth);
}

int ct_fill_is_empty(const struct ct_fill *fill)
{
	return is_empty(fill->width, fill->height, fill->depth);
}

cudaError_t ct_copy_check(const struct ct_copy *copy)
{
	enum ct_memory_kind to, from;
	cudaError_t error;

	if (ct_copy_is_empty(copy))
		return cudaSuccess;
	error = check_box(&copy->to, copy->width, copy->height, copy->depth, &to);
	if (!error)
		error = check_box(&copy->from, copy->width, copy->height, copy->depth, &from);
	return error ? error : check_direction(copy->kind, to, from);
}

cudaError_t ct_copy_queue(const struct ct_copy *copy, cudaStream_t stream, int wait)
{
	enum ct_memory_kind to = ct_memory_find(copy->to.start).kind;
	enum ct_memory_kind from = ct_memory_find(copy->from.start).kind;
	int stage = !wait && can_stage(copy, to, from);
	struct ct_cause cause;

	wait &= to != CT_MEMORY_DEVICE || from != CT_MEMORY_DEVICE;
	wait |= !stage && (is_pageable(to) || is_pageable(from));
	if (!wait || !ct_stream_starts_at_once(stream))
		return submit_copy(copy, stream, stage, wait);
	cause = ct_activity_cause(stream, ct_stream_device(stream));
	ct_activity_enter(&cause);
	ct_copy_run(copy);
	ct_activity_enter(NULL);
	return cudaSuccess;
}

cudaError_t ct_fill_check(const struct ct_fill *fill)
{
	enum ct_memory_kind kind;
	cudaError_t error;

	if (ct_fill_is_empty(fill))
		return cudaSuccess;
	error = check_box(&fill->to, fill->width, fill->height, fill->depth, &kind);
	if (error == cudaErrorInvalidPitchValue || (!error && is_pageable(kind)))
		error = cudaErrorInvalidValue;
	return error;
}

cudaError_t ct_fill_queue(const struct ct_fill *fill, cudaStream_t stream)
{
	struct fill_work *work = calloc(1, sizeof(*work));
	cudaError_t error;

	if (!work)
		return cudaErrorMemoryAllocation;
	work->work.run = run_fill;
	work->fill = *fill;
	error = ct_stream_submit(stream, &work->work, NULL, NULL);
	if (error)
		free(work);
	return error;
}
