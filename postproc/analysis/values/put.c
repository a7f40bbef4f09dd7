/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of lanes on their way to the shuffles. */
#include "postproc/analysis/values/put.h"
#include "postproc/analysis/values/facts.h"

#include <errno.h>
#include <string.h>

#define ALONE 3u /* lanes anywhere: more take less room together */

static bool is_told(enum ct_value_deed deed)
{
	return deed < CT_DEED_BLIND_LOAD;
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

/* words: of the payload. */
static int put_piece(struct ct_value_put *put, struct ct_value_piece *piece, uint32_t words)
{
	const struct ct_value_engine *engine = put->engine;
	uint32_t partition = ct_value_partition(put->place.page);

	if (++put->place.order >> engine->layout.order_bits)
		return -EOVERFLOW;
	ct_value_place_pack(&engine->layout, &put->place, piece->key);
	if (words <= 1)
		return ct_shuffle_put_sized(engine->specks, put->writer, partition, piece,
					    CT_VALUE_SPECK_BYTES);
	return ct_shuffle_put_sized(engine->pieces, put->writer, partition, piece, sizeof(*piece));
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

static void store_values(struct ct_value_piece *piece, const uint64_t *value, uint32_t count)
{
	if (piece->log2 == 2) {
		uint32_t word[CT_VALUE_PAYLOAD / 4];

		for (uint32_t i = 0; i < count; i++)
			word[i] = (uint32_t)value[i];
		memcpy(piece->payload.byte, word, 4 * (size_t)count);
		return;
	}
	if (piece->log2 == 3) {
		memcpy(piece->payload.byte, value, 8 * (size_t)count);
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		memcpy(piece->payload.byte + ((size_t)i << piece->log2), &value[i],
		       (size_t)1 << piece->log2);
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

/* Each lane is a piece: less than one of the greater size. */
static int put_alone(struct ct_value_put *put, struct ct_value_piece *piece,
		     const struct ct_value_element *element, uint32_t lanes)
{
	int err = 0;

	piece->shape = CT_PIECE_UNIFORM;
	piece->stride = 0;
	for (; lanes && err == 0; lanes &= lanes - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(lanes);

		piece->mask = 1u << lane;
		piece->offset = (uint32_t)element->address[lane] & (CT_VALUE_PAGE_BYTES - 1);
		piece->payload.word[0] = is_told(element->deed) ? element->value[lane] : 0;
		err = put_piece(put, piece, 1);
	}
	return err;
}

/* As many pieces as the values take. */
static int put_raw(struct ct_value_put *put, struct ct_value_piece *piece,
		   const struct ct_value_element *element, uint32_t lanes, bool is_linear)
{
	uint32_t most =
	    is_linear ? CT_VALUE_PAYLOAD >> piece->log2 : ct_value_scatter_lanes(piece->log2);
	int err = 0;

	if (!is_linear && (uint32_t)__builtin_popcount(lanes) <= ALONE)
		return put_alone(put, piece, element, lanes);
	most = most < CT_WARP_LANES ? most : CT_WARP_LANES;
	piece->shape = is_linear ? CT_PIECE_RAW : CT_PIECE_SCATTER;
	while (lanes && err == 0) {
		uint64_t room[CT_WARP_LANES];
		uint32_t count, at = 0;

		piece->mask = take_lanes(&lanes, most);
		piece->offset = (uint32_t)element->address[__builtin_ctz(piece->mask)] &
				(CT_VALUE_PAGE_BYTES - 1);
		if (is_told(element->deed)) {
			const uint64_t *value = gather(element, piece->mask, room, &count);

			store_values(piece, value, count);
		}
		for (uint32_t rest = is_linear ? 0 : piece->mask; rest; rest &= rest - 1) {
			uint16_t offset = (uint16_t)element->address[__builtin_ctz(rest)] &
					  (CT_VALUE_PAGE_BYTES - 1);

			memcpy(piece->payload.byte + ((size_t)most << piece->log2) + 2 * at++,
			       &offset, sizeof(offset));
		}
		err = put_piece(put, piece,
				is_linear && (uint32_t)__builtin_popcount(piece->mask) <= 8u >> piece->log2 ? 1 : 2);
	}
	return err;
}

/* Lanes in one page and object. */
static int put_lanes(struct ct_value_put *put, const struct ct_value_element *element,
		     uint32_t object, uint32_t lanes)
{
	struct ct_value_piece piece; /* the payload is not touched without need */
	bool is_one = !(lanes & (lanes - 1)), is_linear = element->is_linear || is_one;
	static const uint64_t none[1] = {0};
	uint64_t room[CT_WARP_LANES], step = 0;
	uint32_t count = 1, log2 = (uint32_t)__builtin_ctz(element->site->element_bytes) & 3u;
	const uint64_t *value =
	    is_told(element->deed) ? gather(element, lanes, room, &count) : none;

	piece.site = element->number;
	piece.object = object;
	piece.log2 = log2;
	piece.deed = (uint32_t)element->deed & 7u;
	piece.stride = is_one ? 0 : (int32_t)element->stride;
	if (!is_linear || !is_affine(value, count, element->site->element_bytes, &step))
		return put_raw(put, &piece, element, lanes, is_linear);
	piece.mask = lanes;
	piece.offset = (uint32_t)element->address[__builtin_ctz(lanes)] & (CT_VALUE_PAGE_BYTES - 1);
	piece.shape = step ? CT_PIECE_AFFINE : CT_PIECE_UNIFORM;
	piece.payload.word[0] = value[0];
	if (log2 == 3)
		piece.payload.word[1] = step;
	else
		piece.payload.word[0] |= step << 32;
	return put_piece(put, &piece, log2 == 3 && step ? 2 : 1);
}

/* Neighbours: lanes side by side whose elements are. How they differ says whether an object's
 * values follow from their index. */
static int add_slopes(struct ct_value_put *put, const struct ct_value_element *element,
		      uint64_t set, uint32_t lanes)
{
	uint32_t pairs = lanes & lanes >> 1, count = (uint32_t)__builtin_popcount(pairs), same = 0;
	uint32_t shift = 64u - 8u * element->site->element_bytes;
	uint64_t slope;
	int err = 0;

	if (!pairs || !element->is_linear || !element->stride)
		return 0;
	slope = element->value[__builtin_ctz(pairs) + 1] - element->value[__builtin_ctz(pairs)];
	for (uint32_t lane = 0; lane < CT_WARP_LANES - 1 && lanes == CT_FULL_MASK; lane++)
		same += !((element->value[lane + 1] - element->value[lane] - slope) << shift);
	for (uint32_t rest = lanes == CT_FULL_MASK ? 0 : pairs; rest; rest &= rest - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);

		same += !((element->value[lane + 1] - element->value[lane] - slope) << shift);
	}
	if (2 * same <= count)
		same = 0;
	if (same)
		err = ct_value_entries_add(put->entries, set | CT_VALUE_ENTRY_SLOPE, 0,
					   (uint64_t)((int64_t)(slope << shift) >> shift), same);
	if (err == 0 && count != same)
		err = ct_value_entries_add(put->entries, set | CT_VALUE_ENTRY_IRREGULAR, 0, 0,
					   count - same);
	return err;
}

/* The values that a set gets of these lanes. */
static int add_values(struct ct_value_put *put, const struct ct_value_element *element,
		      uint32_t object, uint32_t lanes)
{
	const struct ct_value_engine *engine = put->engine;
	uint32_t group = object == CT_NONE ? ct_objects_groups(engine->groups) - 1
					   : engine->object[object].group;
	uint64_t set;
	int err;

	if (element->deed > CT_DEED_STORE || element->number == CT_NONE ||
	    CT_VALUE_PAGE_SPACE(put->place.page) != CT_PAGE_GLOBAL)
		return 0;
	set = ct_value_set_id(engine->step[put->place.step].kernel, group,
			      element->deed == CT_DEED_STORE, element->site->type);
	err = add_slopes(put, element, set, lanes);
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
	if (CT_VALUE_PAGE_SPACE(put->place.page) != CT_PAGE_GLOBAL)
		return lanes;
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
	struct ct_value_piece rest = {.site = CT_NONE, .object = CT_NONE, .mask = 1};
	int err;

	blind.deed = element->deed == CT_DEED_LOAD ? CT_DEED_BLIND_LOAD : CT_DEED_BLIND_STORE;
	put->place.page = page_of(address);
	err = put_lanes(put, &blind, CT_NONE, 1u << lane);
	if (err < 0 || blind.deed == CT_DEED_BLIND_LOAD)
		return err;
	room = CT_VALUE_PAGE_BYTES - (address & (CT_VALUE_PAGE_BYTES - 1));
	put->place.page = page_of(address + room);
	rest.deed = CT_DEED_OVERWRITE;
	rest.payload.word[0] = element->site->element_bytes - room;
	return put_piece(put, &rest, 1);
}

/* Lanes of one page. */
static int put_page(struct ct_value_put *put, const struct ct_value_element *element,
		    uint32_t lanes)
{
	int err = 0;

	while (lanes && err == 0) {
		uint32_t object, here = lanes_of_object(put, element, lanes, &object);

		err = put_lanes(put, element, object, here);
		if (err == 0)
			err = add_values(put, element, object, here);
		lanes &= ~here;
	}
	return err;
}

static bool is_across(const struct ct_value_element *element, uint32_t lane)
{
	return (element->address[lane] & (CT_VALUE_PAGE_BYTES - 1)) + element->site->element_bytes >
	       CT_VALUE_PAGE_BYTES;
}

/* Lanes in a row are all in one page if both ends are. */
static bool is_one_page(const struct ct_value_element *element, uint32_t lanes)
{
	uint32_t first = (uint32_t)__builtin_ctz(lanes), last = last_of(lanes);

	return element->is_linear && !is_across(element, first) && !is_across(element, last) &&
	       page_of(element->address[first]) == page_of(element->address[last]);
}

int ct_value_put_element(struct ct_value_put *put, const struct ct_value_element *element,
			 uint32_t lanes)
{
	int err = 0;

	if (lanes && is_one_page(element, lanes)) {
		put->place.page = page_of(element->address[__builtin_ctz(lanes)]);
		return put_page(put, element, lanes);
	}
	while (lanes && err == 0) {
		uint32_t first = (uint32_t)__builtin_ctz(lanes), here = 0;
		uint64_t page = page_of(element->address[first]);

		if (is_across(element, first)) {
			lanes &= lanes - 1;
			err = put_across(put, element, first);
			continue;
		}
		for (uint32_t rest = lanes; rest; rest &= rest - 1) {
			uint32_t lane = (uint32_t)__builtin_ctz(rest);

			if (page_of(element->address[lane]) == page && !is_across(element, lane))
				here |= rest & -rest;
		}
		put->place.page = page;
		err = put_page(put, element, here);
		lanes &= ~here;
	}
	return err;
}

/* What a range writes, page by page. */
int ct_value_put_range(struct ct_value_put *put, uint64_t address, uint64_t bytes,
		       const struct ct_value_range *range)
{
	struct ct_value_piece piece = {.site = CT_NONE,
				       .object = range->object,
				       .mask = 1,
				       .deed = (uint32_t)range->deed & 7u};
	uint64_t pattern = range->pattern;
	int err = 0;

	while (bytes && err == 0) {
		uint64_t offset = address & (CT_VALUE_PAGE_BYTES - 1);
		uint64_t here =
		    CT_VALUE_PAGE_BYTES - offset < bytes ? CT_VALUE_PAGE_BYTES - offset : bytes;

		put->place.page = page_of(address);
		piece.offset = (uint32_t)offset & (CT_VALUE_PAGE_BYTES - 1);
		piece.payload.word[0] = here;
		piece.payload.word[1] = pattern;
		pattern = here % 8 ? pattern >> 8 * (here % 8) | pattern << (64 - 8 * (here % 8))
				   : pattern;
		err = put_piece(put, &piece, 2);
		address += here;
		bytes -= here;
	}
	return err;
}
