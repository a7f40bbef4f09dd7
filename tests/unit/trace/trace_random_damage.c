/* SPDX-License-Identifier: Apache-2.0 */
/* Damages a random trace in ways that occur, and puts its chunks in another order. */
#include "tests/unit/trace/trace_fixture.h"
#include "tests/unit/trace/trace_random.h"
#include "trace/codec/chunk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(int64_t err, const char *what)
{
	if (err >= 0)
		return;
	fprintf(stderr, "trace_random: %s: %lld\n", what, (long long)err);
	abort();
}

static size_t chunk_bytes(const char *content)
{
	struct ct_chunk_header header;

	memcpy(&header, content, sizeof(header));
	return sizeof(header) + header.coded_bytes;
}

/* Begin of a random chunk that is not the last. */
static size_t random_chunk(const char *content, size_t bytes)
{
	size_t at = 0, next = chunk_bytes(content);

	while (next < bytes && next + chunk_bytes(content + next) < bytes &&
	       trace_random_below(8)) {
		at = next;
		next += chunk_bytes(content + next);
	}
	return at;
}

/* The chunk at content with some word of its records changed. Returns its bytes. */
static size_t spoil_record(const char *content, char *changed)
{
	struct ct_chunk_header header, coded;
	const void *payload;
	struct ct_coder *coder;
	uint64_t *raw;

	memcpy(&header, content, sizeof(header));
	raw = malloc(header.raw_bytes + 8);
	check(ct_coder_open(&coder, 0), "coder");
	check(ct_chunk_decode(coder, &header, content + sizeof(header), raw), "decode");
	raw[header.raw_bytes / 16] = UINT64_MAX << 56; /* a segment header or none */
	coded = (struct ct_chunk_header){.kind = header.kind,
					 .first_sequence = header.first_sequence,
					 .last_sequence = header.last_sequence};
	check(ct_chunk_code(coder, CT_CODEC_NONE, &coded, raw, header.raw_bytes, &payload), "code");
	memcpy(changed, &coded, sizeof(coded));
	memcpy(changed + sizeof(coded), payload, coded.coded_bytes);
	ct_coder_close(coder);
	free(raw);
	return sizeof(coded) + coded.coded_bytes;
}

void trace_random_damage(const char *directory, enum trace_random_damage what)
{
	const char *name = what == TRACE_LOST_LAUNCH ? "events-0.ct" : "device-0-0.ct";
	size_t bytes, at, chunk;
	char *content = fixture_read(directory, name, &bytes);
	char *changed = malloc(3 * bytes + (1 << 20));

	memcpy(changed, content, bytes);
	at = random_chunk(content, bytes);
	chunk = chunk_bytes(content + at);
	if (what == TRACE_FLIPPED) {
		for (int i = 0; i < 4; i++)
			changed[trace_random_below(bytes)] ^= (char)(1 << trace_random_below(8));
	} else if (what == TRACE_CUT) {
		bytes = trace_random_below(bytes);
	} else if (what == TRACE_TWICE) {
		memcpy(changed + bytes, content + at, chunk);
		bytes += chunk;
	} else if (what == TRACE_MISSING || what == TRACE_LOST_LAUNCH) {
		memmove(changed + at, content + at + chunk, bytes - at - chunk);
		bytes -= chunk;
	} else if (what == TRACE_GARBAGE) {
		memset(changed + at, 'C', 100);
		memcpy(changed + at + 100, content + at, bytes - at);
		bytes += 100;
	} else if (what == TRACE_EMPTY) {
		bytes = 0;
	} else if (what == TRACE_BAD_RECORD) {
		size_t spoiled = spoil_record(content + at, changed + at);

		memcpy(changed + at + spoiled, content + at + chunk, bytes - at - chunk);
		bytes += spoiled - chunk;
	}
	fixture_write(directory, name, changed, bytes);
	free(changed);
	free(content);
}

#define CHUNKS_MAX 1000u

/* Where the chunks begin, and after the last where it ends. Returns how many there are. */
static size_t find_chunks(const char *content, size_t bytes, size_t at[CHUNKS_MAX + 1])
{
	size_t count = 0;

	for (at[0] = 0; at[count] < bytes; count++) {
		check(count < CHUNKS_MAX ? 0 : -1, "too many chunks");
		at[count + 1] = at[count] + chunk_bytes(content + at[count]);
	}
	return count;
}

void trace_random_shuffle(const char *directory, const char *name)
{
	size_t at[CHUNKS_MAX + 1], order[CHUNKS_MAX], count, bytes, used = 0;
	char *content = fixture_read(directory, name, &bytes), *changed = malloc(bytes);

	count = find_chunks(content, bytes, at);
	for (size_t i = 0; i < count; i++) {
		size_t k = trace_random_below(i + 1);

		order[i] = order[k];
		order[k] = i;
	}
	for (size_t i = 0; i < count; i++) {
		size_t size = at[order[i] + 1] - at[order[i]];

		memcpy(changed + used, content + at[order[i]], size);
		used += size;
	}
	fixture_write(directory, name, changed, bytes);
	free(changed);
	free(content);
}
