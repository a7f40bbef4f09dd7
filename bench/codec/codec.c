/* SPDX-License-Identifier: Apache-2.0 */
/* Measures how small each codec makes records, and how fast: bench_codec [DEVICE-FILE.ct...] */
#include "streams.h"
#include "trace/codec/chunk.h"
#include "trace/write/writer.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef HAS_LZ4
#include <lz4.h>
#endif

#define SYNTHETIC_BYTES (16u << 20)
#define PIECE CT_WRITER_STREAM_BYTES /* as the writer cuts them */
#define ROUNDS 5u

/* Records in pieces, each coded alone. */
struct records {
	char *bytes;
	size_t size;
	uint64_t accesses; /* 0: not known */
};

struct result {
	uint64_t coded;
	double encode_s, decode_s; /* the best round, of this thread's CPU time */
};

static double cpu_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void die(const char *what)
{
	fprintf(stderr, "bench_codec: %s\n", what);
	exit(1);
}

static double least(double a, double b)
{
	return a == 0 || b < a ? b : a;
}

/* One piece through a codec and back; adds its times to *encode_s, *decode_s. */
static uint64_t run_piece(struct ct_coder *coder, struct ct_coder *decoder, enum ct_codec codec,
			  const char *raw, size_t bytes, double *encode_s, double *decode_s)
{
	static char back[PIECE];
	struct ct_chunk_header header = {.kind = CT_CHUNK_RECORDS};
	const void *payload;
	double begin = cpu_s(), middle;

	if (ct_chunk_code(coder, codec, &header, raw, bytes, &payload) < 0)
		die("out of memory");
	middle = cpu_s();
	if (ct_chunk_decode(decoder, &header, payload, back) < 0)
		die("what was coded does not decode");
	*encode_s += middle - begin;
	*decode_s += cpu_s() - middle;
	if (memcmp(back, raw, bytes) != 0)
		die("a codec lost something");
	return header.coded_bytes;
}

static struct result run_codec(const struct records *records, enum ct_codec codec, int level)
{
	struct ct_coder *coder, *decoder;
	struct result result = {0};

	if (ct_coder_open(&coder, level) < 0 || ct_coder_open(&decoder, 0) < 0)
		die("out of memory");
	for (unsigned round = 0; round < ROUNDS; round++) {
		double encode_s = 0, decode_s = 0;

		result.coded = 0;
		for (size_t at = 0; at < records->size; at += PIECE) {
			size_t left = records->size - at;

			result.coded +=
			    run_piece(coder, decoder, codec, records->bytes + at,
				      left < PIECE ? left : PIECE, &encode_s, &decode_s);
		}
		result.encode_s = least(result.encode_s, encode_s);
		result.decode_s = least(result.decode_s, decode_s);
	}
	ct_coder_close(coder);
	ct_coder_close(decoder);
	return result;
}

static struct result run_memcpy(const struct records *records)
{
	static char to[PIECE];
	struct result result = {.coded = records->size};

	for (unsigned round = 0; round < ROUNDS; round++) {
		double begin = cpu_s();

		for (size_t at = 0; at < records->size; at += PIECE) {
			size_t left = records->size - at;

			memcpy(to, records->bytes + at, left < PIECE ? left : PIECE);
			__asm__ volatile("" ::"r"(to) : "memory");
		}
		result.encode_s = result.decode_s = least(result.encode_s, cpu_s() - begin);
	}
	return result;
}

#ifdef HAS_LZ4
static struct result run_lz4(const struct records *records)
{
	static char coded[LZ4_COMPRESSBOUND(PIECE)], back[PIECE];
	struct result result = {0};

	for (unsigned round = 0; round < ROUNDS; round++) {
		double encode_s = 0, decode_s = 0, begin, middle;

		result.coded = 0;
		for (size_t at = 0; at < records->size; at += PIECE) {
			size_t left = records->size - at;
			int bytes = (int)(left < PIECE ? left : PIECE), size;

			begin = cpu_s();
			size =
			    LZ4_compress_default(records->bytes + at, coded, bytes, sizeof(coded));
			middle = cpu_s();
			if (LZ4_decompress_safe(coded, back, size, sizeof(back)) != bytes)
				die("lz4 failed");
			decode_s += cpu_s() - middle;
			encode_s += middle - begin;
			result.coded += (uint64_t)size;
		}
		result.encode_s = least(result.encode_s, encode_s);
		result.decode_s = least(result.decode_s, decode_s);
	}
	return result;
}
#endif

static void print(const char *name, int level, const struct records *records,
		  const struct result *result)
{
	char number[8] = "", per_access[32] = "";

	if (level)
		snprintf(number, sizeof(number), " %d", level);
	if (records->accesses)
		snprintf(per_access, sizeof(per_access), "%.4f",
			 (double)result->coded / (double)records->accesses);
	printf("  %-10s%-3s %9.1f %10s %9.2f %9.2f\n", name, number,
	       (double)records->size / (double)result->coded, per_access,
	       1e-9 * (double)records->size / result->encode_s,
	       1e-9 * (double)records->size / result->decode_s);
}

static void measure(const char *name, const char *what, const struct records *records)
{
	static const struct {
		const char *name;
		enum ct_codec codec;
		int level;
	} rows[] = {
	    {"none", CT_CODEC_NONE, 0},
	    {"delta", CT_CODEC_DELTA, 0},
	    {"delta-zstd", CT_CODEC_DELTA_ZSTD, 1},
	    {"delta-zstd", CT_CODEC_DELTA_ZSTD, 3},
	    {"delta-zstd", CT_CODEC_DELTA_ZSTD, 9},
	    {"zstd", CT_CODEC_ZSTD, 1},
	    {"zstd", CT_CODEC_ZSTD, 3},
	};
	struct result result = run_memcpy(records);

	printf("%s: %s, %.1f MB of records\n", name, what, 1e-6 * (double)records->size);
	printf("  %-13s %9s %10s %9s %9s\n", "codec", "ratio", "B/access", "code GB/s",
	       "back GB/s");
	print("memcpy", 0, records, &result);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		result = run_codec(records, rows[i].codec, rows[i].level);
		print(rows[i].name, rows[i].level, records, &result);
	}
#ifdef HAS_LZ4
	result = run_lz4(records);
	print("lz4", 0, records, &result);
#endif
}

/* The records of a device's file, one chunk after another. */
static struct records read_file(const char *path)
{
	struct records records = {0};
	struct ct_chunk_file *file;
	struct ct_chunk chunk;
	const void *raw;

	if (ct_chunk_file_open(&file, path) < 0)
		die(path);
	while (ct_chunk_file_next(file, &chunk) == 1) {
		if (chunk.header.kind != CT_CHUNK_RECORDS ||
		    ct_chunk_file_read(file, &chunk, &raw) < 0)
			continue;
		records.bytes = realloc(records.bytes, records.size + chunk.header.raw_bytes);
		if (!records.bytes)
			die("out of memory");
		memcpy(records.bytes + records.size, raw, chunk.header.raw_bytes);
		records.size += chunk.header.raw_bytes;
	}
	ct_chunk_file_close(file);
	return records;
}

int main(int argc, char **argv)
{
	for (size_t i = 0; i < stream_shape_count; i++) {
		struct stream stream = stream_make(&stream_shapes[i], SYNTHETIC_BYTES, false);
		struct records records = {(char *)stream.words, 8 * stream.count, stream.accesses};

		if (!stream.words)
			die("out of memory");
		measure(stream_shapes[i].name, stream_shapes[i].what, &records);
		free(stream.words);
	}
	for (int i = 1; i < argc; i++) {
		struct records records = read_file(argv[i]);

		if (records.size)
			measure(argv[i], "a trace", &records);
		else
			fprintf(stderr, "bench_codec: %s: no records\n", argv[i]);
		free(records.bytes);
	}
	return 0;
}
