/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA arrays: which are alive, and where their elements are. */
#include "cpu-target/runtime/memory/array.h"
#include "cpu-target/runtime/memory/memory.h"
#include <pthread.h>
#include <search.h>
#include <stdlib.h>

#define KNOWN_FLAGS                                                                                \
	(cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather)
#define EXTENT_MAX 131072u /* of any side: more than any device has */

_Static_assert((int)CT_CHANNEL_SIGNED == (int)cudaChannelFormatKindSigned &&
		   (int)CT_CHANNEL_UNSIGNED == (int)cudaChannelFormatKindUnsigned &&
		   (int)CT_CHANNEL_FLOAT == (int)cudaChannelFormatKindFloat,
	       "kinds of channels are CUDA's");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *arrays; /* tsearch tree of live arrays */

static int compare(const void *a, const void *b)
{
	return a < b ? -1 : a > b;
}

cudaError_t ct_image_format(struct ct_cpu_image *image, const struct cudaChannelFormatDesc *f)
{
	int bits[] = {f->x, f->y, f->z, f->w};
	uint32_t channels = 0;

	while (channels < 4 && bits[channels])
		if (bits[channels++] != f->x)
			return cudaErrorInvalidChannelDescriptor;
	for (uint32_t i = channels; i < 4; i++)
		if (bits[i])
			return cudaErrorInvalidChannelDescriptor;
	if (!channels || channels == 3 || (f->x != 8 && f->x != 16 && f->x != 32) ||
	    f->f > cudaChannelFormatKindFloat || (f->f == cudaChannelFormatKindFloat && f->x == 8))
		return cudaErrorInvalidChannelDescriptor;
	image->channels = channels;
	image->bits = (uint32_t)f->x;
	image->kind = (uint32_t)f->f;
	return cudaSuccess;
}

/* Sides of what is asked for: cubes are square and have six faces each, without layers one cube. */
static int is_extent_good(struct cudaExtent e, unsigned flags)
{
	if (!e.width || e.width > EXTENT_MAX || e.height > EXTENT_MAX || e.depth > EXTENT_MAX)
		return 0;
	if (flags & cudaArrayCubemap)
		return e.width == e.height &&
		       (flags & cudaArrayLayered ? e.depth && e.depth % 6 == 0 : e.depth == 6);
	return flags & cudaArrayLayered ? e.depth > 0 : e.height || !e.depth;
}

static size_t at_least_1(size_t side)
{
	return side ? side : 1;
}

cudaError_t ct_array_new(cudaArray_t *array, const struct cudaChannelFormatDesc *format,
			 struct cudaExtent extent, unsigned flags)
{
	struct cudaArray made = {.format = *format, .extent = extent, .flags = flags};
	struct ct_cpu_image *image = &made.image;
	cudaError_t error = ct_image_format(image, format);
	void *start;

	if (!error && (flags & ~KNOWN_FLAGS || !is_extent_good(extent, flags)))
		error = cudaErrorInvalidValue;
	if (error)
		return error;
	image->width = (uint32_t)extent.width;
	image->height = (uint32_t)at_least_1(extent.height);
	image->depth = (uint32_t)at_least_1(extent.depth);
	image->pitch = image->width * ct_image_element(image);
	image->slice = image->pitch * image->height;
	error = ct_memory_allocate(&start, image->slice * image->depth, CT_MEMORY_DEVICE, 0);
	if (error)
		return error;
	image->start = start;
	*array = malloc(sizeof(**array));
	if (!*array)
		goto no_room;
	**array = made;
	pthread_mutex_lock(&lock);
	error = tsearch(*array, &arrays, compare) ? cudaSuccess : cudaErrorMemoryAllocation;
	pthread_mutex_unlock(&lock);
	if (!error)
		return cudaSuccess;
	free(*array);
no_room:
	ct_memory_withdraw(start, CT_MEMORY_DEVICE);
	ct_memory_discard(start);
	return cudaErrorMemoryAllocation;
}

cudaError_t ct_array_delete(cudaArray_t array)
{
	pthread_mutex_lock(&lock);
	void *found = tdelete(array, &arrays, compare);
	pthread_mutex_unlock(&lock);
	if (!found)
		return cudaErrorInvalidValue;
	ct_memory_withdraw(array->image.start, CT_MEMORY_DEVICE);
	ct_memory_discard(array->image.start);
	free(array);
	return cudaSuccess;
}

cudaError_t ct_array_check(cudaArray_const_t array)
{
	pthread_mutex_lock(&lock);
	void *found = array ? tfind(array, &arrays, compare) : NULL;
	pthread_mutex_unlock(&lock);
	return found ? cudaSuccess : cudaErrorInvalidValue;
}

struct ct_box ct_array_box(cudaArray_const_t array, size_t x, size_t y)
{
	const struct ct_cpu_image *image = &array->image;

	return (struct ct_box){image->start + y * image->pitch + x, image->pitch, image->slice};
}
