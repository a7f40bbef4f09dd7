/* SPDX-License-Identifier: Apache-2.0 */
/* The user's cache. */
#include "driver/base/cache.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int ct_cache_path(char path[PATH_MAX], const char *name)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	bool has_cache = cache && *cache == '/';

	if (!has_cache && (!home || *home != '/'))
		return -ENOENT;
	if (snprintf(path, PATH_MAX, "%s%s/cuda-trace/%s", has_cache ? cache : home,
		     has_cache ? "" : "/.cache", name) >= PATH_MAX)
		return -ENAMETOOLONG;
	return 0;
}

int ct_cache_path_of_compiles(char path[PATH_MAX], const char *name)
{
	const char *choice = getenv("CUDATRACE_CACHE");

	return choice && strcmp(choice, "off") == 0 ? -ENOENT : ct_cache_path(path, name);
}

void ct_cache_make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0777);
		*slash = '/';
	}
}
