/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Write imported accesses as a trace. The source tells no warps, so every
 * access becomes a record of one lane: lane 0 of warp 0 of its CTA.
 */
#ifndef CT_POSTPROC_FORMATS_MEMTRACE_IMPORT_H
#define CT_POSTPROC_FORMATS_MEMTRACE_IMPORT_H

#include "base/map.h"
#include "postproc/formats/memtrace/memtrace.h"
#include "trace/write/writer.h"
#include <cudatrace/ring.h>
#include <stdint.h>

struct import_section {
	char *name;
	uint64_t stream;
	uint64_t records;
	uint32_t grid[3]; /* the smallest that holds every CTA seen */
	uint32_t kernel;  /* in the unit */
};

struct import_chunk {
	struct ct_writer *writer;
	struct ct_writer_stream *stream;
	uint64_t ticket;
	uint64_t words[CT_CHUNK_BYTES / 8];
	uint32_t used; /* words */
	uint64_t cta;  /* of the segment in work */
	uint32_t sm;
	uint32_t launch;
	struct ct_map sequence; /* segments so far, by CTA of the launch */
};

/* The launch events around a section's records. */
int import_begin_section(struct import_chunk *chunk, const struct import_section *section,
			 uint32_t launch, uint64_t unit_id);
int import_end_section(struct import_chunk *chunk);

int import_add(struct import_chunk *chunk, const struct import_section *section, uint32_t site,
	       const struct ct_memtrace_record *record);

#endif
