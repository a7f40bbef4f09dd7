/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where each launch goes in an export of the thesis' format: one file per
 * stream (a "pipe"), in it one section per traced launch, in launch order.
 *
 *   0x18 LF | name LF | 24 B * records | 24 zero bytes | name LF | …
 */
#ifndef CT_POSTPROC_FORMATS_MEMTRACE_PIPES_H
#define CT_POSTPROC_FORMATS_MEMTRACE_PIPES_H

#include "trace/read/reader.h"

struct ct_pipe {
	uint32_t part;
	uint32_t device;
	uint64_t stream;
	uint64_t number; /* n of MemTrace-pipe-<n> */
	uint64_t bytes;  /* of the whole file */
};

struct ct_pipe_section {
	uint32_t pipe;    /* index; CT_NONE: launch not traced */
	uint64_t header;  /* offset of the name */
	uint64_t start;   /* offset of the first record */
	uint64_t records; /* thread-level accesses */
};

struct ct_pipes {
	struct ct_pipe *pipe;
	size_t pipe_count;
	struct ct_pipe_section *section; /* by launch index */
	size_t launch_count;
};

/* Find the pipes of the launches that are wanted (by index, 1; NULL: all); sections are known
 * after the records were counted into pipes->section[].records, by ct_pipes_lay_out. */
int ct_pipes_init(struct ct_pipes *pipes, const struct ct_trace *trace, const uint8_t *wanted);
void ct_pipes_lay_out(struct ct_pipes *pipes, const struct ct_trace *trace);
void ct_pipes_fini(struct ct_pipes *pipes);

#endif
