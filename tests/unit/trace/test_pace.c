/* SPDX-License-Identifier: Apache-2.0 */
/* The fastest codec follows what chunks took; every chunk says which one it has. */
#include "tests/unit/trace/trace_fixture.h"
#include "trace/codec/chunk.h"
#include "trace/write/pace.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#define RAW 262144u

/* Chunks of every codec on a disk that takes write_ns per byte. */
static void learn(struct ct_pace *pace, double write_ns)
{
	static const struct {
		enum ct_codec codec;
		uint64_t coded, code_ns;
	} codecs[] = {{CT_CODEC_NONE, RAW, 15000},
		      {CT_CODEC_DELTA, RAW / 4, 200000},
		      {CT_CODEC_DELTA_ZSTD, RAW / 32, 320000}};

	for (unsigned round = 0; round < 100; round++)
		for (unsigned i = 0; i < 3; i++)
			ct_pace_learn(pace, codecs[i].codec, RAW, codecs[i].coded,
				      codecs[i].code_ns,
				      (uint64_t)(write_ns * (double)codecs[i].coded));
}

Test(pace, the_fastest_depends_on_the_disk)
{
	struct ct_pace pace;

	ct_pace_init(&pace);
	learn(&pace, 0.2); /* 5 GB/s */
	cr_assert_eq(ct_pace_choose(&pace, CT_CODEC_DELTA_ZSTD, 0), CT_CODEC_DELTA_ZSTD);
	cr_assert_eq(ct_pace_choose(&pace, CT_CODEC_DELTA_ZSTD, 1), CT_CODEC_DELTA);
	cr_assert_eq(ct_pace_choose(&pace, CT_CODEC_DELTA_ZSTD, 2), CT_CODEC_NONE);
	learn(&pace, 1.5);
	cr_assert_eq(ct_pace_choose(&pace, CT_CODEC_DELTA_ZSTD, 2), CT_CODEC_DELTA);
	learn(&pace, 10); /* 100 MB/s */
	cr_assert_eq(ct_pace_choose(&pace, CT_CODEC_DELTA_ZSTD, 2), CT_CODEC_DELTA_ZSTD);
	learn(&pace, 0.2);
	cr_assert_eq(ct_pace_choose(&pace, CT_CODEC_DELTA_ZSTD, 2), CT_CODEC_NONE);
}

Test(pace, empty_chunks_teach_nothing)
{
	struct ct_pace pace, before;

	ct_pace_init(&pace);
	before = pace;
	ct_pace_learn(&pace, CT_CODEC_DELTA, 0, 10, 1, 1);
	ct_pace_learn(&pace, CT_CODEC_DELTA, 10, 0, 1, 1);
	cr_assert_eq(pace.code_ns[CT_CODEC_DELTA], before.code_ns[CT_CODEC_DELTA]);
	cr_assert_eq(pace.write_ns, before.write_ns);
}

/* Writes a regular chunk; hurry 2: with a pace that has learnt nothing, NONE is the fastest. */
static uint8_t codec_of_chunk(uint32_t fixed_codec, int level, uint32_t hurry)
{
	const struct ct_writer_options options = {.level = level, .fixed_codec = fixed_codec};
	char *directory = fixture_directory(), path[600], why[256];
	uint64_t words[512] = {CT_SEGMENT_WORD0(0, 0, 1), CT_SEGMENT_WORD1(0, 0)};
	struct ct_writer_stream *stream;
	struct ct_chunk_file *file;
	struct ct_writer *writer;
	struct ct_chunk chunk;
	const void *raw;

	for (uint64_t i = 2; i < 512; i++)
		words[i] = (uint64_t)CT_REC_AFFINE << CT_RECORD_KIND_SHIFT | (0x1000 + 128 * i);
	cr_assert_eq(ct_writer_open(&writer, directory, &options, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(ct_writer_stream_open(&stream, writer, 0), 0);
	ct_writer_stream_hurry(stream, hurry);
	cr_assert_eq(ct_writer_stream_records(stream, 0, words, sizeof(words)), 0);
	cr_assert_eq(ct_writer_stream_bytes(stream), sizeof(words));
	cr_assert_eq(ct_writer_stream_close(stream), 0);
	cr_assert_eq(ct_writer_close(writer), 0);
	snprintf(path, sizeof(path), "%s/device-0-0.ct", directory);
	cr_assert_eq(ct_chunk_file_open(&file, path), 0);
	cr_assert_eq(ct_chunk_file_next(file, &chunk), 1);
	cr_assert_eq(ct_chunk_file_read(file, &chunk, &raw), 0);
	cr_assert_arr_eq(raw, words, sizeof(words));
	ct_chunk_file_close(file);
	fixture_remove(directory);
	return chunk.header.codec;
}

Test(pace, chunks_have_the_codec_that_was_asked_for)
{
	cr_assert_eq(codec_of_chunk(0, 1, 0), CT_CODEC_DELTA_ZSTD);
	cr_assert_eq(codec_of_chunk(0, 1, 1), CT_CODEC_DELTA);
	cr_assert_eq(codec_of_chunk(0, 1, 2), CT_CODEC_NONE);
	cr_assert_eq(codec_of_chunk(0, 0, 0), CT_CODEC_DELTA);
	for (uint32_t codec = 0; codec < CT_PACE_CODECS; codec++)
		for (uint32_t hurry = 0; hurry < 3; hurry++)
			cr_assert_eq(codec_of_chunk(codec + 1, 1, hurry), codec);
	cr_assert_eq(codec_of_chunk(CT_CODEC_ZSTD + 1, 0, 0), CT_CODEC_NONE);
	cr_assert_eq(codec_of_chunk(CT_CODEC_DELTA_ZSTD + 1, 0, 0), CT_CODEC_DELTA);
}
