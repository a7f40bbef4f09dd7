/* SPDX-License-Identifier: Apache-2.0 */
/* Code, check and decode one chunk. */
#include "chunk.h"

#include <cudatrace/error.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

#define HASHED_HEADER_BYTES offsetof(struct ct_chunk_header, header_hash)

struct ct_coder {
	ZSTD_CCtx *zstd; /* NULL: store */
	int level;
	void *buffer;
	size_t buffer_bytes;
};

int ct_coder_open(struct ct_coder **out, int level)
{
	struct ct_coder *coder = calloc(1, sizeof(*coder));

	*out = NULL;
	if (!coder)
		return -ENOMEM;
	coder->level = level;
	if (level > 0) {
		coder->zstd = ZSTD_createCCtx();
		if (!coder->zstd)
			goto free_coder;
	}
	*out = coder;
	return 0;

free_coder:
	free(coder);
	return -ENOMEM;
}

void ct_coder_close(struct ct_coder *coder)
{
	if (!coder)
		return;
	ZSTD_freeCCtx(coder->zstd);
	free(coder->buffer);
	free(coder);
}

static int reserve_buffer(struct ct_coder *coder, size_t bytes)
{
	void *buffer;

	if (bytes <= coder->buffer_bytes)
		return 0;
	buffer = realloc(coder->buffer, bytes);
	if (!buffer)
		return -ENOMEM;
	coder->buffer = buffer;
	coder->buffer_bytes = bytes;
	return 0;
}

/* Returns the compressed size, 0 if storing is better, or a negative error. */
static int64_t compress_payload(struct ct_coder *coder, const void *raw, size_t raw_bytes)
{
	size_t coded;
	int err;

	if (!coder->zstd)
		return 0;
	err = reserve_buffer(coder, ZSTD_compressBound(raw_bytes));
	if (err < 0)
		return err;
	coded = ZSTD_compressCCtx(coder->zstd, coder->buffer, coder->buffer_bytes, raw, raw_bytes,
				  coder->level);
	if (ZSTD_isError(coded))
		return -ENOMEM; /* with a sufficient buffer, zstd fails only for want of memory */
	return coded < raw_bytes ? (int64_t)coded : 0;
}

int ct_chunk_code(struct ct_coder *coder, struct ct_chunk_header *header, const void *raw,
		  size_t raw_bytes, const void **payload)
{
	int64_t coded;

	if (raw_bytes > CT_CHUNK_RAW_MAX)
		return -EMSGSIZE;
	coded = compress_payload(coder, raw, raw_bytes);
	if (coded < 0)
		return (int)coded;

	*payload = coded ? coder->buffer : raw;
	header->magic = CT_CHUNK_MAGIC;
	header->version = CT_FORMAT_VERSION;
	header->codec = coded ? CT_CODEC_ZSTD : CT_CODEC_NONE;
	header->reserved = 0;
	header->raw_bytes = (uint32_t)raw_bytes;
	header->coded_bytes = coded ? (uint32_t)coded : (uint32_t)raw_bytes;
	header->flags = 0;
	header->payload_hash = XXH3_64bits(*payload, header->coded_bytes);
	header->reserved2 = 0;
	header->header_hash = XXH3_64bits(header, HASHED_HEADER_BYTES);
	return 0;
}

int ct_chunk_check(const struct ct_chunk_header *header)
{
	if (header->magic != CT_CHUNK_MAGIC || header->version == 0)
		return -CT_EFORMAT;
	if (header->header_hash != XXH3_64bits(header, HASHED_HEADER_BYTES))
		return -CT_EFORMAT;
	/* Only now can the version be believed. */
	if (header->version > CT_FORMAT_VERSION)
		return -CT_EVERSION;
	if (header->raw_bytes > CT_CHUNK_RAW_MAX || header->last_sequence < header->first_sequence)
		return -CT_EFORMAT;
	return 0;
}

bool ct_chunk_is_known(const struct ct_chunk_header *header)
{
	return header->kind >= CT_CHUNK_RECORDS && header->kind <= CT_CHUNK_UNIT &&
	       header->codec <= CT_CODEC_ZSTD && header->flags == 0;
}

int ct_chunk_decode(const struct ct_chunk_header *header, const void *payload, void *raw)
{
	size_t bytes;

	if (header->payload_hash != XXH3_64bits(payload, header->coded_bytes))
		return -CT_ECHECKSUM;
	switch (header->codec) {
	case CT_CODEC_NONE:
		if (header->coded_bytes != header->raw_bytes)
			return -CT_ECODEC;
		memcpy(raw, payload, header->raw_bytes);
		return 0;
	case CT_CODEC_ZSTD:
		bytes = ZSTD_decompress(raw, header->raw_bytes, payload, header->coded_bytes);
		if (ZSTD_isError(bytes) || bytes != header->raw_bytes)
			return -CT_ECODEC;
		return 0;
	default:
		return -CT_ECODEC;
	}
}
