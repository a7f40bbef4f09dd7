/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file, or a directory of files, that appears under its name when it is
 * complete. Until then it has a temporary name beside it, which a failure, an
 * interrupt (SIGINT, SIGTERM, SIGHUP) or an early exit removes.
 *
 * One at a time per process.
 */
#ifndef CT_POSTPROC_TABLES_OUTPUT_H
#define CT_POSTPROC_TABLES_OUTPUT_H

#include <stddef.h>
#include <stdio.h>

#define CT_OUTPUT_FILES_MAX 256

struct ct_output;

/* path may name a regular file, which is replaced, or a directory that is
 * empty or does not exist. On failure *out is NULL and why holds one line. */
int ct_output_open(struct ct_output **out, const char *path, int is_directory, char *why,
		   size_t why_bytes);

/* The temporary name of the file, for libraries that write it themselves. */
const char *ct_output_path(const struct ct_output *output);

/* The file, empty; or a new one in the directory. Closed by the caller. NULL with errno set. */
FILE *ct_output_file(struct ct_output *output, const char *name);

/* Give it its name and close. 0 or a negative error; on failure nothing stays. */
int ct_output_commit(struct ct_output *output);

/* Remove what was written. NULL is allowed. */
void ct_output_discard(struct ct_output *output);

#endif
