/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texture and surface objects of the CUDA runtime API. A handle is the address
 * of what device code reads (image.h). Mipmapped arrays and views of resources
 * there are none.
 */
#include "cpu-target/runtime/api/api.h"
#include "cpu-target/runtime/memory/array.h"
#include "cpu-target/runtime/stream/stream.h"
#include <pthread.h>
#include <search.h>
#include <stdlib.h>

struct object {
	struct ct_cpu_texture texture; /* first: device code has its address */
	struct cudaResourceDesc resource;
	struct cudaTextureDesc description;
	int is_surface;
	struct object *next; /* among those that are destroyed */
};

#define DESTROYED_MAX 1024u

_Static_assert((int)CT_ADDRESS_WRAP == (int)cudaAddressModeWrap &&
		   (int)CT_ADDRESS_CLAMP == (int)cudaAddressModeClamp &&
		   (int)CT_ADDRESS_MIRROR == (int)cudaAddressModeMirror &&
		   (int)CT_ADDRESS_BORDER == (int)cudaAddressModeBorder,
	       "modes of addressing are CUDA's");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *objects; /* tsearch tree of live ones */

/* Kernels under way may read them still: as on a GPU destroying does not wait. */
static struct object *destroyed;
static unsigned destroyed_count;

static int compare(const void *a, const void *b)
{
	return a < b ? -1 : a > b;
}

static struct object *find(unsigned long long handle, int is_surface)
{
	struct object *object = (struct object *)(uintptr_t)handle;

	pthread_mutex_lock(&lock);
	if (!object || !tfind(object, &objects, compare) || object->is_surface != is_surface)
		object = NULL;
	pthread_mutex_unlock(&lock);
	return object;
}

static cudaError_t enter(const struct object *made, unsigned long long *handle)
{
	struct object *object = malloc(sizeof(*object));
	void *entered;

	if (!object)
		return cudaErrorMemoryAllocation;
	*object = *made;
	pthread_mutex_lock(&lock);
	entered = tsearch(object, &objects, compare);
	pthread_mutex_unlock(&lock);
	if (!entered) {
		free(object);
		return cudaErrorMemoryAllocation;
	}
	*handle = (uintptr_t)object;
	return cudaSuccess;
}

static void release(struct object *list)
{
	while (list) {
		struct object *next = list->next;

		free(list);
		list = next;
	}
}

static cudaError_t destroy(unsigned long long handle, int is_surface)
{
	struct object *object = find(handle, is_surface), *unused = NULL;
	cudaError_t error = cudaSuccess;

	if (!handle)
		return ct_api_result(cudaSuccess);
	if (!object)
		return ct_error_set(cudaErrorInvalidValue);
	pthread_mutex_lock(&lock);
	if (!tdelete(object, &objects, compare)) { /* another thread has been faster */
		pthread_mutex_unlock(&lock);
		return ct_error_set(cudaErrorInvalidValue);
	}
	object->next = destroyed;
	destroyed = object;
	if (++destroyed_count == DESTROYED_MAX) {
		unused = destroyed;
		destroyed = NULL;
		destroyed_count = 0;
	}
	pthread_mutex_unlock(&lock);
	if (unused)
		error = ct_stream_wait_all();
	release(unused);
	return ct_api_result(error);
}

static cudaError_t image_of_linear(const struct cudaResourceDesc *r, struct ct_cpu_image *image)
{
	cudaError_t error = ct_image_format(image, &r->res.linear.desc);
	size_t elements;

	if (error)
		return error;
	elements = r->res.linear.sizeInBytes / ct_image_element(image);
	if (!r->res.linear.devPtr || !elements || elements > UINT32_MAX)
		return cudaErrorInvalidValue;
	image->start = r->res.linear.devPtr;
	image->pitch = image->slice = r->res.linear.sizeInBytes;
	image->width = (uint32_t)elements;
	image->height = image->depth = 1;
	return cudaSuccess;
}

static cudaError_t image_of_pitched(const struct cudaResourceDesc *r, struct ct_cpu_image *image)
{
	cudaError_t error = ct_image_format(image, &r->res.pitch2D.desc);
	size_t width = r->res.pitch2D.width, height = r->res.pitch2D.height;

	if (error)
		return error;
	if (!r->res.pitch2D.devPtr || !width || !height || width > INT32_MAX ||
	    height > INT32_MAX || width * ct_image_element(image) > r->res.pitch2D.pitchInBytes)
		return cudaErrorInvalidValue;
	image->start = r->res.pitch2D.devPtr;
	image->pitch = r->res.pitch2D.pitchInBytes;
	image->slice = image->pitch * height;
	image->width = (uint32_t)width;
	image->height = (uint32_t)height;
	image->depth = 1;
	return cudaSuccess;
}

static cudaError_t image_of(const struct cudaResourceDesc *r, struct ct_cpu_image *image)
{
	switch (r->resType) {
	case cudaResourceTypeArray:
		if (ct_array_check(r->res.array.array))
			return cudaErrorInvalidValue;
		*image = r->res.array.array->image;
		return cudaSuccess;
	case cudaResourceTypeLinear:
		return image_of_linear(r, image);
	case cudaResourceTypePitch2D:
		return image_of_pitched(r, image);
	case cudaResourceTypeMipmappedArray:
		return cudaErrorNotSupported;
	}
	return cudaErrorInvalidValue;
}

static int is_address_mode(enum cudaTextureAddressMode mode)
{
	return (unsigned)mode <= cudaAddressModeBorder;
}

/* How it is read. Only real numbers are filtered, only integers of up to 16 bits normalised; linear
 * memory is fetched by the element's number, without a filter. */
static cudaError_t set_reading(struct ct_cpu_texture *t, const struct cudaTextureDesc *d,
			       enum cudaResourceType type)
{
	int is_float = t->image.kind == CT_CHANNEL_FLOAT;

	for (int i = 0; i < 3; i++) {
		if (!is_address_mode(d->addressMode[i]))
			return cudaErrorInvalidValue;
		t->address[i] = d->addressMode[i];
	}
	for (int i = 0; i < 4; i++)
		t->border[i] = d->borderColor[i];
	t->is_linear = d->filterMode == cudaFilterModeLinear && type != cudaResourceTypeLinear;
	t->is_normalized = d->readMode == cudaReadModeNormalizedFloat && !is_float;
	t->has_unit_coordinates = d->normalizedCoords != 0;
	t->is_srgb = d->sRGB && t->is_normalized && t->image.bits == 8;
	if (t->is_normalized && t->image.bits == 32)
		return cudaErrorInvalidNormSetting;
	if (t->is_linear && !t->is_normalized && !is_float)
		return cudaErrorInvalidFilterSetting;
	return cudaSuccess;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *handle,
				    const struct cudaResourceDesc *resource,
				    const struct cudaTextureDesc *description,
				    const struct cudaResourceViewDesc *view)
{
	struct object made = {0};
	cudaError_t error = ct_error_sticky();

	if (!handle || !resource || !description)
		return ct_error_set(cudaErrorInvalidValue);
	if (!error && view && view->format != cudaResViewFormatNone)
		error = cudaErrorNotSupported;
	if (!error)
		error = image_of(resource, &made.texture.image);
	if (!error)
		error = set_reading(&made.texture, description, resource->resType);
	made.resource = *resource;
	made.description = *description;
	return ct_error_set(error ? error : enter(&made, handle));
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t handle)
{
	return destroy(handle, 0);
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
					     cudaTextureObject_t handle)
{
	struct object *object = find(handle, 0);

	if (!resource || !object)
		return ct_error_set(cudaErrorInvalidValue);
	*resource = object->resource;
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *description,
					    cudaTextureObject_t handle)
{
	struct object *object = find(handle, 0);

	if (!description || !object)
		return ct_error_set(cudaErrorInvalidValue);
	*description = object->description;
	return ct_api_result(cudaSuccess);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *handle,
				    const struct cudaResourceDesc *resource)
{
	struct object made = {.is_surface = 1};
	cudaError_t error = ct_error_sticky();

	if (!handle || !resource || resource->resType != cudaResourceTypeArray)
		return ct_error_set(cudaErrorInvalidValue);
	if (!error)
		error = image_of(resource, &made.texture.image);
	if (!error && !(resource->res.array.array->flags & cudaArraySurfaceLoadStore))
		error = cudaErrorInvalidValue;
	made.resource = *resource;
	return ct_error_set(error ? error : enter(&made, handle));
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t handle)
{
	return destroy(handle, 1);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource,
					     cudaSurfaceObject_t handle)
{
	struct object *object = find(handle, 1);

	if (!resource || !object)
		return ct_error_set(cudaErrorInvalidValue);
	*resource = object->resource;
	return ct_api_result(cudaSuccess);
}
