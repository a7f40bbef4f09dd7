/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as records; what is decoded comes back from the encoder as it was. */
#include "tests/fuzz/scratch.h"
#include "trace/codec/decode.h"

#include <cudatrace/encode.h>
#include <stdlib.h>
#include <string.h>

static int on_segment(void *user, const struct ct_segment *segment)
{
	(void)user;
	return segment->warp < 32 && segment->launch != 0;
}

static int on_site(void *user, uint32_t kind, uint64_t site, uint32_t *bytes)
{
	(void)user;
	(void)kind;
	*bytes = 1u << (uint32_t)site % 5;
	return 0;
}

/* A record is expected to come back as this. */
struct again {
	uint64_t site;
	uint32_t mask, phase;
	const uint64_t *address, *range;
	const struct ct_decoded_value *value;
	uint64_t decoded[CT_WARP_LANES];
};

static void require(int is_so)
{
	if (!is_so)
		abort();
}

/* Whether the addresses are on a line, if the access says so. */
static void check_line(const struct ct_decoded_access *access, const uint64_t *address)
{
	int first = __builtin_ctz(access->mask);

	require(!access->is_linear || !access->range);
	for (uint32_t rest = access->is_linear ? access->mask : 0; rest; rest &= rest - 1) {
		int lane = __builtin_ctz(rest);

		require(address[lane] ==
			address[first] + (uint64_t)(lane - first) * (uint64_t)access->stride);
	}
}

static int on_access_again(void *user, uint64_t site, const struct ct_decoded_access *access)
{
	const struct again *again = user;
	const uint64_t *range = access->range;

	require(again->address && site == again->site && access->mask == again->mask);
	require(!range == !again->range);
	check_line(access, again->decoded);
	for (uint32_t rest = access->mask; rest; rest &= rest - 1) {
		int lane = __builtin_ctz(rest);

		require(again->decoded[lane] == again->address[lane]);
		require(!range || range[lane] == again->range[lane]);
	}
	return 1;
}

static int on_event_again(void *user, uint64_t site, uint32_t phase, uint32_t mask)
{
	const struct again *again = user;

	require(!again->address && !again->value && site == again->site && mask == again->mask &&
		phase == again->phase);
	return 1;
}

static int on_value_again(void *user, uint64_t site, const struct ct_decoded_value *value)
{
	const struct again *again = user;

	require(again->value && site == again->site && value->mask == again->mask &&
		value->part == again->value->part && value->bytes == again->value->bytes &&
		value->offset == again->value->offset);
	for (uint32_t rest = value->mask; rest; rest &= rest - 1) {
		int lane = __builtin_ctz(rest);

		require(!memcmp(value->data[lane], again->value->data[lane], CT_VALUE_BYTES_MAX));
	}
	return 1;
}

/* The record of n words behind a segment header, decoded again. */
static void check_again(struct again *again, const uint64_t *words, uint32_t n)
{
	const struct ct_decoder decoder = {
	    .segment = on_segment,
	    .site = on_site,
	    .access = on_access_again,
	    .event = on_event_again,
	    .value = on_value_again,
	    .address = again->decoded,
	    .user = again,
	};

	require(8 * n <= CT_RECORD_BYTES_MAX);
	require(ct_decode(&decoder, words, 8 * (2 + n), NULL) == 1);
}

#define RECORD_WORDS (2 + CT_RECORD_BYTES_MAX / 8)
#define HEADER CT_SEGMENT_WORD0(0, 0, 1), CT_SEGMENT_WORD1(0, 0)

/* Loops may stand for any number of accesses. */
#define ACCESSES_MOST 2000u

static unsigned accesses;

static int on_access(void *user, uint64_t site, const struct ct_decoded_access *access)
{
	uint64_t words[RECORD_WORDS] = {HEADER}, *address = user;
	const uint64_t *range = access->range;
	uint32_t mask = access->mask;
	struct again again = {.site = site, .mask = mask, .address = address, .range = range};
	uint32_t bytes = 1u << (uint32_t)site % 5, n;

	check_line(access, address);
	if (range)
		n = ct_encode_range(words + 2, site, mask, address, range);
	else
		n = ct_encode_access(words + 2, site, bytes, mask, address);
	check_again(&again, words, n);
	return ++accesses == ACCESSES_MOST;
}

static int on_event(void *user, uint64_t site, uint32_t phase, uint32_t mask)
{
	uint64_t words[RECORD_WORDS] = {HEADER};
	struct again again = {.site = site, .mask = mask, .phase = phase};

	(void)user;
	check_again(&again, words, ct_encode_event(words + 2, site, phase, mask));
	return 0;
}

/* A piece of content as a record of its own: encoded as content's beginning, then moved. */
static uint32_t encode_piece(uint64_t *words, uint64_t site, const struct ct_decoded_value *value)
{
	uint64_t bytes[CT_WARP_LANES], offset = 0;
	const void *from[CT_WARP_LANES];
	uint32_t n;

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		bytes[lane] = value->bytes;
		from[lane] = value->data[lane];
	}
	n = ct_encode_content(words, site, value->mask, bytes, from, &offset);
	words[n - (uint32_t)__builtin_popcount(value->mask) * value->bytes / 8 - 1] |=
	    (uint64_t)value->offset << 32;
	return n;
}

static uint32_t encode_whole(uint64_t *words, uint64_t site, const struct ct_decoded_value *value)
{
	uint64_t low[CT_WARP_LANES], high[CT_WARP_LANES];

	for (uint32_t rest = value->mask; rest; rest &= rest - 1) {
		int lane = __builtin_ctz(rest);

		memcpy(&low[lane], value->data[lane], 8);
		memcpy(&high[lane], value->data[lane] + 8, 8);
	}
	return ct_encode_value(words, site, value->part, value->bytes, value->mask, low, high);
}

static int on_value(void *user, uint64_t site, const struct ct_decoded_value *value)
{
	uint64_t words[RECORD_WORDS] = {HEADER};
	struct again again = {.site = site, .mask = value->mask, .value = value};
	uint32_t n = value->part == CT_PART_CONTENT ? encode_piece(words + 2, site, value)
						    : encode_whole(words + 2, site, value);

	(void)user;
	check_again(&again, words, n);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t address[CT_WARP_LANES];
	const struct ct_decoder decoder = {
	    .segment = on_segment,
	    .site = on_site,
	    .access = on_access,
	    .event = on_event,
	    .value = on_value,
	    .address = address,
	    .user = address,
	};
	size_t position = 0;

	accesses = 0;
	if (ct_decode(&decoder, data, size, &position) != 0 && position > size)
		abort();
	return 0;
}
