/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A piece: what the lanes of one record did to the same element of their vectors in one page of
 * memory, to the same object.
 *
 *	key:  space, page | superstep | CTA | warp | program order
 *
 * Pages of global memory have its addresses; those of shared, local and constant memory are
 * numbered from 0 in each CTA, thread and launch.
 */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_BASE_PIECE_H
#define CT_POSTPROC_ANALYSIS_VALUES_BASE_PIECE_H

#include "postproc/analysis/values/base/engine.h"

#include <stddef.h>

#define CT_VALUE_PAYLOAD 128u
/* Pieces that need no more payload than a word have a shuffle of their own. */
#define CT_VALUE_SPECK_BYTES (offsetof(struct ct_value_piece, payload) + 8u)

enum ct_value_operation {
	CT_OPERATION_LOAD,
	CT_OPERATION_STORE,
	CT_OPERATION_EXCHANGE,    /* an atomic: the value is what it left there */
	CT_OPERATION_NO_EXCHANGE, /* an atomic that left the value as it was */
	CT_OPERATION_BLIND_LOAD,  /* the value is not known */
	CT_OPERATION_BLIND_STORE,
	/* payload[0] bytes from offset on, which are no elements: by a transfer or a range, */
	CT_OPERATION_OVERWRITE,
	CT_OPERATION_FILL, /* or by a memset: they are payload[1], again and again */
};

enum ct_piece_shape {
	CT_PIECE_UNIFORM, /* payload[0]: the value of all */
	CT_PIECE_AFFINE,  /* payload[0] and the step from lane to lane of the mask, payload[1]; of
			     elements of up to 4 bytes the upper half of payload[0] */
	CT_PIECE_RAW,     /* values side by side, by lane of the mask */
	CT_PIECE_SCATTER, /* as RAW, and behind the room for them the offsets, two bytes each */
};

/* The shape of OVERWRITE. */
enum { CT_RANGE_WRITE, CT_RANGE_READ };

struct ct_value_piece {
	uint64_t key[2];
	uint32_t site;   /* of all units, and sharing << CT_VALUE_SITE_BITS; or CT_NONE */
	uint32_t mask;   /* lanes, at most as many as the payload holds */
	uint32_t object; /* of the trace; CT_NONE: not known */
	struct ct_value_how {
		uint32_t offset : 12; /* in the page, of the first lane of the mask */
		int32_t stride : 13;  /* bytes from lane to lane */
		uint32_t log2 : 2;    /* of an element's bytes */
		uint32_t operation : 3, shape : 2;
	} how;
	union {
		uint64_t word[CT_VALUE_PAYLOAD / 8];
		uint8_t byte[CT_VALUE_PAYLOAD];
	} payload;
};

/* Sharing: how many elements of a lane's range lie in the sector of its element at hand; 0: as many
 * as ct_value_site says. */
static inline uint32_t ct_value_site_word(uint32_t site, uint32_t sharing)
{
	return site == CT_NONE ? CT_NONE : site | sharing << CT_VALUE_SITE_BITS;
}

static inline uint32_t ct_value_piece_site(const struct ct_value_piece *piece)
{
	return piece->site == CT_NONE ? CT_NONE : piece->site & (CT_VALUE_SITES_MAX - 1);
}

/* Returns the part of a sector, in CT_VALUE_SECTOR_PARTS. */
static inline uint32_t ct_value_sector_part(const struct ct_value_site *site, uint32_t sharing)
{
	return site->is_range ? CT_VALUE_SECTOR_PARTS / (sharing ? sharing : site->elements) : 1;
}

/* Lanes that a piece of SCATTER holds, and where its offsets begin. */
static inline uint32_t ct_value_scatter_lanes(uint32_t log2)
{
	uint32_t lanes = CT_VALUE_PAYLOAD / ((1u << log2) + 2u);

	return lanes < CT_WARP_LANES ? lanes : CT_WARP_LANES;
}

static inline uint64_t ct_value_piece_step(const struct ct_value_piece *piece)
{
	return piece->how.log2 == 3 ? piece->payload.word[1] : piece->payload.word[0] >> 32;
}

/*
 * A single-lane record: a load or store of one lane, reported with its value: what most scattered
 *lanes are.
 *
 *	key:  place as of pieces, but for its order | order | object | site | lane | offset
 *
 * The last four have layout.single_bits of the order's; an order that finds no room is a speck's.
 */
struct ct_value_single {
	uint64_t key[2];
	uint64_t value;
};

#define CT_SINGLE_OFFSET_BITS CT_VALUE_PAGE_BITS
#define CT_SINGLE_LANE_BITS 5u

#define CT_VALUE_WARP_BITS 5u
typedef unsigned __int128 ct_value_key;

static inline ct_value_key ct_value_piece_key(const uint64_t key[2])
{
	return (ct_value_key)key[0] << 64 | key[1];
}

struct ct_value_place {
	uint64_t page; /* space << 36 | number */
	uint32_t step;
	uint64_t cta;
	uint32_t warp;
	uint64_t order;
};

#define CT_VALUE_PAGE_SPACE_SHIFT 36u
#define CT_VALUE_PAGE_SPACE(page) ((uint32_t)((page) >> CT_VALUE_PAGE_SPACE_SHIFT))

/* Spaces of pages. */
enum { CT_PAGE_GLOBAL, CT_PAGE_SHARED, CT_PAGE_CONSTANT, CT_PAGE_LOCAL };

/* The key of a place but for its page and order: 0 there. */
static inline ct_value_key ct_value_place_key(const struct ct_value_layout *layout,
					      const struct ct_value_place *place)
{
	ct_value_key all = place->step;

	all = all << layout->cta_bits | place->cta;
	all = all << CT_VALUE_WARP_BITS | place->warp;
	return all << layout->order_bits;
}

/* Pages have the upper bits, whatever the layout. */
static inline uint32_t ct_value_page_shift(const struct ct_value_layout *layout)
{
	return layout->step_bits + layout->cta_bits + CT_VALUE_WARP_BITS + layout->order_bits;
}

static inline void ct_value_place_unpack(const struct ct_value_layout *layout,
					 struct ct_value_place *place, ct_value_key all)
{
	place->order = (uint64_t)all & (((uint64_t)1 << layout->order_bits) - 1);
	all >>= layout->order_bits;
	place->warp = (uint32_t)all & ((1u << CT_VALUE_WARP_BITS) - 1);
	all >>= CT_VALUE_WARP_BITS;
	place->cta = (uint64_t)all & (((uint64_t)1 << layout->cta_bits) - 1);
	all >>= layout->cta_bits;
	place->step = (uint32_t)((uint64_t)all & (((uint64_t)1 << layout->step_bits) - 1));
	place->page = (uint64_t)(all >> layout->step_bits);
}

#define CT_VALUE_PARTITION_BITS 9u
_Static_assert(CT_VALUE_PARTITIONS == 1u << CT_VALUE_PARTITION_BITS, "as many as bits tell");

/* No two pages of a partition differ in the lowest bits of their number alone. */
static inline uint32_t ct_value_partition(uint64_t page)
{
	page ^= page >> 2 * CT_VALUE_PARTITION_BITS;
	page ^= page >> CT_VALUE_PARTITION_BITS;
	return (uint32_t)page & (CT_VALUE_PARTITIONS - 1);
}

/* The bits that pieces of a partition are sorted by: those above the lowest ones of the page tell
 * these, too. low: bits of the order that do not count. */
static inline ct_value_key ct_value_sort_mask(const struct ct_value_layout *layout, uint32_t low)
{
	ct_value_key page = CT_VALUE_PARTITIONS - 1;

	return ~(page << ct_value_page_shift(layout)) & ~(((ct_value_key)1 << low) - 1);
}

#endif
