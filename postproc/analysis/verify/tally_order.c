/* SPDX-License-Identifier: Apache-2.0 */
/* The order hash of tally.h, segment by segment. */
#include "postproc/analysis/verify/tally_order.h"
#include "base/array.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void ct_tally_order_init(struct ct_tally_order *order)
{
	*order = (struct ct_tally_order){.power = 1};
	for (uint32_t i = 0; i < CT_WARP_LANES; i++) {
		order->lane[i] = ct_tally_hash(i) | 1;
		order->lane_sum += order->lane[i];
		order->number_sum += i * order->lane[i];
	}
}

void ct_tally_order_fini(struct ct_tally_order *order)
{
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

/* The segment that the access stands in: the last one, or a new one. */
static int segment_of(struct ct_tally_order *order, uint32_t launch, uint8_t by,
		      const struct ct_access *access, struct ct_tally_segment **out)
{
	struct ct_tally_segment *last = order->count ? &order->segments[order->count - 1] : NULL;
	int err;

	if (last && last->segment == access->segment && last->launch == launch &&
	    last->cta == access->cta && last->warp == access->warp) {
		*out = last;
		return 0;
	}
	err = ct_array_reserve(&order->segments, &order->room, order->count + 1, sizeof(*last));
	if (err < 0)
		return err;
	last = &order->segments[order->count];
	*last = (struct ct_tally_segment){
	    .cta = access->cta,
	    .segment = access->segment,
	    .launch = launch,
	    .sequence = (uint16_t)access->sequence,
	    .warp = (uint8_t)access->warp,
	    .by = by,
	};
	if (by == CT_TALLY_BY_LANE)
		err = new_lanes(order, last);
	if (err < 0)
		return err;
	order->count++;
	order->power = 1;
	*out = last;
	return 0;
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
	int err = segment_of(order, launch, by, access, &segment);

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

	return segment_of(order, launch, by, at, &segment);
}

int ct_tally_order_join(struct ct_tally_order *into, struct ct_tally_order *from)
{
	size_t first_lanes = into->lanes_count;
	int err;

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

int ct_tally_order_pack(const struct ct_tally_order *order, struct ct_buffer *bytes)
{
	const uint64_t count[2] = {order->count, order->lanes_count};

	if (!ct_buffer_append(bytes, count, sizeof(count)))
		return -ENOMEM;
	if (order->count &&
	    !ct_buffer_append(bytes, order->segments, order->count * sizeof(*order->segments)))
		return -ENOMEM;
	if (order->lanes_count &&
	    !ct_buffer_append(bytes, order->lanes, order->lanes_count * sizeof(*order->lanes)))
		return -ENOMEM;
	return 0;
}

int ct_tally_order_unpack(struct ct_tally_order *into, const void *bytes, size_t count)
{
	struct ct_tally_order from = {.count = 0};
	const char *at = bytes;
	uint64_t counts[2];
	size_t segments, lanes;
	int err;

	if (count < sizeof(counts))
		return -EPROTO;
	memcpy(counts, at, sizeof(counts));
	segments = counts[0] * sizeof(*from.segments);
	lanes = counts[1] * sizeof(*from.lanes);
	if (count != sizeof(counts) + segments + lanes)
		return -EPROTO;
	from.count = counts[0];
	from.lanes_count = counts[1];
	from.segments = malloc(segments + 1);
	from.lanes = malloc(lanes + 1);
	err = from.segments && from.lanes ? 0 : -ENOMEM;
	if (err == 0) {
		memcpy(from.segments, at + sizeof(counts), segments);
		memcpy(from.lanes, at + sizeof(counts) + segments, lanes);
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

/* Sequences count from 0, modulo 65536. */
static void find_gaps(struct ct_tally_launch *launch, const struct ct_tally_segment *segments,
		      size_t count)
{
	uint16_t next = 0;

	for (const struct ct_tally_segment *s = segments; s < segments + count; s++) {
		if (s->sequence != next && !launch->gaps++) {
			launch->gap_cta = s->cta;
			launch->gap_warp = s->warp;
		}
		next = (uint16_t)(s->sequence + 1);
	}
}

void ct_tally_order_settle(struct ct_tally_order *order, struct ct_tally_launch *launch)
{
	size_t end;

	if (order->count)
		qsort(order->segments, order->count, sizeof(*order->segments), compare);
	for (size_t first = 0; first < order->count; first = end) {
		const struct ct_tally_segment *s = &order->segments[first];
		struct ct_tally_launch *of = &launch[s->launch];

		for (end = first + 1;
		     end < order->count && s[end - first].launch == s->launch &&
		     s[end - first].cta == s->cta && s[end - first].warp == s->warp;
		     end++)
			;
		of->warps++;
		of->segments += end - first;
		of->order += warp_hash(order, s, end - first);
		find_gaps(of, s, end - first);
	}
}
