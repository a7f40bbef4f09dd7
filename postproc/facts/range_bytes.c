/* SPDX-License-Identifier: Apache-2.0 */
/* Joins what the ranges of one access moved. */
#include "postproc/facts/range_bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void ct_range_bytes_clear(struct ct_range_bytes *bytes)
{
	bytes->mask = 0;
	memset(bytes->count, 0, sizeof(bytes->count));
}

void ct_range_bytes_fini(struct ct_range_bytes *bytes)
{
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		free(bytes->data[lane]);
	memset(bytes, 0, sizeof(*bytes));
}

static int add_lane(struct ct_range_bytes *bytes, const struct ct_value *value, uint32_t lane)
{
	uint64_t range = value->at->range[lane], count = value->bytes, room;
	uint8_t *bigger;

	if (value->offset != bytes->count[lane] || value->offset >= range)
		return 0;
	count = count < range - value->offset ? count : range - value->offset;
	room = bytes->room[lane];
	if (value->offset + count > room) {
		room = room ? 2 * room : 256;
		bigger = realloc(bytes->data[lane], room);
		if (!bigger)
			return -ENOMEM;
		bytes->data[lane] = bigger;
		bytes->room[lane] = room;
	}
	memcpy(bytes->data[lane] + value->offset, value->data[lane], count);
	bytes->count[lane] += count;
	bytes->mask |= 1u << lane;
	return 0;
}

int ct_range_bytes_add(struct ct_range_bytes *bytes, const struct ct_value *value)
{
	int err = 0;

	for (uint32_t rest = value->at->range ? value->at->mask : 0; rest && err == 0;
	     rest &= rest - 1)
		err = add_lane(bytes, value, (uint32_t)__builtin_ctz(rest));
	return err;
}
