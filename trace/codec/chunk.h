/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chunks, the only thing .ct files consist of: code one for writing, walk
 * through those of a file. docs/trace-format.md, "Chunks".
 */
#ifndef CT_TRACE_CODEC_CHUNK_H
#define CT_TRACE_CODEC_CHUNK_H

#include "base/buffer.h"

#include <cudatrace/format.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Compressor, decompressor and their buffers; one per thread at a time. */
struct ct_coder;

int ct_coder_open(struct ct_coder **out, int level); /* of zstd; 0: no zstd */
void ct_coder_close(struct ct_coder *coder);         /* NULL is allowed */

/* Code raw[raw_bytes] (at most CT_CHUNK_RAW_MAX, else -EMSGSIZE) with the stages
 * of codec that make it smaller (DELTA only of RECORDS), and fill in header, whose
 * kind, table and sequences the caller has set. *payload has
 * header->coded_bytes bytes and is valid until the next call with this coder
 * and as long as raw, which it may be. */
int ct_chunk_code(struct ct_coder *coder, enum ct_codec codec, struct ct_chunk_header *header,
		  const void *raw, size_t raw_bytes, const void **payload);

/* 0 if header is sound and of a version we read; -CT_EFORMAT if it is not a
 * header or damaged, -CT_EVERSION if sound but newer. */
int ct_chunk_check(const struct ct_chunk_header *header);

/* Whether a sound header is of a kind, codec and flags that this reader knows. */
bool ct_chunk_is_known(const struct ct_chunk_header *header);

/* Check and decode the payload of a sound header into raw[header->raw_bytes].
 * -CT_ECHECKSUM or -CT_ECODEC if it is damaged; -ENOMEM. */
int ct_chunk_decode(struct ct_coder *coder, const struct ct_chunk_header *header,
		    const void *payload, void *raw);

/* A file opened for reading. Its size is taken when it is opened: what is
 * appended later is not seen. */
struct ct_chunk_file;

/* A chunk found in a file. */
struct ct_chunk {
	struct ct_chunk_header header;
	uint64_t offset;  /* of the header in the file */
	uint64_t skipped; /* damaged bytes just before it that are no chunk */
	uint64_t torn;    /* with -CT_ETORN: bytes from offset to the end of the file */
};

/* -errno, among them -ELOOP for a symbolic link; -EINVAL if it is no regular file. */
int ct_chunk_file_open(struct ct_chunk_file **out, const char *path);
void ct_chunk_file_close(struct ct_chunk_file *file); /* NULL is allowed */
uint64_t ct_chunk_file_bytes(const struct ct_chunk_file *file);

/* The next chunk with a sound header whose payload lies wholly in the file;
 * after damage, the next one that can be found. Returns
 *    1            *chunk is filled in (its payload is not read yet)
 *    0            end; chunk->skipped damaged bytes stand before it
 *   -CT_ETORN     end, in the middle of a chunk that begins at chunk->offset
 *   -CT_EVERSION  chunk->offset holds a chunk of a newer version
 *   -errno        the file cannot be read */
int ct_chunk_file_next(struct ct_chunk_file *file, struct ct_chunk *chunk);

/* The chunk at a place where ct_chunk_file_next has found one. -CT_EFORMAT or -CT_ETORN if it
 * is there no more. */
int ct_chunk_file_at(const struct ct_chunk_file *file, uint64_t offset, struct ct_chunk *chunk);

/* Read, check and decode the payload of a chunk of this file that is known
 * (ct_chunk_is_known). *raw has chunk->header.raw_bytes bytes, is aligned for
 * any type and valid until the next call; ct_chunk_file_take makes it the
 * caller's, to be freed. */
int ct_chunk_file_read(struct ct_chunk_file *file, const struct ct_chunk *chunk, const void **raw);
void *ct_chunk_file_take(struct ct_chunk_file *file);

/* The same into the caller's buffer, over what was in it. */
int ct_chunk_file_load(struct ct_chunk_file *file, const struct ct_chunk *chunk,
		       struct ct_buffer *raw);

#endif
