/* SPDX-License-Identifier: Apache-2.0 */
/* The manifest of a trace that was made from files of memtrace. */
#ifndef CT_POSTPROC_FORMATS_MEMTRACE_MANIFEST_H
#define CT_POSTPROC_FORMATS_MEMTRACE_MANIFEST_H

#include "trace/write/writer.h"

/* 0 or a negative error. */
int ct_memtrace_write_manifest(struct ct_writer *writer, const char *const *file, int files);

#endif
