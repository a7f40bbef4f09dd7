/* SPDX-License-Identifier: Apache-2.0 */
/* Records as a GPU sends them, made up: chunks of warps in the order in which they come to run. */
#ifndef BENCH_CODEC_STREAMS_H
#define BENCH_CODEC_STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stream {
	uint64_t *words;
	size_t count;
	uint64_t accesses; /* of threads */
};

struct stream_shape {
	const char *name;
	const char *what;
	/* One warp's records; returns the words, adds to *accesses. At the begin of a ring chunk
	 * is_first is set, and groups are put in force. */
	uint32_t (*put)(uint64_t *words, uint64_t warp, int is_first, uint64_t *accesses);
};

extern const struct stream_shape stream_shapes[];
extern const size_t stream_shape_count;

/* About bytes of records; freed by the caller. words is NULL without memory. is_padded:
 * every CT_CHUNK_BYTES a ring chunk begins; the rest of the one before is zero. */
struct stream stream_make(const struct stream_shape *shape, size_t bytes, bool is_padded);

#endif
