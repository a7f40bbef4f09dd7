/* SPDX-License-Identifier: Apache-2.0 */
/* Write imported accesses as a trace. */
#include "postproc/formats/memtrace/import.h"
#include <cudatrace/encode.h>
#include <errno.h>
#include <string.h>

#define SEGMENT_WORDS (CT_SEGMENT_BYTES / 8)
#define CHUNK_WORDS (CT_CHUNK_BYTES / 8)
#define SEQUENCE_MASK 0xffffu

static int ship(struct import_chunk *chunk)
{
	int err = 0;

	if (chunk->used)
		err = ct_writer_stream_records(chunk->stream, chunk->ticket++, chunk->words,
					       chunk->used * 8);
	chunk->used = 0;
	return err;
}

static int begin_segment(struct import_chunk *chunk, uint64_t cta, uint32_t sm)
{
	union ct_map_value *sequence = ct_map_put(&chunk->sequence, cta, 0);

	if (!sequence)
		return -ENOMEM;
	chunk->cta = cta;
	chunk->sm = sm;
	chunk->words[chunk->used++] =
	    CT_SEGMENT_WORD0(sm, sequence->number & SEQUENCE_MASK, chunk->launch);
	chunk->words[chunk->used++] = CT_SEGMENT_WORD1(0, cta);
	sequence->number++;
	return 0;
}

int import_begin_section(struct import_chunk *chunk, const struct import_section *section,
			 uint32_t launch, uint64_t unit_id)
{
	struct ct_event_launch event = {
	    .launch = launch,
	    .unit_id = unit_id,
	    .block = {1, 1, 1},
	    .cluster = {1, 1, 1},
	    .flags = CT_LAUNCH_TRACED,
	    .stream = section->stream,
	};
	int err = ct_writer_string(chunk->writer, section->name, &event.kernel_name);

	memcpy(event.grid, section->grid, sizeof(event.grid));
	chunk->launch = launch;
	ct_map_fini(&chunk->sequence);
	if (err < 0)
		return err;
	return ct_writer_event(chunk->writer, ct_event_launch_header(&event));
}

int import_end_section(struct import_chunk *chunk)
{
	struct ct_event_launch_done event = {.launch = chunk->launch};
	int err = ship(chunk);

	return err < 0 ? err : ct_writer_event(chunk->writer, ct_event_launch_done_header(&event));
}

int import_add(struct import_chunk *chunk, const struct import_section *section, uint32_t site,
	       const struct ct_memtrace_record *record)
{
	uint64_t words[CT_RECORD_BYTES_MAX / 8], address[CT_WARP_LANES] = {record->address};
	uint32_t count = ct_encode_access(words, site, record->size, 1, address);
	uint64_t cta =
	    record->cta[0] +
	    section->grid[0] * (record->cta[1] + (uint64_t)section->grid[1] * record->cta[2]);
	int err = 0;

	if (chunk->used + SEGMENT_WORDS + count > CHUNK_WORDS)
		err = ship(chunk);
	if (!err && (!chunk->used || chunk->cta != cta || chunk->sm != record->sm))
		err = begin_segment(chunk, cta, record->sm);
	if (err < 0)
		return err;
	memcpy(chunk->words + chunk->used, words, count * 8);
	chunk->used += count;
	return 0;
}
