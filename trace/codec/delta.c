/* SPDX-License-Identifier: Apache-2.0 */
/* Encode records as differences from what is expected (delta.h). */
#include "trace/codec/delta_state.h"

#include <cudatrace/error.h>
#include <errno.h>
#include <stdlib.h>

/* Bytes that one word of records can take in each stream, and slack, because
 * numbers are stored 8 bytes wide and then cut. */
static const size_t stream_bytes_per_word[CT_DELTA_STREAMS] = {1, 2, 8, 16, 8, 8};
#define STREAM_SLACK 16u

struct encoder {
	struct ct_delta_model *model;
	unsigned char *at[CT_DELTA_STREAMS];
};

int ct_delta_open(struct ct_delta **out)
{
	*out = calloc(1, sizeof(**out));
	return *out ? 0 : -ENOMEM;
}

void ct_delta_close(struct ct_delta *delta)
{
	if (!delta)
		return;
	free(delta->streams);
	free(delta->coded);
	free(delta);
}

static uint64_t zigzag(int64_t value)
{
	return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

/* Bytes that hold value; 1 for 0. */
static uint32_t width_of(uint64_t value)
{
	return (71u - (uint32_t)__builtin_clzll(value | 1)) / 8;
}

/* Not a copy of bytes, which might be of any object: the compiler keeps the rest in registers. */
typedef uint64_t unaligned_word __attribute__((aligned(1)));

static void put(struct encoder *encoder, enum ct_delta_stream stream, uint64_t value,
		uint32_t bytes)
{
	*(unaligned_word *)encoder->at[stream] = value;
	encoder->at[stream] += bytes;
}

/* A word that should be *expected; returns whether it is. */
static bool put_second(struct encoder *encoder, uint64_t word, uint64_t *expected)
{
	if (word == *expected)
		return true;
	*expected = word;
	put(encoder, CT_DELTA_SECONDS, word, 8);
	return false;
}

/* The difference of what was found; returns its bits of the control byte. */
static uint32_t put_delta(struct encoder *encoder, int64_t error)
{
	uint64_t value = zigzag(error);
	uint32_t width = width_of(value);

	if (error == 0)
		return CT_DELTA_BASE_EXPECTED;
	put(encoder, CT_DELTA_DELTAS, value, width);
	return (width - 1) << CT_DELTA_WIDTH_SHIFT;
}

/* The lower 48 bits of a record's first word. */
static uint32_t put_low(struct encoder *encoder, uint64_t word, bool has_address)
{
	struct ct_delta_model *model = encoder->model;
	uint64_t low = word & CT_DELTA_LOW_MASK;
	uint32_t head = (uint32_t)(word >> CT_SITE_SHIFT);
	struct ct_delta_site *site;
	uint64_t *last;
	int64_t error;

	if (has_address) {
		site = ct_delta_site_of(model, head);
		error = ct_delta_sign(low - ct_delta_expect(model, site));
		ct_delta_learn(model, site, low, error);
	} else {
		last = &model->lows[ct_delta_hash(head)];
		error = ct_delta_sign(low - *last);
		*last = low;
	}
	return put_delta(encoder, error);
}

/* Kind and site, expected to be those that followed the same record last. */
static uint32_t put_head(struct encoder *encoder, uint32_t head)
{
	uint16_t *expected = &encoder->model->heads[encoder->model->context];

	if (head == *expected)
		return CT_DELTA_HEAD_EXPECTED;
	*expected = (uint16_t)head;
	put(encoder, CT_DELTA_HEADS, head, 2);
	return 0;
}

static bool put_record_second(struct encoder *encoder, const uint64_t *words)
{
	struct ct_delta_site *site = ct_delta_record_site(encoder->model, words[0]);
	uint64_t expected = ct_delta_expect_second(encoder->model, site);

	ct_delta_learn_second(encoder->model, site, words[1]);
	return put_second(encoder, words[1], &expected);
}

/* Each site of a loop: address, then two words that seldom change. */
static void put_loop(struct encoder *encoder, const uint64_t *words, uint32_t first, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++, words += 3) {
		struct ct_delta_site *site =
		    ct_delta_site_at(encoder->model, CT_DELTA_LOOP(first + i));
		int64_t error = (int64_t)(words[0] - ct_delta_expect(encoder->model, site));
		uint32_t control = put_delta(encoder, error);

		ct_delta_learn(encoder->model, site, words[0], error);
		if (put_second(encoder, words[1], &site->second))
			control |= CT_DELTA_SECOND_EXPECTED;
		if (put_second(encoder, words[2], &site->third))
			control |= CT_DELTA_HEAD_EXPECTED;
		put(encoder, CT_DELTA_CONTROLS, control, 1);
	}
}

static bool put_group(struct encoder *encoder, const uint64_t *words, uint32_t first,
		      uint32_t count)
{
	bool is_expected = true;

	for (uint32_t i = 0; i < count; i++)
		is_expected &=
		    words[i] == ct_delta_site_at(encoder->model, CT_DELTA_LOOP(first + i))->third;
	for (uint32_t i = 0; i < count && !is_expected; i++) {
		ct_delta_site_at(encoder->model, CT_DELTA_LOOP(first + i))->third = words[i];
		put(encoder, CT_DELTA_SECONDS, words[i], 8);
	}
	return is_expected;
}

/* Words of the record, or 0 if it does not end within left. */
static size_t record_words(const uint64_t *words, size_t left, struct ct_delta_shape *shape)
{
	size_t count;

	*shape = ct_delta_shape_of(words[0]);
	count = 1 + shape->has_second;
	if (count > left)
		return 0;
	if (ct_delta_is_group(words[0]) || ct_delta_is_loop(words[0]))
		count += ct_delta_counted_words(words[0]);
	else if (shape->has_second)
		shape->payload = ct_delta_second_payload(words[0], words[1]);
	count += shape->payload;
	return count <= left ? count : 0;
}

static void put_payload(struct encoder *encoder, const uint64_t *words, size_t count)
{
	memcpy(encoder->at[CT_DELTA_PAYLOAD], words, 8 * count);
	encoder->at[CT_DELTA_PAYLOAD] += 8 * count;
}

/* A word that begins nothing whole. */
static size_t put_other(struct encoder *encoder, uint64_t word)
{
	put(encoder, CT_DELTA_CONTROLS, word ? CT_DELTA_WORD : CT_DELTA_OTHER, 1);
	if (word)
		put_payload(encoder, &word, 1);
	return 1;
}

/* A record that is one word with an address: most of them. */
static size_t put_plain(struct encoder *encoder, uint64_t word)
{
	uint32_t head = (uint32_t)(word >> CT_SITE_SHIFT), control = put_head(encoder, head);

	control |= put_low(encoder, word, true);
	put(encoder, CT_DELTA_CONTROLS, CT_DELTA_RECORD | control, 1);
	encoder->model->extended = 0;
	encoder->model->context = ct_delta_hash(head);
	return 1;
}

static size_t put_record(struct encoder *encoder, const uint64_t *words, size_t left)
{
	struct ct_delta_model *model = encoder->model;
	uint32_t control = CT_DELTA_RECORD, head = (uint32_t)(words[0] >> CT_SITE_SHIFT);
	unsigned char *control_at = encoder->at[CT_DELTA_CONTROLS]++;
	struct ct_delta_shape shape;
	size_t count = record_words(words, left, &shape);

	if (count == 0) {
		encoder->at[CT_DELTA_CONTROLS]--;
		return put_other(encoder, words[0]);
	}
	control |= put_head(encoder, head);
	control |= put_low(encoder, words[0], shape.has_address);
	if (shape.has_second && put_record_second(encoder, words))
		control |= CT_DELTA_SECOND_EXPECTED;
	if (ct_delta_is_loop(words[0]))
		put_loop(encoder, words + 2, head, (uint32_t)(words[0] & 0xff));
	else if (ct_delta_is_group(words[0]) &&
		 put_group(encoder, words + 1, head, (uint32_t)(words[0] & 0xff)))
		control |= CT_DELTA_SECOND_EXPECTED;
	put_payload(encoder, words + 1 + shape.has_second, shape.payload);
	*control_at = (unsigned char)control;
	ct_delta_end_record(model, words[0]);
	return count;
}

/* Where the records that follow are: bits of the control byte. */
static uint32_t put_position(struct encoder *encoder, uint64_t cta, uint32_t warp)
{
	struct ct_delta_model *model = encoder->model;
	uint64_t value = zigzag((int64_t)(cta - model->cta));
	uint32_t width = width_of(value), how = CT_DELTA_WARP_GIVEN;

	if (width > 6)
		width = 8;
	if (value == 0)
		width = 0;
	put(encoder, CT_DELTA_SEGMENTS, value, width);
	if (warp == model->warp)
		how = CT_DELTA_WARP_SAME;
	else if (warp == model->warp + 1)
		how = CT_DELTA_WARP_NEXT;
	else
		put(encoder, CT_DELTA_SEGMENTS, warp, 1);
	model->cta = cta;
	model->warp = warp;
	model->context = 0;
	return (width == 8 ? 7 : width) | how << CT_DELTA_WARP_SHIFT;
}

static size_t put_short_segment(struct encoder *encoder, uint64_t word)
{
	uint32_t control =
	    put_position(encoder, ct_delta_short_cta(word), ct_delta_short_warp(word));

	put(encoder, CT_DELTA_CONTROLS, CT_DELTA_SHORT | control, 1);
	return 1;
}

static size_t put_segment(struct encoder *encoder, const uint64_t *words, size_t left)
{
	struct ct_delta_model *model = encoder->model;
	uint32_t sm = (uint32_t)(words[0] >> CT_SITE_SHIFT & 0xfff), launch = (uint32_t)words[0];
	uint32_t control = CT_DELTA_SEGMENT;

	if (left < 2)
		return put_other(encoder, words[0]);
	control |= put_position(encoder, words[1] & CT_DELTA_CTA_MASK, (uint32_t)(words[1] >> 59));
	put(encoder, CT_DELTA_SEGMENTS, words[0] >> 32 & 0xffff, 2);
	if (launch == model->launch && sm == model->sm) {
		control |= CT_DELTA_LAUNCH_EXPECTED;
	} else {
		put(encoder, CT_DELTA_SEGMENTS, launch, 4);
		put(encoder, CT_DELTA_HEADS, sm, 2);
		model->launch = launch;
		model->sm = sm;
	}
	put(encoder, CT_DELTA_CONTROLS, control, 1);
	return 2;
}

static void encode(struct encoder *encoder, const uint64_t *words, size_t count)
{
	for (size_t i = 0; i < count;) {
		uint32_t kind = (uint32_t)(words[i] >> CT_RECORD_KIND_SHIFT);

		if (kind == CT_REC_AFFINE || kind == CT_REC_UNIFORM)
			i += put_plain(encoder, words[i]);
		else if (kind == CT_REC_SEGMENT)
			i += put_segment(encoder, words + i, count - i);
		else if (kind != CT_REC_PAD)
			i += put_record(encoder, words + i, count - i);
		else if (words[i] >> 59 == 1)
			i += put_short_segment(encoder, words[i]);
		else
			i += put_other(encoder, words[i]);
	}
}

static int reserve_streams(struct ct_delta *delta, size_t words)
{
	size_t all = 0;

	if (words <= delta->words)
		return 0;
	for (size_t i = 0; i < CT_DELTA_STREAMS; i++)
		all += words * stream_bytes_per_word[i] + STREAM_SLACK;
	free(delta->streams);
	free(delta->coded);
	delta->streams = malloc(all);
	delta->coded = malloc(8 * words);
	delta->words = delta->streams && delta->coded ? words : 0;
	return delta->words ? 0 : -ENOMEM;
}

/* Streams one after another; 0 if that takes bytes or more. */
static size_t join(struct ct_delta *delta, unsigned char *const begin[CT_DELTA_STREAMS],
		   const struct encoder *encoder, size_t bytes)
{
	size_t all = CT_DELTA_HEADER_BYTES;
	unsigned char *to = delta->coded;

	for (size_t i = 0; i < CT_DELTA_STREAMS; i++)
		all += (size_t)(encoder->at[i] - begin[i]);
	if (all >= bytes)
		return 0;
	to += CT_DELTA_HEADER_BYTES;
	for (size_t i = 0; i < CT_DELTA_STREAMS; i++) {
		uint32_t size = (uint32_t)(encoder->at[i] - begin[i]);

		memcpy(delta->coded + 4 * i, &size, 4);
		memcpy(to, begin[i], size);
		to += size;
	}
	return all;
}

int64_t ct_delta_encode(struct ct_delta *delta, const void *raw, size_t bytes, const void **coded)
{
	struct encoder encoder = {.model = &delta->model};
	unsigned char *begin[CT_DELTA_STREAMS], *at;
	size_t words = bytes / 8;

	if (bytes % 8 != 0 || bytes == 0)
		return 0;
	if (reserve_streams(delta, words) < 0)
		return -ENOMEM;
	at = delta->streams;
	for (size_t i = 0; i < CT_DELTA_STREAMS; i++) {
		begin[i] = encoder.at[i] = at;
		at += words * stream_bytes_per_word[i] + STREAM_SLACK;
	}
	ct_delta_begin(&delta->model);
	encode(&encoder, raw, words);
	*coded = delta->coded;
	return (int64_t)join(delta, begin, &encoder, bytes);
}
