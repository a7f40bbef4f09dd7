/* SPDX-License-Identifier: Apache-2.0 */
/* Which devices there are: the number that events name, and the DEVICE event that reports it. */
#ifndef CT_HOST_RT_EVENTS_DEVICE_H
#define CT_HOST_RT_EVENTS_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#define CT_DEVICES_MAX 64

struct ct_device {
	int ordinal;
	bool announced;      /* DEVICE event written */
	uint32_t generation; /* of the CUDA context: counts resets */
};

/* Device of the calling thread, NULL if there is none or it is past
 * CT_DEVICES_MAX. With the session's lock held; writes the DEVICE event once. */
struct ct_device *ct_device_current(void);
/* NULL if it is not announced. */
struct ct_device *ct_device_at(int ordinal);

/* The CUDA context goes: nothing learnt about kernels and variables holds in the next. */
void ct_device_renew(struct ct_device *device);

/* 0 if it is not known. */
uint32_t ct_device_sm_count(const struct ct_device *device);

bool ct_device_is_cpu_target(void);

#endif
