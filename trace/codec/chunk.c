/* SPDX-License-Identifier: Apache-2.0 */
/* Code, check and decode one chunk. */
#include "trace/codec/chunk.h"

#include "base/array.h"
#include "trace/codec/delta.h"

#include <cudatrace/error.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

#define HASHED_HEADER_BYTES offsetof(struct ct_chunk_header, header_hash)

struct ct_coder {
	int level;
	ZSTD_CCtx *zstd; /* each made when it is first needed */
	struct ct_delta *delta;
	void *buffer;
	size_t buffer_bytes;
};

int ct_coder_open(struct ct_coder **out, int level)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return -ENOMEM;
	(*out)->level = level;
	return 0;
}

void ct_coder_close(struct ct_coder *coder)
{
	if (!coder)
		return;
	ZSTD_freeCCtx(coder->zstd);
	ct_delta_close(coder->delta);
	free(coder->buffer);
	free(coder);
}

static int reserve_buffer(struct ct_coder *coder, size_t bytes)
{
	return ct_array_reserve(&coder->buffer, &coder->buffer_bytes, bytes, 1);
}

static int need_delta(struct ct_coder *coder)
{
	return coder->delta ? 0 : ct_delta_open(&coder->delta);
}

/* A chunk after some stages. */
struct stage {
	const void *bytes;
	size_t size;
	uint8_t codec;
};

/* A stage that makes nothing smaller is left out. */
static int run_delta(struct ct_coder *coder, struct stage *stage)
{
	const void *coded;
	int64_t size = need_delta(coder);

	if (size == 0)
		size = ct_delta_encode(coder->delta, stage->bytes, stage->size, &coded);
	if (size > 0)
		*stage = (struct stage){coded, (size_t)size, CT_CODEC_DELTA};
	return size < 0 ? (int)size : 0;
}

static int run_zstd(struct ct_coder *coder, struct stage *stage)
{
	size_t size;
	int err;

	if (!coder->zstd)
		coder->zstd = ZSTD_createCCtx();
	if (!coder->zstd)
		return -ENOMEM;
	err = reserve_buffer(coder, ZSTD_compressBound(stage->size));
	if (err < 0)
		return err;
	size = ZSTD_compressCCtx(coder->zstd, coder->buffer, coder->buffer_bytes, stage->bytes,
				 stage->size, coder->level);
	if (ZSTD_isError(size))
		return -ENOMEM; /* with a sufficient buffer, zstd fails only for want of memory */
	if (size < stage->size)
		*stage = (struct stage){coder->buffer, size,
					stage->codec == CT_CODEC_DELTA ? CT_CODEC_DELTA_ZSTD
								       : CT_CODEC_ZSTD};
	return 0;
}

int ct_chunk_code(struct ct_coder *coder, enum ct_codec codec, struct ct_chunk_header *header,
		  const void *raw, size_t raw_bytes, const void **payload)
{
	struct stage stage = {raw, raw_bytes, CT_CODEC_NONE};
	int err = raw_bytes > CT_CHUNK_RAW_MAX ? -EMSGSIZE : 0;

	if (err == 0 && header->kind == CT_CHUNK_RECORDS &&
	    (codec == CT_CODEC_DELTA || codec == CT_CODEC_DELTA_ZSTD))
		err = run_delta(coder, &stage);
	if (err == 0 && coder->level > 0 &&
	    (codec == CT_CODEC_ZSTD || codec == CT_CODEC_DELTA_ZSTD))
		err = run_zstd(coder, &stage);
	if (err < 0)
		return err;

	*payload = stage.bytes;
	header->magic = CT_CHUNK_MAGIC;
	header->version = CT_FORMAT_VERSION;
	header->codec = stage.codec;
	if (header->kind != CT_CHUNK_TABLE)
		header->table = 0;
	header->raw_bytes = (uint32_t)raw_bytes;
	header->coded_bytes = (uint32_t)stage.size;
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
	return header->kind >= CT_CHUNK_RECORDS && header->kind <= CT_CHUNK_CODE &&
	       header->codec <= CT_CODEC_DELTA_ZSTD && header->flags == 0;
}

/* Exactly bytes. */
static int decode_zstd(const void *payload, size_t payload_bytes, void *raw, size_t bytes)
{
	size_t size = ZSTD_decompress(raw, bytes, payload, payload_bytes);

	return ZSTD_isError(size) || size != bytes ? -CT_ECODEC : 0;
}

static int decode_delta(struct ct_coder *coder, const void *coded, size_t coded_bytes, void *raw,
			size_t bytes)
{
	int err = need_delta(coder);

	return err < 0 ? err : ct_delta_decode(coder->delta, coded, coded_bytes, raw, bytes);
}

/* DELTA makes chunks smaller, so what zstd holds is smaller than raw. */
static int decode_both(struct ct_coder *coder, const struct ct_chunk_header *header,
		       const void *payload, void *raw)
{
	unsigned long long size = ZSTD_getFrameContentSize(payload, header->coded_bytes);
	int err;

	if (size >= header->raw_bytes) /* also of the codes for errors */
		return -CT_ECODEC;
	err = reserve_buffer(coder, size ? size : 1);
	if (err == 0)
		err = decode_zstd(payload, header->coded_bytes, coder->buffer, size);
	if (err == 0)
		err = decode_delta(coder, coder->buffer, size, raw, header->raw_bytes);
	return err;
}

int ct_chunk_decode(struct ct_coder *coder, const struct ct_chunk_header *header,
		    const void *payload, void *raw)
{
	if (header->payload_hash != XXH3_64bits(payload, header->coded_bytes))
		return -CT_ECHECKSUM;
	switch (header->codec) {
	case CT_CODEC_NONE:
		if (header->coded_bytes != header->raw_bytes)
			return -CT_ECODEC;
		memcpy(raw, payload, header->raw_bytes);
		return 0;
	case CT_CODEC_ZSTD:
		return decode_zstd(payload, header->coded_bytes, raw, header->raw_bytes);
	case CT_CODEC_DELTA:
		return decode_delta(coder, payload, header->coded_bytes, raw, header->raw_bytes);
	case CT_CODEC_DELTA_ZSTD:
		return decode_both(coder, header, payload, raw);
	default:
		return -CT_ECODEC;
	}
}
