/* SPDX-License-Identifier: Apache-2.0 */
/* Where CUPTI is: beside the CUDA that the program uses, or that is installed. */
#include "host-rt/cupti/library.h"
#include <cuda.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME "libcupti.so."
#define PATH_BYTES 8192
#define MAJOR (CUDA_VERSION / 1000) /* of what we know the records of */

struct ct_cupti_library ct_cupti;
struct ct_cupti_sampling_library ct_cupti_sampling;

static void *loaded;

static char why_not[1024];

static void *open_in(const char *directory, const char *below)
{
	char path[PATH_BYTES];

	if (!directory || !*directory)
		return NULL;
	snprintf(path, sizeof(path), "%s%s/" NAME "%d", directory, below, MAJOR);
	return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* Beside a libcudart that the program has loaded. */
static void *open_beside_runtime(void)
{
	char path[4096];
	char *end;
	Dl_info runtime;
	void *symbol = dlsym(RTLD_DEFAULT, "cudaRuntimeGetVersion");

	if (!symbol || !dladdr(symbol, &runtime) || !runtime.dli_fname)
		return NULL;
	snprintf(path, sizeof(path), "%s", runtime.dli_fname);
	end = strrchr(path, '/');
	if (!end)
		return NULL;
	*end = '\0';
	return open_in(path, "");
}

static void *open_library(void)
{
	static const char *const homes[] = {"CUDA_HOME", "CUDA_PATH"};
	const char *named = secure_getenv("CUDATRACE_CUPTI");
	char name[32];
	void *library;

	if (named && *named)
		return dlopen(named, RTLD_NOW | RTLD_LOCAL);
	library = open_beside_runtime();
	for (size_t i = 0; i < sizeof(homes) / sizeof(homes[0]) && !library; i++) {
		library = open_in(secure_getenv(homes[i]), "/lib64");
		if (!library)
			library = open_in(secure_getenv(homes[i]), "/extras/CUPTI/lib64");
	}
	snprintf(name, sizeof(name), NAME "%d", MAJOR);
	if (!library)
		library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		library = open_in("/usr/local/cuda", "/lib64");
	return library ? library : open_in("/usr/local/cuda", "/extras/CUPTI/lib64");
}

bool ct_cupti_load(const char **why)
{
	void *library = open_library();

	*why = why_not;
	if (!library) {
		const char *reason = dlerror();

		snprintf(why_not, sizeof(why_not),
			 "CUPTI cannot be loaded (CUDATRACE_CUPTI names it): %s",
			 reason ? reason : "it is not there");
		return false;
	}
#define FIND(name)                                                                                 \
	*(void **)&ct_cupti.name = dlsym(library, #name);                                          \
	if (!ct_cupti.name) {                                                                      \
		snprintf(why_not, sizeof(why_not), "this CUPTI is too old, it lacks %s", #name);   \
		return false;                                                                      \
	}
	CT_CUPTI_FUNCTIONS(FIND)
#undef FIND
	loaded = library;
	return true;
}

bool ct_cupti_load_sampling(const char **why)
{
	*why = why_not;
#define FIND(name)                                                                                 \
	*(void **)&ct_cupti_sampling.name = dlsym(loaded, #name);                                  \
	if (!ct_cupti_sampling.name) {                                                             \
		snprintf(why_not, sizeof(why_not), "this CUPTI is too old, it lacks %s", #name);   \
		return false;                                                                      \
	}
	CT_CUPTI_SAMPLING_FUNCTIONS(FIND)
#undef FIND
	return true;
}
