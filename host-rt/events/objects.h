/* SPDX-License-Identifier: Apache-2.0 */
/* Live allocations and variables of the program: their events, and the id that a free names. */
#ifndef CT_HOST_RT_EVENTS_OBJECTS_H
#define CT_HOST_RT_EVENTS_OBJECTS_H

#include "host-rt/events/device.h"
#include <cudatrace/format.h>
#include <stddef.h>
#include <stdint.h>

/* After an allocation call that succeeded. site: descriptor or NULL; stack: row of
 * STACK, or 0. Takes the session's lock. */
void ct_objects_allocated(uint64_t address, uint64_t bytes, enum ct_object_kind kind,
			  const char *site, uint32_t stack);

/* Before a call that frees memory of these kinds (bits 1 << enum ct_object_kind) at address;
 * unknown addresses are ignored, and objects of other kinds, of which the call frees none. Takes
 * the session's lock. */
void ct_objects_freed(uint64_t address, unsigned kinds);

/* Every registered device variable, once per context of device. Session's lock held, quiet
 * section, device current. */
void ct_objects_variables(const struct ct_device *device);

/* The live objects; version changes with every birth and death. Session's lock held. */
uint64_t ct_objects_version(void);
size_t ct_objects_count(void);
void ct_objects_each(void (*each)(void *user, uint64_t address, uint64_t bytes, uint32_t object),
		     void *user);

/* A device is reset: what lived there is gone. Session's lock held. */
void ct_objects_forget(const struct ct_device *device);

#endif
