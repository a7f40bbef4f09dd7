/* SPDX-License-Identifier: Apache-2.0 */
/* Decode what delta.c encodes; safe on any input. */
#include "trace/codec/delta_state.h"

#include <cudatrace/error.h>

struct decoder {
	struct ct_delta_model *model;
	const unsigned char *at[CT_DELTA_STREAMS], *end[CT_DELTA_STREAMS];
	uint64_t *out, *out_end;
	bool is_damaged;
};

/* 0 past the end of the stream, which is damage. */
static uint64_t get(struct decoder *decoder, enum ct_delta_stream stream, uint32_t bytes)
{
	uint64_t value = 0;

	if ((size_t)(decoder->end[stream] - decoder->at[stream]) < bytes) {
		decoder->is_damaged = true;
		return 0;
	}
	if (decoder->end[CT_DELTA_PAYLOAD] - decoder->at[stream] >= 8) {
		memcpy(&value, decoder->at[stream], 8);
		value &= bytes >= 8 ? ~0ull : (1ull << 8 * bytes) - 1;
	} else {
		memcpy(&value, decoder->at[stream], bytes);
	}
	decoder->at[stream] += bytes;
	return value;
}

static int64_t get_zigzag(struct decoder *decoder, enum ct_delta_stream stream, uint32_t bytes)
{
	uint64_t value = get(decoder, stream, bytes);

	return (int64_t)(value >> 1 ^ -(value & 1));
}

static void put_word(struct decoder *decoder, uint64_t word)
{
	if (decoder->out == decoder->out_end)
		decoder->is_damaged = true;
	else
		*decoder->out++ = word;
}

static uint64_t get_second(struct decoder *decoder, bool is_expected, uint64_t *expected)
{
	if (!is_expected)
		*expected = get(decoder, CT_DELTA_SECONDS, 8);
	return *expected;
}

static int64_t get_delta(struct decoder *decoder, uint32_t control)
{
	if (control & CT_DELTA_BASE_EXPECTED)
		return 0;
	return get_zigzag(decoder, CT_DELTA_DELTAS, (control >> CT_DELTA_WIDTH_SHIFT & 7) + 1);
}

static uint64_t get_head(struct decoder *decoder, uint32_t control)
{
	uint16_t *expected = &decoder->model->heads[decoder->model->context];

	if (!(control & CT_DELTA_HEAD_EXPECTED))
		*expected = (uint16_t)get(decoder, CT_DELTA_HEADS, 2);
	return *expected;
}

static uint64_t get_low(struct decoder *decoder, uint32_t control, uint32_t head, bool has_address)
{
	struct ct_delta_model *model = decoder->model;
	int64_t error = ct_delta_sign((uint64_t)get_delta(decoder, control));
	struct ct_delta_site *site;
	uint64_t *last, low;

	if (!has_address) {
		last = &model->lows[ct_delta_hash(head)];
		return *last = (*last + (uint64_t)error) & CT_DELTA_LOW_MASK;
	}
	site = ct_delta_site_of(model, head);
	low = (ct_delta_expect(model, site) + (uint64_t)error) & CT_DELTA_LOW_MASK;
	ct_delta_learn(model, site, low, error);
	return low;
}

static uint64_t get_record_second(struct decoder *decoder, uint32_t control, uint64_t first)
{
	struct ct_delta_site *site = ct_delta_record_site(decoder->model, first);
	uint64_t word = ct_delta_expect_second(decoder->model, site);

	get_second(decoder, control & CT_DELTA_SECOND_EXPECTED, &word);
	ct_delta_learn_second(decoder->model, site, word);
	return word;
}

static void get_loop(struct decoder *decoder, uint32_t first, uint32_t count)
{
	for (uint32_t i = 0; i < count && !decoder->is_damaged; i++) {
		struct ct_delta_site *site =
		    ct_delta_site_at(decoder->model, CT_DELTA_LOOP(first + i));
		uint32_t control = (uint32_t)get(decoder, CT_DELTA_CONTROLS, 1);
		int64_t error = get_delta(decoder, control);
		uint64_t word = ct_delta_expect(decoder->model, site) + (uint64_t)error;

		ct_delta_learn(decoder->model, site, word, error);
		put_word(decoder, word);
		put_word(decoder,
			 get_second(decoder, control & CT_DELTA_SECOND_EXPECTED, &site->second));
		put_word(decoder,
			 get_second(decoder, control & CT_DELTA_HEAD_EXPECTED, &site->third));
	}
}

static void get_group(struct decoder *decoder, uint32_t control, uint32_t first, uint32_t count)
{
	for (uint32_t i = 0; i < count && !decoder->is_damaged; i++)
		put_word(
		    decoder,
		    get_second(decoder, control & CT_DELTA_SECOND_EXPECTED,
			       &ct_delta_site_at(decoder->model, CT_DELTA_LOOP(first + i))->third));
}

static void get_payload(struct decoder *decoder, uint32_t words)
{
	const unsigned char *at = decoder->at[CT_DELTA_PAYLOAD];

	if ((size_t)(decoder->end[CT_DELTA_PAYLOAD] - at) < 8 * (size_t)words ||
	    (size_t)(decoder->out_end - decoder->out) < words) {
		decoder->is_damaged = true;
		return;
	}
	memcpy(decoder->out, at, 8 * (size_t)words);
	decoder->at[CT_DELTA_PAYLOAD] += 8 * (size_t)words;
	decoder->out += words;
}

/* Has the shape of a record whose first word does not show its kind and site
 * yet: the lower half is decoded with the upper. */
static void get_record(struct decoder *decoder, uint32_t control)
{
	uint64_t head = get_head(decoder, control), word, second = 0;
	struct ct_delta_shape shape;
	bool is_plain = head >> 12 == CT_REC_AFFINE || head >> 12 == CT_REC_UNIFORM;

	shape.has_address = is_plain || ct_delta_shape_of(head << CT_SITE_SHIFT).has_address;
	word = head << CT_SITE_SHIFT | get_low(decoder, control, (uint32_t)head, shape.has_address);
	if (is_plain) {
		put_word(decoder, word);
		ct_delta_end_record(decoder->model, word);
		return;
	}
	shape = ct_delta_shape_of(word);
	put_word(decoder, word);
	if (shape.has_second) {
		second = get_record_second(decoder, control, word);
		put_word(decoder, second);
	}
	if (ct_delta_is_loop(word))
		get_loop(decoder, (uint32_t)head, (uint32_t)(word & 0xff));
	else if (ct_delta_is_group(word))
		get_group(decoder, control, (uint32_t)head, (uint32_t)(word & 0xff));
	else if (shape.has_second)
		shape.payload = ct_delta_second_payload(word, second);
	get_payload(decoder, shape.payload);
	ct_delta_end_record(decoder->model, word);
}

static void get_position(struct decoder *decoder, uint32_t control, uint64_t mask)
{
	struct ct_delta_model *model = decoder->model;
	uint32_t width = control & 7, how = control >> CT_DELTA_WARP_SHIFT & 3;

	if (width)
		model->cta +=
		    (uint64_t)get_zigzag(decoder, CT_DELTA_SEGMENTS, width == 7 ? 8 : width);
	model->cta &= mask;
	if (how == CT_DELTA_WARP_GIVEN)
		model->warp = (uint32_t)get(decoder, CT_DELTA_SEGMENTS, 1);
	else
		model->warp += how == CT_DELTA_WARP_NEXT;
	model->warp &= 31;
	model->context = 0;
}

static void get_short_segment(struct decoder *decoder, uint32_t control)
{
	get_position(decoder, control, CT_DELTA_SHORT_CTA_MASK);
	put_word(decoder, CT_SEGMENT_SHORT_WORD(decoder->model->warp, decoder->model->cta));
}

static void get_segment(struct decoder *decoder, uint32_t control)
{
	struct ct_delta_model *model = decoder->model;
	uint32_t sequence;

	get_position(decoder, control, CT_DELTA_CTA_MASK);
	sequence = (uint32_t)get(decoder, CT_DELTA_SEGMENTS, 2);
	if (!(control & CT_DELTA_LAUNCH_EXPECTED)) {
		model->launch = (uint32_t)get(decoder, CT_DELTA_SEGMENTS, 4);
		model->sm = (uint32_t)get(decoder, CT_DELTA_HEADS, 2) & 0xfff;
	}
	put_word(decoder, CT_SEGMENT_WORD0(model->sm, sequence, model->launch));
	put_word(decoder, CT_SEGMENT_WORD1(model->warp, model->cta));
}

static void decode(struct decoder *decoder)
{
	while (decoder->out < decoder->out_end && !decoder->is_damaged) {
		uint32_t control = (uint32_t)get(decoder, CT_DELTA_CONTROLS, 1);

		switch (control & CT_DELTA_CLASS) {
		case CT_DELTA_RECORD:
			get_record(decoder, control);
			break;
		case CT_DELTA_SHORT:
			get_short_segment(decoder, control);
			break;
		case CT_DELTA_SEGMENT:
			get_segment(decoder, control);
			break;
		default:
			if (control == CT_DELTA_WORD)
				get_payload(decoder, 1);
			else
				put_word(decoder, 0);
			break;
		}
	}
}

/* Finds the streams; they must fill coded. */
static int open_streams(struct decoder *decoder, const unsigned char *coded, size_t bytes)
{
	const unsigned char *at = coded + CT_DELTA_HEADER_BYTES;
	size_t left = bytes - CT_DELTA_HEADER_BYTES;

	if (bytes < CT_DELTA_HEADER_BYTES)
		return -CT_ECODEC;
	for (size_t i = 0; i < CT_DELTA_STREAMS; i++) {
		uint32_t size;

		memcpy(&size, coded + 4 * i, 4);
		if (size > left)
			return -CT_ECODEC;
		decoder->at[i] = at;
		decoder->end[i] = at += size;
		left -= size;
	}
	return left ? -CT_ECODEC : 0;
}

int ct_delta_decode(struct ct_delta *delta, const void *coded, size_t coded_bytes, void *raw,
		    size_t bytes)
{
	struct decoder decoder = {
	    .model = &delta->model, .out = raw, .out_end = (uint64_t *)raw + bytes / 8};

	if (bytes % 8 != 0 || open_streams(&decoder, coded, coded_bytes) < 0)
		return -CT_ECODEC;
	ct_delta_begin(&delta->model);
	decode(&decoder);
	for (size_t i = 0; i < CT_DELTA_STREAMS; i++)
		if (decoder.at[i] != decoder.end[i])
			return -CT_ECODEC;
	return decoder.is_damaged ? -CT_ECODEC : 0;
}
