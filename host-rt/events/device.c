/* SPDX-License-Identifier: Apache-2.0 */
/* Devices by ordinal, announced when they are first used. */
#include "host-rt/events/device.h"
#include "host-rt/events/events.h"
#include <cuda_runtime_api.h>
#include <string.h>

/* Defined by the CPU target's runtime. */
extern const char ct_cpu_target __attribute__((weak));

static struct ct_device devices[CT_DEVICES_MAX];

bool ct_device_is_cpu_target(void)
{
	return &ct_cpu_target != NULL;
}

struct ct_device *ct_device_at(int ordinal)
{
	return devices[ordinal].announced ? &devices[ordinal] : NULL;
}

static uint32_t attribute(int ordinal, enum cudaDeviceAttr which)
{
	int value = 0;

	return cudaDeviceGetAttribute(&value, which, ordinal) == cudaSuccess ? (uint32_t)value : 0;
}

uint32_t ct_device_sm_count(const struct ct_device *device)
{
	return attribute(device->ordinal, cudaDevAttrMultiProcessorCount);
}

static void announce(struct ct_device *device, int ordinal)
{
	struct ct_event_device event = {.device = (uint32_t)ordinal};
	struct cudaDeviceProp properties;

	memset(&properties, 0, sizeof(properties));
	if (cudaGetDeviceProperties(&properties, ordinal) == cudaSuccess) {
		event.name = ct_events_string(properties.name);
		event.memory_bytes = properties.totalGlobalMem;
	}
	device->ordinal = ordinal;
	device->announced = true;
	event.arch = 10 * attribute(ordinal, cudaDevAttrComputeCapabilityMajor) +
		     attribute(ordinal, cudaDevAttrComputeCapabilityMinor);
	event.sm_count = ct_device_sm_count(device);
	event.is_cpu_target = ct_device_is_cpu_target();
	ct_events_write(ct_event_device_header(&event));
}

struct ct_device *ct_device_current(void)
{
	int ordinal;

	if (cudaGetDevice(&ordinal) != cudaSuccess || ordinal < 0 || ordinal >= CT_DEVICES_MAX)
		return NULL;
	if (!devices[ordinal].announced)
		announce(&devices[ordinal], ordinal);
	return &devices[ordinal];
}

void ct_device_renew(struct ct_device *device)
{
	device->generation++;
}
