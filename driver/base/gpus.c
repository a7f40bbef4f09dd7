/* SPDX-License-Identifier: Apache-2.0 */
/* The GPUs of this machine, asked of the driver, which is loaded only for that. */
#include "driver/base/gpus.h"

#include <dlfcn.h>

/* Numbers of cuda.h: the driver is no part of a toolkit, and cuda.h no part of this program. */
#define CAPABILITY_MAJOR 75
#define CAPABILITY_MINOR 76

struct driver {
	int (*init)(unsigned flags);
	int (*count)(int *count);
	int (*attribute)(int *value, int attribute, int device);
	int (*version)(int *version);
};

/* Returns what to close, or NULL. */
static void *load(struct driver *driver)
{
	void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return NULL;
	*(void **)&driver->init = dlsym(library, "cuInit");
	*(void **)&driver->count = dlsym(library, "cuDeviceGetCount");
	*(void **)&driver->attribute = dlsym(library, "cuDeviceGetAttribute");
	*(void **)&driver->version = dlsym(library, "cuDriverGetVersion");
	if (driver->init && driver->count && driver->attribute && driver->version)
		return library;
	dlclose(library);
	return NULL;
}

void ct_gpus_names(struct ct_args *names)
{
	struct driver driver;
	void *library = load(&driver);
	int count = 0;

	if (!library)
		return;
	if (driver.init(0) == 0 && driver.count(&count) == 0)
		for (int i = 0; i < count; i++) {
			int major, minor;

			if (driver.attribute(&major, CAPABILITY_MAJOR, i) == 0 &&
			    driver.attribute(&minor, CAPABILITY_MINOR, i) == 0)
				ct_args_pushf(names, "%d%d", major, minor);
		}
	dlclose(library);
}

unsigned ct_gpus_driver_version(void)
{
	struct driver driver;
	void *library = load(&driver);
	int version = 0;

	if (!library)
		return 0;
	if (driver.version(&version) != 0)
		version = 0;
	dlclose(library);
	return (unsigned)version;
}
