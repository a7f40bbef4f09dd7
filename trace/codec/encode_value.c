/* SPDX-License-Identifier: Apache-2.0 */
/* Encode the values of one warp-level access, by the first shape that fits, and those of ranges. */
#include <cudatrace/encode.h>
#include <stdbool.h>
#include <string.h>

/* The active lanes' values by rank, with the bytes that do not count cleared. */
struct values {
	uint32_t bytes;
	uint32_t count;
	uint64_t low[CT_WARP_LANES];
	uint64_t high[CT_WARP_LANES];
};

/* All ones in the low `bytes` bytes of a word. */
static uint64_t ones(uint32_t bytes)
{
	return bytes == 0 ? 0 : bytes >= 8 ? UINT64_MAX : (1ull << 8 * bytes) - 1;
}

static void gather(struct values *values, uint32_t bytes, uint32_t mask,
		   const uint64_t low[CT_WARP_LANES], const uint64_t high[CT_WARP_LANES])
{
	uint64_t low_ones = ones(bytes), high_ones = ones(bytes > 8 ? bytes - 8 : 0);
	uint32_t count = 0;

	values->low[0] = values->high[0] = 0;
	for (uint32_t rest = mask; rest; rest &= rest - 1, count++) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);

		values->low[count] = low[lane] & low_ones;
		values->high[count] = bytes > 8 ? high[lane] & high_ones : 0;
	}
	values->bytes = bytes;
	values->count = count;
}

static bool are_equal(const struct values *values)
{
	for (uint32_t r = 1; r < values->count; r++)
		if (values->low[r] != values->low[0] || values->high[r] != values->high[0])
			return false;
	return true;
}

/* From the first value to the second, sign-extended from the width of the values. */
static uint64_t step_of(const struct values *values)
{
	uint32_t unused = 64 - 8 * values->bytes;

	return (uint64_t)((int64_t)((values->low[1] - values->low[0]) << unused) >> unused);
}

/* Whether every value is the first plus rank * step, at the width of the values. */
static bool are_affine(const struct values *values, uint64_t step)
{
	for (uint32_t r = 2; r < values->count; r++)
		if (((values->low[0] + r * step) & ones(values->bytes)) != values->low[r])
			return false;
	return true;
}

/* Payload of RAW. Returns its words. */
static uint32_t put_raw(uint64_t *words, const struct values *values)
{
	uint32_t bytes = values->bytes, used = bytes * values->count, n = (used + 7) / 8;
	unsigned char *to = (unsigned char *)words;

	words[n - 1] = 0;
	for (uint32_t r = 0; r < values->count; r++, to += bytes) {
		memcpy(to, &values->low[r], bytes < 8 ? bytes : 8);
		if (bytes > 8)
			memcpy(to + 8, &values->high[r], bytes - 8);
	}
	return n;
}

/* Returns the words of the payload. */
static uint32_t put_payload(uint64_t *words, const struct values *values,
			    enum ct_value_shape *shape)
{
	if (are_equal(values)) {
		bool is_zero = values->low[0] == 0 && values->high[0] == 0;

		*shape = is_zero ? CT_VALUE_ZERO : CT_VALUE_UNIFORM;
		words[0] = values->low[0];
		words[1] = values->high[0];
		return is_zero ? 0 : values->bytes > 8 ? 2 : 1;
	}
	if (values->bytes <= 8 && are_affine(values, step_of(values))) {
		*shape = CT_VALUE_AFFINE;
		words[0] = values->low[0];
		words[1] = step_of(values);
		return 2;
	}
	*shape = CT_VALUE_RAW;
	return put_raw(words, values);
}

uint32_t ct_encode_value(uint64_t *words, uint64_t site, uint32_t part, uint32_t bytes,
			 uint32_t mask, const uint64_t low[CT_WARP_LANES],
			 const uint64_t high[CT_WARP_LANES])
{
	uint64_t payload[2 * CT_WARP_LANES];
	uint32_t n = 0, payload_words;
	uint64_t field = site < CT_SITE_EXTENDED ? site : CT_SITE_EXTENDED;
	enum ct_value_shape shape;
	struct values values;

	gather(&values, bytes, mask, low, high);
	payload_words = put_payload(payload, &values, &shape);
	if (field == CT_SITE_EXTENDED)
		words[n++] = (uint64_t)CT_REC_SITE << CT_RECORD_KIND_SHIFT | site;
	words[n++] = (uint64_t)CT_REC_VALUE << CT_RECORD_KIND_SHIFT | field << CT_SITE_SHIFT |
		     (uint64_t)shape << CT_VALUE_SHAPE_SHIFT |
		     (uint64_t)part << CT_VALUE_PART_SHIFT |
		     (uint64_t)bytes << CT_VALUE_BYTES_SHIFT | mask;
	memcpy(words + n, payload, 8 * payload_words);
	return n + payload_words;
}

/* Up to 8 bytes as a word. */
static uint64_t word_from(const void *bytes, uint64_t count)
{
	uint64_t word = 0;

	memcpy(&word, bytes, count < 8 ? count : 8);
	return word;
}

uint32_t ct_encode_content(uint64_t *words, uint64_t site, uint32_t mask,
			   const uint64_t bytes[CT_WARP_LANES],
			   const void *const from[CT_WARP_LANES], uint64_t *offset)
{
	uint64_t field = site < CT_SITE_EXTENDED ? site : CT_SITE_EXTENDED, most = 0;
	uint32_t n = 0, lanes = 0, count;

	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		uint64_t left = bytes[__builtin_ctz(rest)];

		left = left > *offset ? left - *offset : 0;
		lanes |= left ? rest & -rest : 0;
		most = left > most ? left : most;
	}
	if (!lanes)
		return 0;
	count = CT_CONTENT_WORDS / (uint32_t)__builtin_popcount(lanes);
	count = (most + 7) / 8 < count ? (uint32_t)((most + 7) / 8) : count;
	if (field == CT_SITE_EXTENDED)
		words[n++] = (uint64_t)CT_REC_SITE << CT_RECORD_KIND_SHIFT | site;
	words[n++] = (uint64_t)CT_REC_EXTENDED << CT_RECORD_KIND_SHIFT | field << CT_SITE_SHIFT |
		     (uint64_t)CT_EXTENDED_CONTENT << CT_EXTENDED_VARIANT_SHIFT | count;
	words[n++] = *offset << 32 | lanes;
	for (; lanes; lanes &= lanes - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(lanes);

		for (uint32_t i = 0; i < count; i++) {
			uint64_t at = *offset + 8ull * i;

			words[n++] = at < bytes[lane] ? word_from((const char *)from[lane] + at,
								  bytes[lane] - at)
						      : 0;
		}
	}
	*offset += 8ull * count;
	return n;
}
