/* SPDX-License-Identifier: Apache-2.0 */
/* Variables that name our library to the driver and to NVTX. */
#include "driver/ctrun/inject.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY CT_LIBDIR "/libcudatrace-inject.so"
#define FOR_DRIVER "CUDA_INJECTION64_PATH"
#define FOR_NVTX "NVTX_INJECTION64_PATH"

/* In the directory above bin/ of this executable. */
static int find_library(char path[PATH_MAX])
{
	char root[PATH_MAX];
	ssize_t bytes = readlink("/proc/self/exe", root, sizeof(root) - 1);

	if (bytes < 0)
		return -errno;
	root[bytes] = '\0';
	for (int up = 0; up < 2; up++)
		if (strrchr(root, '/'))
			*strrchr(root, '/') = '\0';
	if (snprintf(path, PATH_MAX, "%s/" LIBRARY, root) >= PATH_MAX)
		return -ENAMETOOLONG;
	return access(path, R_OK) == 0 ? 0 : -errno;
}

/* The tool of another that a variable names, or NULL. */
static const char *other_tool(const char *variable, const char *path)
{
	const char *set = getenv(variable);

	return set && *set && strcmp(set, path) != 0 ? set : NULL;
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
	int err = find_library(path);
	const char *other;

	if (err < 0 && !is_wanted)
		return 0; /* programs have NVTX in their own code */
	if (err < 0) {
		snprintf(why, why_bytes, "--inject: " LIBRARY " of this installation: %s",
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
