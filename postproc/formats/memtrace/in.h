/* SPDX-License-Identifier: Apache-2.0 */
/* Read files of the thesis' trace format, section by section. */
#ifndef CT_POSTPROC_FORMATS_MEMTRACE_IN_H
#define CT_POSTPROC_FORMATS_MEMTRACE_IN_H

#include "postproc/formats/memtrace/memtrace.h"
#include <stddef.h>
#include <stdint.h>

struct ct_memtrace_in;

/* Opens a file and checks its first line. On failure *out is NULL and why
 * holds one line. */
int ct_memtrace_in_open(struct ct_memtrace_in **out, const char *path, char *why, size_t why_bytes);
void ct_memtrace_in_close(struct ct_memtrace_in *in); /* NULL is allowed */

/* The next section's kernel name, valid until the next call: 1, 0 at the end
 * of the file, or a negative error with a line in why. */
int ct_memtrace_in_section(struct ct_memtrace_in *in, const char **name);

/* The section's next record: 1, 0 at its end, or a negative error. */
int ct_memtrace_in_record(struct ct_memtrace_in *in, struct ct_memtrace_record *record);

/* Bytes read, and the file's size. */
void ct_memtrace_in_position(const struct ct_memtrace_in *in, uint64_t *done, uint64_t *total);

#endif
