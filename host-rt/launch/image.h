/* SPDX-License-Identifier: Apache-2.0 */
/* Describes what runs for a kernel on a device: which architecture's image, and what its clone
 * can take. */
#ifndef CT_HOST_RT_LAUNCH_IMAGE_H
#define CT_HOST_RT_LAUNCH_IMAGE_H

#include "host-rt/base/registry.h"
#include "host-rt/events/device.h"

struct ct_kernel_image {
	struct ct_kernel_image *next;
	int device;
	uint32_t generation; /* of the device's context */
	uint32_t unit_arch;  /* 0: no unit blob */
	const char *reason;  /* why the clone cannot run at all, NULL if it can */
	int clone_threads;   /* largest block */
	int pristine_threads;
	int clone_shared; /* largest dynamic shared memory as things stand */
	int pristine_shared;
	uint32_t cluster[3]; /* from the kernel's declaration, 1 if it has none */
};

/* Returns what runs in the kernel's place when it is traced: in tier clock the clone that has the
 * CTA clock alone. NULL if it has none. */
const void *ct_image_code(const struct ct_kernel *kernel);

/* Asked for once per device and context. Session's lock held, quiet section,
 * device current; loads the kernel's module if need be. NULL out of memory. */
struct ct_kernel_image *ct_image_of(struct ct_kernel *kernel, const struct ct_device *device);

/* The program has changed attributes that an image tells: ask again. Session's lock held. */
void ct_image_renew(const struct ct_kernel *kernel);

/* Why the clone cannot take such a launch, NULL if it can. Raises the clone's
 * limit of dynamic shared memory where the pristine kernel allows as much. */
const char *ct_image_fits(struct ct_kernel_image *image, const struct ct_kernel *kernel,
			  uint64_t block_threads, uint64_t shared_bytes);

#endif
