/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a .ct file: walk over its chunks and decode those that can be. */
#include "tests/fuzz/scratch.h"
#include "trace/codec/chunk.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ct_chunk_file *file;
	struct ct_chunk chunk;
	char path[300];
	const void *raw;
	uint64_t next = 0;

	scratch_write("chunks.ct", data, size);
	snprintf(path, sizeof(path), "%s/chunks.ct", scratch_directory());
	if (ct_chunk_file_open(&file, path) < 0)
		abort();
	while (ct_chunk_file_next(file, &chunk) == 1) {
		/* Chunks ascend and lie in the file. */
		if (chunk.offset - chunk.skipped != next)
			abort();
		next = chunk.offset + sizeof(chunk.header) + chunk.header.coded_bytes;
		if (next > size)
			abort();
		if (ct_chunk_is_known(&chunk.header))
			ct_chunk_file_read(file, &chunk, &raw);
	}
	ct_chunk_file_close(file);
	return 0;
}
