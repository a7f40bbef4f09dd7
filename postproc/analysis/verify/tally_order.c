/* SPDX-License-Identifier: Apache-2.0 */
/* The order hash of tally.h, segment by segment. */
#include "postproc/analysis/verify/tally_order.h"
#include "base/array.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void ct_tally_order_init(struct ct_tally_order *order)
{
	*order = (struct ct_tally_order){.power = 1, .last = {.launch = UINT32_MAX}};
	for (uint32_t i = 0; i < CT_WARP_LANES; i++) {
		order->lane[i] = ct_tally_hash(i) | 1;
		order->lane_sum += order->lane[i];
		order->number_sum += i * order->lane[i];
	}
}

void ct_tally_order_fini(struct ct_tally_order *order)
{
	ct_tally_warps_fini(&order->first);
	free(order->segments);
	free(order->lanes);
}

static int new_lanes(struct ct_tally_order *order, struct ct_tally_segment *segment)
{
	int err = ct_array_reserve(&order->lanes, &order->lanes_room, order->lanes_count + 1,
				   sizeof(*order->lanes));

	if (err < 0)
		return err;
	memset(&order->lanes[order->lanes_count], 0, sizeof(*order->lanes));
	segment->hash = order->lanes_count++;
	return 0;
}

static bool is_in(const struct ct_access *access, uint32_t launch,
		  const struct ct_tally_segment *segment)
{
	return segment->segment == access->segment && segment->launch == launch &&
	       segment->cta == access->cta && segment->warp == access->warp;
}

static struct ct_tally_segment segment_at(const struct ct_access *access, uint32_t launch,
					  uint8_t by)
{
	return (struct ct_tally_segment){
	    .cta = access->cta,
	    .segment = access->segment,
	    .launch = launch,
	    .sequence = (uint16_t)access->sequence,
	    .warp = (uint8_t)access->warp,
	    .by = by,
	};
}

static int append(struct ct_tally_order *order, const struct ct_tally_segment *segment)
{
	int err = ct_array_reserve(&order->segments, &order->room, order->count + 1,
				   sizeof(*order->segments));

	if (err == 0)
		order->segments[order->count++] = *segment;
	return err;
}

/* The segment that the access stands in: the last one, or a new one. */
static int segment_of(struct ct_tally_order *order, uint32_t launch, uint8_t by,
		      const struct ct_access *access, struct ct_tally_segment **out)
{
	struct ct_tally_segment *last = order->count ? &order->segments[order->count - 1] : NULL;
	struct ct_tally_segment new = segment_at(access, launch, by);
	int err = 0;

	if (last && last->by == by && is_in(access, launch, last)) {
		*out = last;
		return 0;
	}
	if (by == CT_TALLY_BY_LANE)
		err = new_lanes(order, &new);
	if (err == 0)
		err = append(order, &new);
	if (err < 0)
		return err;
	order->power = 1;
	*out = &order->segments[order->count - 1];
	return 0;
}

/* The segment is there; it is not asked for for its order. */
static int note_segment(struct ct_tally_order *order, uint32_t launch,
			const struct ct_access *access)
{
	int is_new = 0;

	if (is_in(access, launch, &order->last))
		return 0;
	order->last = segment_at(access, launch, CT_TALLY_NO_ORDER);
	if (order->last.sequence == 0)
		is_new = ct_tally_warps_add(&order->first, launch, access->cta, access->warp);
	if (is_new)
		return is_new < 0 ? is_new : 0;
	return append(order, &order->last);
}

static uint64_t power_of(uint64_t exponent)
{
	uint64_t power = 1, base = CT_TALLY_BASE;

	for (; exponent; exponent >>= 1, base *= base)
		if (exponent & 1)
			power *= base;
	return power;
}

/* Sum of L * (address + line) over the lanes of a record. */
static uint64_t record_hash(const struct ct_tally_order *order, const struct ct_access *access,
			    uint64_t line)
{
	uint64_t sum = 0;

	if (access->mask == CT_FULL_MASK && access->is_linear)
		return order->lane_sum * (access->address[0] + line) +
		       order->number_sum * (uint64_t)access->stride;
	for (uint32_t rest = access->mask; rest; rest &= rest - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);

		sum += order->lane[lane] * (access->address[lane] + line);
	}
	return sum;
}

static void add_by_lane(const struct ct_tally_order *order, struct ct_tally_lanes *lanes,
			const struct ct_access *access, uint64_t line)
{
	for (uint32_t rest = access->mask; rest; rest &= rest - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);

		lanes->hash[lane] += power_of(lanes->count[lane]++) * order->lane[lane] *
				     (access->address[lane] + line);
	}
}

int ct_tally_order_add(struct ct_tally_order *order, uint32_t launch, uint8_t by,
		       const struct ct_access *access, uint64_t line)
{
	struct ct_tally_segment *segment;
	int err;

	if (by == CT_TALLY_NO_ORDER)
		return note_segment(order, launch, access);
	err = segment_of(order, launch, by, access, &segment);
	if (err < 0)
		return err;
	if (by == CT_TALLY_BY_LANE)
		add_by_lane(order, &order->lanes[segment->hash], access, line);
	if (by == CT_TALLY_BY_WARP) {
		segment->hash += order->power * record_hash(order, access, line);
		order->power *= CT_TALLY_BASE;
		segment->records++;
	}
	return 0;
}

int ct_tally_order_note(struct ct_tally_order *order, uint32_t launch, uint8_t by,
			const struct ct_access *at)
{
	struct ct_tally_segment *segment;

	if (by == CT_TALLY_NO_ORDER)
		return note_segment(order, launch, at);
	return segment_of(order, launch, by, at, &segment);
}

/* A second segment of number 0: after 65535 others, or by mistake. */
static int add_again(void *user, uint32_t launch, uint64_t cta, uint32_t warp)
{
	const struct ct_tally_segment segment = {
	    .cta = cta, .launch = launch, .warp = (uint8_t)warp, .by = CT_TALLY_NO_ORDER};

	return append(user, &segment);
}

static int join_block(void *user, uint32_t launch, uint64_t first_cta,
		      const struct ct_tally_warps_block *block)
{
	struct ct_tally_order *into = user;

	return ct_tally_warps_join(&into->first, launch, first_cta, block, add_again, into);
}

int ct_tally_order_join(struct ct_tally_order *into, struct ct_tally_order *from)
{
	size_t first_lanes = into->lanes_count;
	int err = ct_tally_warps_each(&from->first, join_block, into);

	if (err < 0)
		return err;

	for (size_t i = 0; i < from->count; i++)
		if (from->segments[i].by == CT_TALLY_BY_LANE)
			from->segments[i].hash += first_lanes;
	err = ct_array_reserve(&into->lanes, &into->lanes_room, first_lanes + from->lanes_count,
			       sizeof(*into->lanes));
	if (err == 0)
		err = ct_array_reserve(&into->segments, &into->room, into->count + from->count,
				       sizeof(*into->segments));
	if (err < 0)
		return err;
	if (from->lanes_count)
		memcpy(&into->lanes[first_lanes], from->lanes,
		       from->lanes_count * sizeof(*from->lanes));
	if (from->count)
		memcpy(&into->segments[into->count], from->segments,
		       from->count * sizeof(*from->segments));
	into->lanes_count += from->lanes_count;
	into->count += from->count;
	return 0;
}

/* A block of first segments in bytes. */
struct packed {
	uint64_t launch, first_cta;
	struct ct_tally_warps_block block;
};

static int pack_block(void *user, uint32_t launch, uint64_t first_cta,
		      const struct ct_tally_warps_block *block)
{
	const struct packed packed = {launch, first_cta, *block};

	return ct_buffer_append(user, &packed, sizeof(packed)) ? 0 : -ENOMEM;
}

/* Three numbers: of blocks, segments, and lanes, which follow. */
int ct_tally_order_pack(const struct ct_tally_order *order, struct ct_buffer *bytes)
{
	uint64_t count[3] = {0, order->count, order->lanes_count};
	size_t at = bytes->size;
	int err = ct_buffer_append(bytes, count, sizeof(count)) ? 0 : -ENOMEM;

	if (err == 0)
		err = ct_tally_warps_each(&order->first, pack_block, bytes);
	if (err < 0)
		return err;
	count[0] = (bytes->size - at - sizeof(count)) / sizeof(struct packed);
	memcpy(bytes->bytes + at, count, sizeof(count));
	if (order->count &&
	    !ct_buffer_append(bytes, order->segments, order->count * sizeof(*order->segments)))
		return -ENOMEM;
	if (order->lanes_count &&
	    !ct_buffer_append(bytes, order->lanes, order->lanes_count * sizeof(*order->lanes)))
		return -ENOMEM;
	return 0;
}

static int unpack_blocks(struct ct_tally_order *into, const char *at, uint64_t blocks)
{
	struct packed packed;
	int err = 0;

	for (; blocks && err == 0; blocks--, at += sizeof(packed)) {
		memcpy(&packed, at, sizeof(packed));
		err = join_block(into, (uint32_t)packed.launch, packed.first_cta, &packed.block);
	}
	return err;
}

int ct_tally_order_unpack(struct ct_tally_order *into, const void *bytes, size_t count)
{
	struct ct_tally_order from = {.count = 0};
	const char *at = bytes;
	uint64_t counts[3];
	size_t blocks, segments, lanes;
	int err;

	if (count < sizeof(counts))
		return -EPROTO;
	memcpy(counts, at, sizeof(counts));
	at += sizeof(counts);
	blocks = counts[0] * sizeof(struct packed);
	segments = counts[1] * sizeof(*from.segments);
	lanes = counts[2] * sizeof(*from.lanes);
	if (count != sizeof(counts) + blocks + segments + lanes)
		return -EPROTO;
	from.count = counts[1];
	from.lanes_count = counts[2];
	from.segments = malloc(segments + 1);
	from.lanes = malloc(lanes + 1);
	err = from.segments && from.lanes ? unpack_blocks(into, at, counts[0]) : -ENOMEM;
	if (err == 0) {
		memcpy(from.segments, at + blocks, segments);
		memcpy(from.lanes, at + blocks + segments, lanes);
		err = ct_tally_order_join(into, &from);
	}
	ct_tally_order_fini(&from);
	return err;
}

static int compare(const void *left, const void *right)
{
	const struct ct_tally_segment *a = left, *b = right;

	if (a->launch != b->launch)
		return a->launch < b->launch ? -1 : 1;
	if (a->cta != b->cta)
		return a->cta < b->cta ? -1 : 1;
	if (a->warp != b->warp)
		return a->warp < b->warp ? -1 : 1;
	return a->segment < b->segment ? -1 : a->segment > b->segment;
}

static uint64_t warp_hash(const struct ct_tally_order *order,
			  const struct ct_tally_segment *segments, size_t count)
{
	uint64_t before[CT_WARP_LANES] = {0}, hash = 0;

	for (const struct ct_tally_segment *s = segments; s < segments + count; s++) {
		if (s->by == CT_TALLY_BY_WARP) {
			hash += power_of(before[0]) * s->hash;
			before[0] += s->records;
		}
		for (uint32_t lane = 0; s->by == CT_TALLY_BY_LANE && lane < CT_WARP_LANES; lane++) {
			const struct ct_tally_lanes *lanes = &order->lanes[s->hash];

			hash += power_of(before[lane]) * lanes->hash[lane];
			before[lane] += lanes->count[lane];
		}
	}
	return hash * (ct_tally_hash(32 * segments->cta + segments->warp) | 1);
}

static void note_gap(struct ct_tally_launch *launch, const struct ct_tally_segment *at,
		     uint64_t gaps)
{
	if (gaps && !launch->gaps) {
		launch->gap_cta = at->cta;
		launch->gap_warp = at->warp;
	}
	launch->gaps += gaps;
}

/* Accesses that wait for their values come behind those of other warps, so a segment may have been
 * noted in pieces: each stays once. Returns how many are left. */
static size_t join_pieces(struct ct_tally_segment *segments, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (!kept || segments[i].by != CT_TALLY_NO_ORDER ||
		    segments[kept - 1].segment != segments[i].segment)
			segments[kept++] = segments[i];
	return kept;
}

/* Sequences count from 0, modulo 65536. Of those of number 0 without an order it is not known which
 * is which, so each stands where one is wanted. One of them may be a piece of the first, if there
 * are more than sequences begin: has_piece. */
static uint64_t count_zeros(const struct ct_tally_segment *segments, size_t count, bool has_first,
			    bool *has_piece)
{
	uint64_t zeros = has_first, begin = 1;

	for (const struct ct_tally_segment *s = segments; s < segments + count; s++) {
		zeros += s->by == CT_TALLY_NO_ORDER && s->sequence == 0;
		begin += s->sequence == UINT16_MAX;
	}
	*has_piece = has_first && zeros > begin;
	return zeros - *has_piece;
}

static void find_gaps(struct ct_tally_launch *launch, const struct ct_tally_segment *segments,
		      size_t count, bool has_first)
{
	bool has_piece;
	uint64_t zeros = count_zeros(segments, count, has_first, &has_piece);
	uint16_t next = 0;

	launch->segments += count - has_piece;
	for (const struct ct_tally_segment *s = segments; s < segments + count; s++) {
		if (s->by == CT_TALLY_NO_ORDER && s->sequence == 0)
			continue;
		if (next == 0 && zeros) {
			zeros--;
			next = 1;
		}
		note_gap(launch, s, s->sequence != next);
		next = (uint16_t)(s->sequence + 1);
	}
	if (next == 0 && zeros)
		zeros--;
	note_gap(launch, segments, zeros);
}

static int count_first(void *user, uint32_t launch, uint64_t first_cta,
		       const struct ct_tally_warps_block *block)
{
	struct ct_tally_launch *of = (struct ct_tally_launch *)user + launch;

	(void)first_cta;
	for (uint32_t i = 0; i < CT_TALLY_WARPS_CTAS; i++) {
		of->warps += (uint64_t)__builtin_popcount(block->warps[i]);
		of->segments += (uint64_t)__builtin_popcount(block->warps[i]);
	}
	return 0;
}

void ct_tally_order_finish(struct ct_tally_order *order, struct ct_tally_launch *launch)
{
	size_t end;

	ct_tally_warps_each(&order->first, count_first, launch);
	if (order->count)
		qsort(order->segments, order->count, sizeof(*order->segments), compare);
	for (size_t first = 0; first < order->count; first = end) {
		struct ct_tally_segment *s = &order->segments[first];
		bool has_first = s->by == CT_TALLY_NO_ORDER &&
				 ct_tally_warps_has(&order->first, s->launch, s->cta, s->warp);
		struct ct_tally_launch *of = &launch[s->launch];
		size_t count;

		for (end = first + 1;
		     end < order->count && s[end - first].launch == s->launch &&
		     s[end - first].cta == s->cta && s[end - first].warp == s->warp;
		     end++)
			;
		count = join_pieces(s, end - first);
		of->warps += !has_first;
		of->order += warp_hash(order, s, count);
		find_gaps(of, s, count, has_first);
	}
}
