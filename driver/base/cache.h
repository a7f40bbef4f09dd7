/* SPDX-License-Identifier: Apache-2.0 */
/* The user's cache: $XDG_CACHE_HOME/cuda-trace, or ~/.cache/cuda-trace. */
#ifndef CT_DRIVER_BASE_CACHE_H
#define CT_DRIVER_BASE_CACHE_H

#include <limits.h>

/* Where this name is in it. 0, -ENOENT if neither variable names a folder, or -ENAMETOOLONG. */
int ct_cache_path(char path[PATH_MAX], const char *name);

/* The same for what a compile keeps for others; CUDATRACE_CACHE=off in the environment: -ENOENT. */
int ct_cache_path_of_compiles(char path[PATH_MAX], const char *name);

/* Makes the folders that path stands in, as far as that can be done. */
void ct_cache_make_folders(char *path);

#endif
