/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CUDA arrays: rows one behind the other without a gap, in device memory.
 */
#ifndef CT_CPU_TARGET_RUNTIME_MEMORY_ARRAY_H
#define CT_CPU_TARGET_RUNTIME_MEMORY_ARRAY_H

#include "cpu-target/runtime/memory/copy.h"
#include "cpu-target/runtime/memory/image.h"

struct cudaArray { /* what CUDA's headers leave to the runtime */
	struct ct_cpu_image image;
	struct cudaChannelFormatDesc format;
	struct cudaExtent extent; /* as it was asked for: 0 where there is nothing */
	unsigned flags;
};

/* Bytes of an element. */
static inline size_t ct_image_element(const struct ct_cpu_image *image)
{
	return (size_t)image->channels * image->bits / 8;
}

/* Channels, bits and kind of an image; cudaErrorInvalidChannelDescriptor if textures have no such
 * format. */
cudaError_t ct_image_format(struct ct_cpu_image *image, const struct cudaChannelFormatDesc *format);

/* Entered in the table of arrays. flags: cudaArrayDefault, or cudaArrayLayered, SurfaceLoadStore,
 * Cubemap, TextureGather or'ed. */
cudaError_t ct_array_new(cudaArray_t *array, const struct cudaChannelFormatDesc *format,
			 struct cudaExtent extent, unsigned flags);

/* cudaErrorInvalidValue if it is none that lives. */
cudaError_t ct_array_delete(cudaArray_t array);
cudaError_t ct_array_check(cudaArray_const_t array);

/* Returns the part that begins x bytes into row y of the first plane. */
struct ct_box ct_array_box(cudaArray_const_t array, size_t x, size_t y);

#endif
