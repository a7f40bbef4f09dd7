/* SPDX-License-Identifier: Apache-2.0 */
/* Write the files of the thesis' trace format, sections in any order. */
#ifndef CT_POSTPROC_FORMATS_MEMTRACE_OUT_H
#define CT_POSTPROC_FORMATS_MEMTRACE_OUT_H

#include "postproc/formats/memtrace/memtrace.h"
#include "postproc/formats/memtrace/pipes.h"

struct ct_memtrace_out;

/* Creates directory, which must not exist or be empty, and every file with its
 * section headers and ends. pipes and trace must outlive the output. */
int ct_memtrace_out_open(struct ct_memtrace_out **out, const char *directory,
			 const struct ct_trace *trace, const struct ct_pipes *pipes, char *why,
			 size_t why_bytes);

/* The next record of a launch. -ERANGE: more than were counted. */
int ct_memtrace_out_add(struct ct_memtrace_out *out, size_t launch,
			const struct ct_memtrace_record *record);

/* Writes what is buffered; returns the first error. NULL is allowed. */
int ct_memtrace_out_close(struct ct_memtrace_out *out);

#endif
