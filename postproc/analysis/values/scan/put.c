/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of lanes on their way to the shuffles. */
#include "postproc/analysis/values/scan/put.h"
#include "postproc/analysis/values/base/facts.h"
#include "postproc/analysis/values/scan/singles.h"

#include <errno.h>
#include <string.h>

#define ALONE 3u /* lanes anywhere: more take less room together */

static bool is_reported(enum ct_value_operation operation)
{
	return operation < CT_OPERATION_BLIND_LOAD;
}

static uint64_t page_of(uint64_t address)
{
	static const uint8_t code[8] = {[CT_SPACE_SHARED] = CT_PAGE_SHARED,
					[CT_SPACE_CONSTANT] = CT_PAGE_CONSTANT,
					[CT_SPACE_LOCAL] = CT_PAGE_LOCAL};
	uint64_t space = code[CT_ADDRESS_SPACE(address) & 7u];

	if (!space)
		return (address & CT_ADDRESS_MASK) >> CT_VALUE_PAGE_BITS;
	return space << CT_VALUE_PAGE_SPACE_SHIFT |
	       (address & CT_ADDRESS_OFFSET_MASK) >> CT_VALUE_PAGE_BITS;
}

void ct_value_put_move(struct ct_value_put *put)
{
	put->key = ct_value_place_key(&put->engine->layout, &put->place);
}

/* Where the next piece is made; its key is there. is_wide: its payload is more than a word. */
static struct ct_value_piece *begin_piece(struct ct_value_put *put, bool is_wide)
{
	const struct ct_value_engine *engine = put->engine;
	ct_value_key page = put->place.page;
	ct_value_key key = put->key | page << ct_value_page_shift(&engine->layout);
	struct ct_value_piece *piece =
	    ct_shuffle_place(is_wide ? engine->pieces : engine->specks, put->writer,
			     ct_value_partition(put->place.page));

	put->place.order++;
	piece->key[0] = (uint64_t)(key >> 64);
	piece->key[1] = (uint64_t)key | put->place.order;
	return piece;
}

static int end_piece(struct ct_value_put *put, bool is_wide)
{
	const struct ct_value_engine *engine = put->engine;
	uint32_t partition = ct_value_partition(put->place.page);

	if (put->place.order >> engine->layout.order_bits)
		return -EOVERFLOW;
	return is_wide ? ct_shuffle_put_placed(engine->pieces, put->writer, partition,
					       sizeof(struct ct_value_piece))
		       : ct_shuffle_put_placed(engine->specks, put->writer, partition,
					       CT_VALUE_SPECK_BYTES);
}

static uint32_t offset_of(uint64_t address)
{
	return (uint32_t)address & (CT_VALUE_PAGE_BYTES - 1);
}

static uint32_t log2_of(const struct ct_value_element *element)
{
	return (uint32_t)__builtin_ctz(element->site->element_bytes) & 3u;
}

/* The values of these lanes side by side, in room if they are not; *count: of lanes. */
static const uint64_t *gather(const struct ct_value_element *element, uint32_t lanes,
			      uint64_t room[CT_WARP_LANES], uint32_t *count)
{
	uint32_t first = (uint32_t)__builtin_ctz(lanes), row = lanes >> first;

	*count = 0;
	if (!(row & (row + 1))) {
		*count = (uint32_t)__builtin_popcount(lanes);
		return element->value + first;
	}
	for (; lanes; lanes &= lanes - 1)
		room[(*count)++] = element->value[__builtin_ctz(lanes)];
	return room;
}

static bool is_affine(const uint64_t *value, uint32_t count, uint32_t bytes, uint64_t *step)
{
	const uint64_t mask = bytes == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * bytes) - 1;
	uint64_t wrong = 0;

	*step = count > 1 ? value[1] - value[0] : 0;
	if (count > 2 && (value[2] - value[1] - *step) & mask)
		return false; /* as mostly */
	for (uint32_t i = 2; i < count; i++)
		wrong |= value[i] - value[i - 1] - *step;
	return !(wrong & mask);
}

static void store_values(struct ct_value_piece *piece, const uint64_t *value, uint32_t count,
			 uint32_t log2)
{
	uint8_t *to = piece->payload.byte;

	for (size_t i = 0; i < count && log2 == 2; i++, to += 4)
		memcpy(to, &value[i], 4);
	if (log2 == 3)
		memcpy(to, value, 8 * (size_t)count);
	for (size_t i = 0; i < count && log2 < 2; i++, to += (size_t)1 << log2)
		memcpy(to, &value[i], (size_t)1 << log2);
}

/* The lowest `most` of the lanes, taken from them. */
static uint32_t take_lanes(uint32_t *lanes, uint32_t most)
{
	uint32_t rest = *lanes, taken;

	if (*lanes == CT_FULL_MASK && most < CT_WARP_LANES)
		rest = CT_FULL_MASK << most;
	for (uint32_t i = rest == *lanes ? 0 : most; i < most && rest; i++)
		rest &= rest - 1;
	taken = *lanes & ~rest;
	*lanes = rest;
	return taken;
}

/* Lanes that are there once, or at equal distances with equal values, or values that differ by as
 * much. */
static int put_affine(struct ct_value_put *put, const struct ct_value_element *element,
		      uint32_t object, uint32_t lanes, uint64_t value, uint64_t step)
{
	uint32_t log2 = log2_of(element);
	bool is_wide = log2 == 3 && step;
	struct ct_value_piece *piece = begin_piece(put, is_wide);

	piece->site = ct_value_site_word(element->number, element->sharing);
	piece->mask = lanes;
	piece->object = object;
	piece->how = (struct ct_value_how){
	    .offset = offset_of(element->address[__builtin_ctz(lanes)]) & 0xfffu,
	    .stride = lanes & (lanes - 1) ? (int32_t)element->stride : 0,
	    .log2 = log2 & 3u,
	    .operation = (uint32_t)element->operation & 7u,
	    .shape = step ? CT_PIECE_AFFINE : CT_PIECE_UNIFORM,
	};
	piece->payload.word[0] = log2 == 3 ? value : value | step << 32;
	if (is_wide)
		piece->payload.word[1] = step;
	return end_piece(put, is_wide);
}

/* Each lane is a single-lane record, or a piece: less than one of the greater size. */
static int put_alone(struct ct_value_put *put, const struct ct_value_element *element,
		     uint32_t object, uint32_t lanes)
{
	bool is_known = is_reported(element->operation);
	int err = 0;

	if (ct_value_singles_fit(put, element))
		return ct_value_put_singles(put, element, object, lanes);
	for (; lanes && err == 0; lanes &= lanes - 1)
		err = put_affine(put, element, object, lanes & -lanes,
				 is_known ? element->value[__builtin_ctz(lanes)] : 0, 0);
	return err;
}

static void store_offsets(struct ct_value_piece *piece, const struct ct_value_element *element,
			  uint32_t lanes, uint32_t log2)
{
	uint8_t *to = piece->payload.byte + ((size_t)ct_value_scatter_lanes(log2) << log2);

	for (; lanes; lanes &= lanes - 1, to += 2) {
		uint16_t offset = (uint16_t)offset_of(element->address[__builtin_ctz(lanes)]);

		memcpy(to, &offset, sizeof(offset));
	}
}

/* As many pieces as the values take. */
static int put_raw(struct ct_value_put *put, const struct ct_value_element *element,
		   uint32_t object, uint32_t lanes, bool is_linear)
{
	uint32_t log2 = log2_of(element), most = CT_VALUE_PAYLOAD >> log2;
	int err = 0;

	if (!is_linear && (uint32_t)__builtin_popcount(lanes) <= ALONE)
		return put_alone(put, element, object, lanes);
	most = is_linear ? most : ct_value_scatter_lanes(log2);
	while (lanes && err == 0) {
		uint64_t room[CT_WARP_LANES];
		uint32_t mask = take_lanes(&lanes, most < CT_WARP_LANES ? most : CT_WARP_LANES);
		uint32_t count = (uint32_t)__builtin_popcount(mask);
		bool is_wide = !is_linear || count << log2 > 8;
		struct ct_value_piece *piece = begin_piece(put, is_wide);

		piece->site = ct_value_site_word(element->number, element->sharing);
		piece->mask = mask;
		piece->object = object;
		piece->how = (struct ct_value_how){
		    .offset = offset_of(element->address[__builtin_ctz(mask)]) & 0xfffu,
		    .stride = (int32_t)element->stride,
		    .log2 = log2 & 3u,
		    .operation = (uint32_t)element->operation & 7u,
		    .shape = is_linear ? CT_PIECE_RAW : CT_PIECE_SCATTER,
		};
		if (is_reported(element->operation)) {
			const uint64_t *value = gather(element, mask, room, &count);

			store_values(piece, value, count, log2);
		}
		if (!is_linear)
			store_offsets(piece, element, mask, log2);
		err = end_piece(put, is_wide);
	}
	return err;
}

/* Lanes in one page and object. */
static int put_lanes(struct ct_value_put *put, const struct ct_value_element *element,
		     uint32_t object, uint32_t lanes)
{
	uint64_t room[CT_WARP_LANES], step = 0;
	const uint64_t *value;
	uint32_t count;

	if (!(lanes & (lanes - 1)))
		return put_alone(put, element, object, lanes);
	if (!is_reported(element->operation))
		return element->is_linear ? put_affine(put, element, object, lanes, 0, 0)
					  : put_raw(put, element, object, lanes, false);
	if (!element->is_linear)
		return put_raw(put, element, object, lanes, false);
	value = gather(element, lanes, room, &count);
	if (is_affine(value, count, element->site->element_bytes, &step))
		return put_affine(put, element, object, lanes, value[0], step);
	return put_raw(put, element, object, lanes, true);
}

/* Neighbours: lanes side by side whose elements are, at equal distances. How they differ says
 * whether an object's values follow from their index. */
static int add_neighbours(struct ct_value_put *put, const struct ct_value_element *element,
			  uint64_t set, uint32_t object, uint32_t lanes)
{
	uint64_t base = object == CT_NONE ? 0 : put->engine->first_object[object].event->address;
	const struct ct_value_neighbours neighbours = {
	    .value = element->value,
	    .offset = element->address[__builtin_ctz(lanes)] - base,
	    .stride = element->stride,
	    .bytes = element->site->element_bytes,
	    .lanes = lanes,
	};

	if (!(lanes & lanes >> 1) || !element->is_linear || !element->stride)
		return 0;
	return ct_value_entries_add_neighbours(put->entries, set, &neighbours);
}

/* The values that a set gets of these lanes, of global memory. */
static int add_values(struct ct_value_put *put, const struct ct_value_element *element,
		      uint32_t object, uint32_t lanes)
{
	const struct ct_value_engine *engine = put->engine;
	uint32_t group = object == CT_NONE ? ct_objects_groups(engine->groups) - 1
					   : engine->object[object].group;
	uint64_t set;
	int err;

	if (element->operation > CT_OPERATION_STORE || element->number == CT_NONE)
		return 0;
	set = ct_value_set_id(engine->step[put->place.step].kernel, group,
			      element->operation == CT_OPERATION_STORE, element->site->type);
	err = add_neighbours(put, element, set, object, lanes);
	return err < 0 ? err
		       : ct_value_entries_add_lanes(put->entries, set, put->place.step,
						    element->value, lanes);
}

static bool is_inside(const struct ct_object_info *info, uint64_t address)
{
	return address - info->event->address < info->event->bytes;
}

/* The last of the lanes. */
static uint32_t last_of(uint32_t lanes)
{
	return 31u - (uint32_t)__builtin_clz(lanes);
}

/* The lanes whose elements lie in the object of the first one, or outside of all as that does. */
static uint32_t lanes_of_object(struct ct_value_put *put, const struct ct_value_element *element,
				uint32_t lanes, uint32_t *object)
{
	const struct ct_object_info *info;
	uint32_t inside = 0;

	*object = CT_NONE;
	info = ct_locate(&put->locator, put->launch, element->address[__builtin_ctz(lanes)]);
	if (!info)
		return lanes & -lanes;
	*object = (uint32_t)(info - put->engine->first_object);
	if (element->is_linear && is_inside(info, element->address[last_of(lanes)]))
		return lanes;
	for (uint32_t rest = lanes; rest; rest &= rest - 1)
		if (is_inside(info, element->address[__builtin_ctz(rest)]))
			inside |= rest & -rest;
	return inside;
}

/* Elements that lie across the end of a page are written unseen, if they are written. */
static int put_across(struct ct_value_put *put, const struct ct_value_element *element,
		      uint32_t lane)
{
	uint64_t address = element->address[lane], room;
	struct ct_value_element blind = *element;
	struct ct_value_piece *rest;
	int err;

	blind.operation = element->operation == CT_OPERATION_LOAD ? CT_OPERATION_BLIND_LOAD
								  : CT_OPERATION_BLIND_STORE;
	put->place.page = page_of(address);
	err = put_lanes(put, &blind, CT_NONE, 1u << lane);
	if (err < 0 || blind.operation == CT_OPERATION_BLIND_LOAD)
		return err;
	room = CT_VALUE_PAGE_BYTES - (address & (CT_VALUE_PAGE_BYTES - 1));
	put->place.page = page_of(address + room);
	rest = begin_piece(put, false);
	rest->site = rest->object = CT_NONE;
	rest->mask = 1;
	rest->how = (struct ct_value_how){.operation = CT_OPERATION_OVERWRITE};
	rest->payload.word[0] = element->site->element_bytes - room;
	return end_piece(put, false);
}

static bool is_across(const struct ct_value_element *element, uint32_t lane)
{
	return (element->address[lane] & (CT_VALUE_PAGE_BYTES - 1)) + element->site->element_bytes >
	       CT_VALUE_PAGE_BYTES;
}

/* No element is across the end of a page. */
static bool is_aligned(const struct ct_value_element *element, uint32_t lanes)
{
	uint64_t bits = 0;

	for (; lanes; lanes &= lanes - 1)
		bits |= element->address[__builtin_ctz(lanes)];
	return !(bits & (element->site->element_bytes - 1u));
}

/* Lanes in a row are all in one page if both ends are. */
static bool is_one_page(const struct ct_value_element *element, uint32_t lanes)
{
	uint32_t first = (uint32_t)__builtin_ctz(lanes), last = last_of(lanes);

	return element->is_linear && !is_across(element, first) && !is_across(element, last) &&
	       page_of(element->address[first]) == page_of(element->address[last]);
}

/* The lanes that share a page with another of them, or that this first look takes for such. */
static uint32_t find_shared(const uint64_t page[CT_WARP_LANES], uint32_t lanes)
{
	uint8_t first[256], at[CT_WARP_LANES];
	uint32_t shared = 0;

	for (uint32_t rest = lanes; rest; rest &= rest - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);

		at[lane] = (uint8_t)(page[lane] * 0x9e3779b97f4a7c15u >> 56);
		first[at[lane]] = CT_WARP_LANES;
	}
	for (uint32_t rest = lanes; rest; rest &= rest - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);

		if (first[at[lane]] == CT_WARP_LANES)
			first[at[lane]] = (uint8_t)lane;
		else
			shared |= 1u << lane | 1u << first[at[lane]];
	}
	return shared;
}

static bool is_global(uint64_t page)
{
	return CT_VALUE_PAGE_SPACE(page) == CT_PAGE_GLOBAL;
}

/* Lanes of a record may be in several memories, if they are anywhere. */
static uint32_t lanes_of_cta(const struct ct_value_element *element, uint32_t lanes)
{
	uint32_t own = 0;

	if (element->is_linear)
		return lanes;
	for (uint32_t rest = lanes; rest; rest &= rest - 1)
		if (!is_global(page_of(element->address[__builtin_ctz(rest)])))
			own |= rest & -rest;
	return own;
}

/* Lanes of one object, page by page. */
static int put_pages(struct ct_value_put *put, const struct ct_value_element *element,
		     uint32_t object, uint32_t lanes)
{
	uint64_t page[CT_WARP_LANES];
	uint32_t shared;
	int err = 0;

	for (uint32_t rest = lanes; rest; rest &= rest - 1)
		page[__builtin_ctz(rest)] = page_of(element->address[__builtin_ctz(rest)]);
	shared = find_shared(page, lanes);
	while (lanes && err == 0) {
		uint32_t first = (uint32_t)__builtin_ctz(lanes), here = 1u << first;

		for (uint32_t rest = shared & here ? lanes & shared : 0; rest; rest &= rest - 1)
			if (page[__builtin_ctz(rest)] == page[first])
				here |= rest & -rest;
		put->place.page = page[first];
		err = put_lanes(put, element, object, here);
		lanes &= ~here;
	}
	return err;
}

int ct_value_put_element(struct ct_value_put *put, const struct ct_value_element *element,
			 uint32_t lanes)
{
	uint32_t whole = lanes;
	int err = 0;

	if (!lanes)
		return 0;
	if (!is_aligned(element, lanes) && !is_one_page(element, lanes)) {
		for (uint32_t rest = lanes; rest && err == 0; rest &= rest - 1) {
			uint32_t lane = (uint32_t)__builtin_ctz(rest);

			if (!is_across(element, lane))
				continue;
			whole &= ~(1u << lane);
			err = put_across(put, element, lane);
		}
	}
	while (whole && err == 0) {
		uint64_t first = element->address[__builtin_ctz(whole)];
		uint32_t object = CT_NONE, here;
		bool counts;

		put->place.page = page_of(first);
		counts = is_global(put->place.page);
		here = counts ? lanes_of_object(put, element, whole, &object)
			      : lanes_of_cta(element, whole);
		if (is_one_page(element, here))
			err = put_lanes(put, element, object, here);
		else if (!counts ||
			 !ct_value_put_scattered(put, element, object, here, ALONE, &err))
			err = put_pages(put, element, object, here);
		if (err == 0 && counts)
			err = add_values(put, element, object, here);
		whole &= ~here;
	}
	return err;
}

/* Puts what a range writes, page by page. */
int ct_value_put_range(struct ct_value_put *put, uint64_t address, uint64_t bytes,
		       const struct ct_value_range *range)
{
	uint64_t pattern = range->pattern;
	int err = 0;

	while (bytes && err == 0) {
		uint64_t offset = address & (CT_VALUE_PAGE_BYTES - 1);
		uint64_t here =
		    CT_VALUE_PAGE_BYTES - offset < bytes ? CT_VALUE_PAGE_BYTES - offset : bytes;

		struct ct_value_piece *piece;

		put->place.page = page_of(address);
		piece = begin_piece(put, true);
		piece->site = CT_NONE;
		piece->object = range->object;
		piece->mask = 1;
		piece->how =
		    (struct ct_value_how){.offset = (uint32_t)offset & 0xfffu,
					  .operation = (uint32_t)range->operation & 7u,
					  .shape = range->is_read ? CT_RANGE_READ : CT_RANGE_WRITE};
		piece->payload.word[0] = here;
		piece->payload.word[1] = pattern;
		pattern = here % 8 ? pattern >> 8 * (here % 8) | pattern << (64 - 8 * (here % 8))
				   : pattern;
		err = end_piece(put, true);
		address += here;
		bytes -= here;
	}
	return err;
}
