/* SPDX-License-Identifier: Apache-2.0 */
/* One ring chunk of records as a trace chunk of its own. */
#ifndef CT_TEST_ONE_CHUNK_H
#define CT_TEST_ONE_CHUNK_H

#include "trace/write/writer.h"

/* Returns 0 or the first error. */
static inline int write_one_chunk(struct ct_writer *writer, uint32_t device, uint64_t ticket,
				  const void *records, size_t bytes)
{
	struct ct_writer_stream *stream;
	int err = ct_writer_stream_open(&stream, writer, device), closed;

	if (err < 0)
		return err;
	err = ct_writer_stream_records(stream, ticket, records, bytes);
	closed = ct_writer_stream_close(stream);
	return err < 0 ? err : closed;
}

#endif
