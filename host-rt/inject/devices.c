/* SPDX-License-Identifier: Apache-2.0 */
/* The end of the program's work on devices, by the driver that it has loaded. */
#include "host-rt/process/devices.h"
#include <cuda.h>
#include <dlfcn.h>
#include <stdbool.h>

#define DRIVER_FUNCTIONS(FUNCTION)                                                                 \
	FUNCTION(cuDeviceGetCount, "cuDeviceGetCount")                                             \
	FUNCTION(cuDevicePrimaryCtxGetState, "cuDevicePrimaryCtxGetState")                         \
	FUNCTION(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain")                             \
	FUNCTION(cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2")                        \
	FUNCTION(cuCtxSetCurrent, "cuCtxSetCurrent")                                               \
	FUNCTION(cuCtxSynchronize, "cuCtxSynchronize")

struct driver {
#define MEMBER(name, symbol) __typeof__(&name) name;
	DRIVER_FUNCTIONS(MEMBER)
#undef MEMBER
};

static bool find(struct driver *driver)
{
	void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);

	if (!library)
		return false;
#define FIND(name, symbol)                                                                         \
	*(void **)&driver->name = dlsym(library, symbol);                                          \
	if (!driver->name)                                                                         \
		return false;
	DRIVER_FUNCTIONS(FIND)
#undef FIND
	return true;
}

/* The runtime's context of a device, if it has one. */
static void wait_for(const struct driver *driver, int ordinal)
{
	CUcontext context = NULL;
	unsigned flags;
	int is_active = 0;

	if (driver->cuDevicePrimaryCtxGetState(ordinal, &flags, &is_active) != CUDA_SUCCESS ||
	    !is_active || driver->cuDevicePrimaryCtxRetain(&context, ordinal) != CUDA_SUCCESS)
		return;
	if (driver->cuCtxSetCurrent(context) == CUDA_SUCCESS)
		driver->cuCtxSynchronize();
	driver->cuCtxSetCurrent(NULL);
	driver->cuDevicePrimaryCtxRelease(ordinal);
}

void ct_devices_wait(void)
{
	struct driver driver;
	int count = 0;

	if (!find(&driver) || driver.cuDeviceGetCount(&count) != CUDA_SUCCESS)
		return;
	for (int ordinal = 0; ordinal < count; ordinal++)
		wait_for(&driver, ordinal);
}

void ct_devices_finish(void)
{
}

void ct_devices_abandon(void)
{
}
