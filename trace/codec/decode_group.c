/* SPDX-License-Identifier: Apache-2.0 */
/* Decode records that stand for several accesses: groups and loops. */
#include "trace/codec/decode_record.h"

#include <cudatrace/error.h>

const struct ct_active_group *ct_record_stream_group(const struct ct_record_stream *stream,
						     uint64_t site)
{
	for (uint32_t i = 0; i < stream->group_count; i++)
		if (stream->group[i].leader == site)
			return &stream->group[i];
	return NULL;
}

/* The entry of a leader, or a new one; NULL if there are too many. */
static struct ct_active_group *group_of(struct ct_record_stream *stream, uint32_t leader)
{
	struct ct_active_group *group = stream->group;

	for (uint32_t i = 0; i < stream->group_count; i++, group++)
		if (group->leader == leader)
			return group;
	if (stream->group_count == CT_GROUPS_MAX)
		return NULL;
	stream->group_count++;
	group->leader = leader;
	return group;
}

/* Count of the record at the head, or 0 if it or the rest of the word is out of bounds. */
static uint32_t count_of(uint64_t word, uint32_t most)
{
	uint32_t count = word & 0xff;

	return (uint32_t)(word >> 8) == 0 && count <= most ? count : 0;
}

static void define(struct ct_record_stream *stream, struct ct_active_group *group, uint32_t count)
{
	group->count = count;
	group->at = (uint32_t)((size_t)(stream->at - stream->origin) / 8);
	memcpy(group->distance, stream->at + 8, 8 * (size_t)count);
}

void ct_record_stream_learn(struct ct_record_stream *stream, uint32_t at)
{
	const unsigned char *resume = stream->at;
	uint64_t word = ct_word_at(stream->origin, at);
	uint32_t leader = (uint32_t)(word >> CT_SITE_SHIFT) & CT_SITE_EXTENDED;

	stream->at = stream->origin + 8 * (size_t)at;
	define(stream, group_of(stream, leader), count_of(word, CT_GROUP_MEMBERS - 1));
	stream->at = resume;
}

/* Learned in segments that are not wanted as well: later ones may go by it. */
int ct_decode_group(struct ct_record_stream *stream, uint64_t site)
{
	uint32_t count = count_of(ct_word_at(stream->at, 0), CT_GROUP_MEMBERS - 1);
	struct ct_active_group *group;

	if (!count || stream->words < 1 + (size_t)count || site + count >= CT_SITE_EXTENDED)
		return -CT_ERECORD;
	group = group_of(stream, (uint32_t)site);
	if (!group)
		return -CT_ERECORD;
	define(stream, group, count);
	stream->has_new_group = true;
	ct_record_stream_advance(stream, 1 + (size_t)count);
	return 0;
}

static void move(uint64_t address[CT_WARP_LANES], uint32_t mask, uint64_t distance)
{
	if (mask == CT_FULL_MASK) {
		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
			address[lane] += distance;
		return;
	}
	for (uint32_t rest = mask; rest; rest &= rest - 1)
		address[__builtin_ctz(rest)] += distance;
}

int ct_group_expand(const struct ct_record_stream *stream, const struct ct_active_group *group,
		    uint32_t kind, const struct ct_decoded_access *access)
{
	const struct ct_decoder *decoder = stream->decoder;
	struct ct_decoded_access member = *access;
	uint64_t at = 0;
	uint32_t bytes;
	int err = 0;

	member.is_ahead = true;

	for (uint32_t k = 0; k < group->count && err == 0; k++) {
		uint64_t site = group->leader + k + 1;

		move(decoder->address, access->mask, group->distance[k] - at);
		at = group->distance[k];
		err = ct_record_stream_ask(stream, kind, site, &bytes);
		if (err > 0)
			err = decoder->access(decoder->user, site, &member);
	}
	return err;
}

/* One site of a loop: its addresses without what iterations add to them. */
struct loop_site {
	uint64_t site;
	uint64_t step;
	uint64_t address[CT_WARP_LANES];
	int64_t stride;
	bool is_regular; /* addresses are on a line with that stride, unless they wrap */
};

static bool is_loop_site(const unsigned char *at)
{
	uint64_t word = ct_word_at(at, 0);

	return word >> CT_LOOP_WIDTH_SHIFT <= 5 &&
	       (word & ((1ull << CT_LOOP_WIDTH_SHIFT) - 1)) <= CT_ADDRESS_MASK;
}

/* Take apart the three words of a site. */
static void parse_loop_site(struct loop_site *site, const unsigned char *at)
{
	uint64_t word = ct_word_at(at, 0), deltas = ct_word_at(at, 1);
	uint32_t log2_width = (uint32_t)(word >> CT_LOOP_WIDTH_SHIFT);
	uint64_t inner = (uint64_t)(int32_t)deltas, outer = (uint64_t)((int64_t)deltas >> 32);

	site->step = ct_word_at(at, 2);
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		site->address[lane] = (word & CT_ADDRESS_MASK) +
				      (lane & ((1u << log2_width) - 1)) * inner +
				      (lane >> log2_width) * outer;
	site->stride = (int64_t)(log2_width ? inner : outer);
	site->is_regular = log2_width == 5 || outer == (uint64_t)site->stride << log2_width;
}

/* Hand on the access of a site in an iteration, by which its addresses have moved by `moved`. */
static int emit_loop_site(const struct ct_record_stream *stream, const struct loop_site *site,
			  uint64_t moved)
{
	struct ct_decoded_access access = {
	    .mask = CT_FULL_MASK, .stride = site->stride, .is_ahead = true};
	const struct ct_decoder *decoder = stream->decoder;
	uint64_t *address = decoder->address;
	uint32_t bytes;
	int answer = ct_record_stream_ask(stream, CT_REC_EXTENDED, site->site, &bytes);

	if (answer <= 0)
		return answer;
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		address[lane] = (site->address[lane] + moved) & CT_ADDRESS_MASK;
	access.is_linear = site->is_regular && address[CT_WARP_LANES - 1] - address[0] ==
						   (CT_WARP_LANES - 1) * (uint64_t)site->stride;
	return decoder->access(decoder->user, site->site, &access);
}

static int emit_loop(const struct ct_record_stream *stream, const struct loop_site *sites,
		     uint32_t count, uint64_t iterations)
{
	int err = 0;

	for (uint64_t i = 0; i < iterations && err == 0; i++)
		for (uint32_t k = 0; k < count && err == 0; k++)
			err = emit_loop_site(stream, &sites[k], i * sites[k].step);
	return err;
}

int ct_decode_loop(struct ct_record_stream *stream, uint64_t site)
{
	uint32_t count = count_of(ct_word_at(stream->at, 0), CT_LOOP_SITES), wanted = 0, bytes;
	struct loop_site sites[CT_LOOP_SITES];
	size_t words = 2 + 3 * (size_t)count;
	uint64_t iterations;
	int answer;

	if (!count || stream->words < words || site + count > CT_SITE_EXTENDED)
		return -CT_ERECORD;
	iterations = ct_word_at(stream->at, 1);
	if (!iterations)
		return -CT_ERECORD;
	for (uint32_t k = 0; k < count; k++) {
		const unsigned char *at = stream->at + 16 + 24 * (size_t)k;

		if (!is_loop_site(at))
			return -CT_ERECORD;
		/* Asked here once, so that what is not known costs nothing per iteration. */
		answer = ct_record_stream_ask(stream, CT_REC_EXTENDED, site + k, &bytes);
		if (answer < 0)
			return answer;
		if (!answer)
			continue;
		parse_loop_site(&sites[wanted], at);
		sites[wanted++].site = site + k;
	}
	ct_record_stream_advance(stream, words);
	if (!wanted)
		return 0;
	if (stream->decoder->loop) {
		answer = stream->decoder->loop(stream->decoder->user, wanted, iterations);
		if (answer)
			return answer;
	}
	return emit_loop(stream, sites, wanted, iterations);
}
