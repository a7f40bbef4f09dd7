/* SPDX-License-Identifier: Apache-2.0 */
/* Call sites: hashes of host stacks, the same in every run of a program, which --uses-of names and
 * WAIT has. */
#ifndef CT_BASE_SITE_H
#define CT_BASE_SITE_H

#include "base/hash.h"
#include <cudatrace/preload.h>
#include <string.h>

/* The site of a frame that returns to `offset` of the file, called by the site `caller` (0: by
 * none). Directories are not in it, nor are frames of the library that is only preloaded in some
 * runs, in which threads begin. path: NULL or "": of code of no file, which is at no place that is
 * the same in every run. */
static inline uint64_t ct_site_of(uint64_t caller, const char *path, uint64_t offset)
{
	uint64_t site = ct_hash_join(0, caller);
	const char *name = path ? strrchr(path, '/') : NULL;

	if (!path || !*path)
		return site;
	name = name ? name + 1 : path;
	return strcmp(name, CT_PRELOAD_LIBRARY) == 0
		   ? caller
		   : ct_hash_join(site, ct_hash_join_string(offset, name));
}

#endif
