/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses what runs for a kernel on a device, from the attributes of the kernel and of its clone.
 */
#include "host-rt/launch/image.h"
#include "host-rt/calls/symbols.h"
#include "host-rt/events/session.h"
#include <cudatrace/format.h>
#include <stdlib.h>
#include <string.h>

static void read_pristine(struct ct_kernel_image *image, const struct ct_kernel *kernel)
{
	const struct ct_unit_header *unit;
	struct cudaFuncAttributes attributes;
	uint32_t ptx_arch = 0, binary_arch = 0;

	memset(&attributes, 0, sizeof(attributes));
	if (cudaFuncGetAttributes(&attributes, kernel->stub) == cudaSuccess) {
		ptx_arch = (uint32_t)attributes.ptxVersion;
		binary_arch = (uint32_t)attributes.binaryVersion;
		image->pristine_shared = attributes.maxDynamicSharedSizeBytes;
		image->pristine_threads = attributes.maxThreadsPerBlock;
	}
	image->cluster[0] =
	    attributes.requiredClusterWidth > 0 ? attributes.requiredClusterWidth : 1;
	image->cluster[1] =
	    attributes.requiredClusterHeight > 0 ? attributes.requiredClusterHeight : 1;
	image->cluster[2] =
	    attributes.requiredClusterDepth > 0 ? attributes.requiredClusterDepth : 1;
	unit = ct_registry_unit(kernel->unit_id, ptx_arch, binary_arch);
	image->unit_arch = unit ? unit->arch : 0;
}

/* The pass says in the unit why it made no clone. */
static const char *reason_of_pass(const struct ct_kernel_image *image,
				  const struct ct_kernel *kernel)
{
	const struct ct_unit_header *unit =
	    ct_registry_unit(kernel->unit_id, image->unit_arch, image->unit_arch);
	const struct ct_unit_kernel *entry =
	    unit ? ct_registry_unit_kernel(unit, kernel->name) : NULL;
	const char *reason = entry ? ct_registry_unit_string(unit, entry->reason) : "";

	if (!*reason && unit && !unit->values &&
	    ct_session_options()->tier_number == CT_TIER_VALUES)
		return "compiled without values (--ct-values)";
	return *reason ? reason : NULL;
}

const void *ct_image_code(const struct ct_kernel *kernel)
{
	switch (ct_session_options()->tier_number) {
	case CT_TIER_CLOCK:
		return kernel->clock;
	case CT_TIER_BLOCKS:
		return kernel->blocks;
	default:
		return kernel->clone;
	}
}

static const char *why_no_code(const struct ct_kernel *kernel)
{
	if (!kernel->clone)
		return "compiled without an instrumented clone";
	return ct_session_options()->tier_number == CT_TIER_BLOCKS
		   ? "compiled without basic blocks (--ct-events=block)"
		   : "compiled without the clock of thread blocks (--ct-events=cta)";
}

static void read_clone(struct ct_kernel_image *image, const struct ct_kernel *kernel)
{
	const void *code = ct_image_code(kernel);
	struct cudaFuncAttributes attributes;

	image->reason = reason_of_pass(image, kernel);
	if (image->reason)
		return;
	if (!code) {
		image->reason = why_no_code(kernel);
		return;
	}
	memset(&attributes, 0, sizeof(attributes));
	if (cudaFuncGetAttributes(&attributes, code) != cudaSuccess) {
		image->reason = "no instrumented code for this device's architecture";
		return;
	}
	image->clone_threads = attributes.maxThreadsPerBlock;
	image->clone_shared = attributes.maxDynamicSharedSizeBytes;
}

struct ct_kernel_image *ct_image_of(struct ct_kernel *kernel, const struct ct_device *device)
{
	struct ct_kernel_image *image;

	for (image = kernel->images; image; image = image->next)
		if (image->device == device->ordinal && image->generation == device->generation)
			return image;
	image = calloc(1, sizeof(*image));
	if (!image)
		return NULL;
	image->device = device->ordinal;
	image->generation = device->generation;
	read_pristine(image, kernel);
	read_clone(image, kernel);
	image->next = kernel->images;
	kernel->images = image;
	return image;
}

/* Graphs may still refer to the old ones. */
void ct_image_renew(const struct ct_kernel *kernel)
{
	for (struct ct_kernel_image *image = kernel->images; image; image = image->next)
		image->generation = UINT32_MAX;
}

static bool raise_shared(struct ct_kernel_image *image, const struct ct_kernel *kernel,
			 uint64_t bytes)
{
	struct cudaFuncAttributes now;

	/* The program may have raised the pristine kernel's limit since. */
	if (bytes > (uint64_t)image->pristine_shared) {
		if (cudaFuncGetAttributes(&now, kernel->stub) != cudaSuccess)
			return false;
		image->pristine_shared = now.maxDynamicSharedSizeBytes;
		if (bytes > (uint64_t)image->pristine_shared)
			return false;
	}
	if (__real_cudaFuncSetAttribute(ct_image_code(kernel),
					cudaFuncAttributeMaxDynamicSharedMemorySize,
					(int)bytes) != cudaSuccess)
		return false;
	image->clone_shared = (int)bytes;
	return true;
}

const char *ct_image_fits(struct ct_kernel_image *image, const struct ct_kernel *kernel,
			  uint64_t block_threads, uint64_t shared_bytes)
{
	if (block_threads > (uint64_t)image->pristine_threads)
		return "block too large for the kernel";
	if (block_threads > (uint64_t)image->clone_threads)
		return "block too large for the instrumented kernel's registers";
	if (shared_bytes <= (uint64_t)image->clone_shared ||
	    raise_shared(image, kernel, shared_bytes))
		return NULL;
	return shared_bytes > (uint64_t)image->pristine_shared
		   ? "more shared memory than the kernel may have"
		   : "not enough shared memory left for the instrumented kernel";
}
