/* SPDX-License-Identifier: Apache-2.0 */
/* Lanes on their own, packed into keys. */
#include "postproc/analysis/values/scan/singles.h"

/* The single-lane records of one record share this. */
struct batch {
	struct ct_shuffle *shuffle;
	uint32_t writer;
	uint32_t page_shift, order_shift; /* in the words of a key */
	uint64_t first, second;           /* but for page, order, lane and offset */
};

static struct batch begin(const struct ct_value_put *put, const struct ct_value_element *element,
			  uint32_t object)
{
	const struct ct_value_engine *engine = put->engine;
	const struct ct_value_layout *layout = &engine->layout;
	uint64_t ids = object == CT_NONE ? engine->objects : object;

	ids = ids << layout->site_bits | element->number;
	return (struct batch){
	    .shuffle = engine->singles,
	    .writer = put->writer,
	    .page_shift = ct_value_page_shift(layout) - 64u, /* pages are above the order */
	    .order_shift = layout->single_bits,
	    .first = (uint64_t)(put->key >> 64),
	    .second = (uint64_t)put->key | ids << (CT_SINGLE_LANE_BITS + CT_SINGLE_OFFSET_BITS),
	};
}

static inline int put_lane(const struct batch *batch, uint64_t page, uint64_t order, uint32_t lane,
			   uint64_t address, uint64_t value)
{
	uint32_t partition = ct_value_partition(page);
	struct ct_value_single *single = ct_shuffle_place(batch->shuffle, batch->writer, partition);

	single->key[0] = batch->first | page << batch->page_shift;
	single->key[1] = batch->second | order << batch->order_shift |
			 (uint64_t)lane << CT_SINGLE_OFFSET_BITS |
			 (address & (CT_VALUE_PAGE_BYTES - 1));
	single->value = value;
	return ct_shuffle_put_placed(batch->shuffle, batch->writer, partition, sizeof(*single));
}

bool ct_value_singles_fit(const struct ct_value_put *put, const struct ct_value_element *element)
{
	const struct ct_value_layout *layout = &put->engine->layout;

	return element->operation <= CT_OPERATION_STORE && element->number != CT_NONE &&
	       !element->sharing && layout->single_bits &&
	       (put->place.order + CT_WARP_LANES) >> (layout->order_bits - layout->single_bits) ==
		   0;
}

int ct_value_put_singles(struct ct_value_put *put, const struct ct_value_element *element,
			 uint32_t object, uint32_t lanes)
{
	const struct batch batch = begin(put, element, object);
	uint64_t page = put->place.page, order = put->place.order;
	int err = 0;

	for (; lanes && err == 0; lanes &= lanes - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(lanes);

		err = put_lane(&batch, page, ++order, lane, element->address[lane],
			       element->value[lane]);
	}
	put->place.order = order;
	return err;
}

/* No page of global memory has more than so many of the lanes, as far as a look at some of the
 * bits of their numbers tells. */
static bool is_scattered(const uint64_t *address, uint32_t lanes, uint32_t most)
{
	uint8_t count[256] = {0};
	uint32_t top = 0;

	for (; lanes; lanes &= lanes - 1) {
		uint64_t page = address[__builtin_ctz(lanes)] >> CT_VALUE_PAGE_BITS;
		uint8_t own = ++count[(uint8_t)(page ^ page >> 8 ^ page >> 16)];

		top = own > top ? own : top;
	}
	return top <= most;
}

bool ct_value_put_scattered(struct ct_value_put *put, const struct ct_value_element *element,
			    uint32_t object, uint32_t lanes, uint32_t most, int *err)
{
	bool is_apart = element->stride >= (int64_t)CT_VALUE_PAGE_BYTES ||
			element->stride <= -(int64_t)CT_VALUE_PAGE_BYTES;
	struct batch batch;
	uint64_t order = put->place.order;

	if (!ct_value_singles_fit(put, element) || (element->is_linear && !is_apart) ||
	    (!element->is_linear && !is_scattered(element->address, lanes, most)))
		return false;
	*err = 0;
	batch = begin(put, element, object);
	for (; lanes && *err == 0; lanes &= lanes - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(lanes);
		uint64_t address = element->address[lane] & CT_ADDRESS_MASK;

		*err = put_lane(&batch, address >> CT_VALUE_PAGE_BITS, ++order, lane, address,
				element->value[lane]);
	}
	put->place.order = order;
	return true;
}
