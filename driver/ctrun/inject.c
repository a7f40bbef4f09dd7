/* SPDX-License-Identifier: Apache-2.0 */
/* Variables that name our library to the driver and to NVTX. */
#include "driver/ctrun/inject.h"

#include "driver/base/gpus.h"
#include "driver/ctrun/diagnose.h"
#include "driver/ctrun/library.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "libcudatrace-inject.so"
#define FOR_DRIVER "CUDA_INJECTION64_PATH"
#define FOR_NVTX "NVTX_INJECTION64_PATH"

/* The tool of another that a variable names, or NULL. */
static const char *other_tool(const char *variable, const char *path)
{
	const char *set = getenv(variable);

	return set && *set && strcmp(set, path) != 0 ? set : NULL;
}

bool ctrun_inject_is_due(const char *program)
{
	char path[PATH_MAX];

	return ctrun_library(LIBRARY, path) == 0 && !other_tool(FOR_DRIVER, path) &&
	       !ctrun_has_runtime(program) && ct_gpus_driver_version();
}

static int put(const char *variable, const char *path, char *why, size_t why_bytes)
{
	if (setenv(variable, path, 1) == 0)
		return 0;
	snprintf(why, why_bytes, "%s: %s", variable, strerror(errno));
	return -errno;
}

int ctrun_inject_prepare(bool is_wanted, char *why, size_t why_bytes)
{
	char path[PATH_MAX];
	int err = ctrun_library(LIBRARY, path);
	const char *other;

	if (err < 0 && !is_wanted)
		return 0; /* programs have NVTX in their own code */
	if (err < 0) {
		snprintf(why, why_bytes,
			 "--inject: " CT_LIBDIR "/" LIBRARY " of this installation: %s",
			 strerror(-err));
		return err;
	}
	other = other_tool(FOR_DRIVER, path);
	if (is_wanted && other) {
		snprintf(why, why_bytes,
			 "--inject: " FOR_DRIVER
			 " names another tool (%s); the driver takes one: unset it",
			 other);
		return -EBUSY;
	}
	if (is_wanted)
		err = put(FOR_DRIVER, path, why, why_bytes);
	other = other_tool(FOR_NVTX, path);
	if (other)
		fprintf(stderr,
			"[ctrun] " FOR_NVTX " names another tool (%s), which gets the NVTX "
			"ranges of the program\n",
			other);
	else if (err == 0)
		err = put(FOR_NVTX, path, why, why_bytes);
	return err;
}
