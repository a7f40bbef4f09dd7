/* SPDX-License-Identifier: Apache-2.0 */
/* A private directory under TMPDIR for the files of one compile. */
#ifndef CT_DRIVER_COMPILER_SCRATCH_H
#define CT_DRIVER_COMPILER_SCRATCH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct ct_scratch {
	char path[PATH_MAX - 256]; /* "" if not made */
};

/* Make it. Returns 0, or -errno with one line in why. */
int ct_scratch_init(struct ct_scratch *scratch, char *why, size_t why_bytes);

/* Write a file into it; its path goes to path[PATH_MAX]. Returns 0 or -errno. */
int ct_scratch_write(const struct ct_scratch *scratch, const char *name, const void *data,
		     size_t bytes, char *path);

/* Write the bytes of one file into another. Returns 0 or -errno. */
int ct_scratch_copy(const char *from, const char *to);

/* Remove it and the files in it. */
void ct_scratch_fini(struct ct_scratch *scratch);

#endif
