/* SPDX-License-Identifier: Apache-2.0 */
/* Classifies one execution of an access by a warp: what it moves, and its pattern. */
#include "postproc/analysis/access/request.h"
#include "postproc/analysis/access/sorted.h"
#include "postproc/facts/lanes.h"

#include <stdbool.h>
#include <string.h>

#define LAST_LANE (CT_WARP_LANES - 1)

/* The distance of neighbouring active lanes: by their numbers, or by their ranks. */
struct distance {
	bool is_constant, is_constant_by_rank;
	int64_t bytes, bytes_by_rank;
};

static uint32_t first_of(uint32_t lanes)
{
	return (uint32_t)__builtin_ctz(lanes);
}

static struct distance find_distance(const uint64_t *address, uint32_t lanes)
{
	uint32_t first = first_of(lanes), second = first_of(lanes & (lanes - 1)), last = first;
	int64_t gap = (int64_t)(address[second] - address[first]), apart = second - first;
	struct distance distance = {
	    .is_constant = true, .is_constant_by_rank = true, .bytes = gap, .bytes_by_rank = gap};

	if (apart != 1) { /* as it nearly always is: divisions take their time */
		distance.is_constant = gap % apart == 0;
		distance.bytes = gap / apart;
	}
	for (uint32_t rest = lanes & (lanes - 1);
	     rest && (distance.is_constant || distance.is_constant_by_rank); rest &= rest - 1) {
		uint32_t lane = first_of(rest);

		distance.is_constant &=
		    address[lane] == address[first] + (uint64_t)distance.bytes * (lane - first);
		distance.is_constant_by_rank &= address[lane] - address[last] == (uint64_t)gap;
		last = lane;
	}
	return distance;
}

/* Lanes of a row, if all 32 are in rows of that many, at a constant distance from one another,
 * whose lanes are at that distance `inner`; else 0. */
static uint32_t row_lanes(const uint64_t *address, uint64_t inner)
{
	for (uint32_t shift = 4; shift; shift--) {
		uint32_t width = 1u << shift, lane = 0;
		uint64_t outer = address[width] - address[0];

		while (lane < CT_WARP_LANES && address[lane] == address[0] +
								    (lane & (width - 1)) * inner +
								    (lane >> shift) * outer)
			lane++;
		if (lane == CT_WARP_LANES)
			return width;
	}
	return 0;
}

/* Classifies lanes in a row without gaps between their elements, of which lane 0 would access
 * zero. */
static void classify_unit(struct ct_access_request *request, uint64_t zero, int64_t distance)
{
	/* Where the row would begin with all 32. */
	uint64_t begin = distance < 0 ? zero + (uint64_t)distance * LAST_LANE : zero;
	uint64_t behind = begin % CT_SECTOR_BYTES;

	request->pattern = CT_ACCESS_UNIT;
	if (request->sectors == request->ideal || !behind)
		return;
	request->pattern = CT_ACCESS_MISALIGNED;
	request->figure = (int64_t)behind;
}

static void classify_strided(struct ct_access_request *request, int64_t distance)
{
	request->pattern = CT_ACCESS_STRIDED;
	request->figure = distance;
}

static void classify(struct ct_access_request *request, const uint64_t *address, uint32_t lanes,
		     uint64_t bytes)
{
	struct distance distance = find_distance(address, lanes);
	int64_t unit = (int64_t)bytes;
	uint32_t row = 0;

	if (distance.is_constant && !distance.bytes) {
		request->pattern = CT_ACCESS_BROADCAST;
	} else if (distance.is_constant && (distance.bytes == unit || distance.bytes == -unit)) {
		classify_unit(request,
			      address[first_of(lanes)] - (uint64_t)distance.bytes * first_of(lanes),
			      distance.bytes);
	} else if (distance.is_constant_by_rank && distance.bytes_by_rank == unit) {
		request->pattern = CT_ACCESS_UNIT;
	} else if (distance.is_constant && request->lanes > 2) {
		classify_strided(request, distance.bytes);
	} else {
		if (lanes == CT_FULL_MASK)
			row = row_lanes(address, address[1] == address[0] ? 0 : bytes);
		request->pattern = row ? CT_ACCESS_ROWS : CT_ACCESS_GATHER;
		request->figure = row;
	}
}

/* The active lanes' extents by where they begin; mostly they come in that order or the other way
 * around. */
static uint32_t sort_extents(struct ct_access_extent *extent, const uint64_t *address,
			     uint32_t lanes, uint64_t bytes, const uint64_t *range)
{
	bool is_falling = address[31 - __builtin_clz(lanes)] < address[first_of(lanes)];
	uint32_t count = 0;

	for (uint32_t rest = lanes; rest;) {
		uint32_t lane = is_falling ? 31 - (uint32_t)__builtin_clz(rest) : first_of(rest);
		struct ct_access_extent own = {address[lane],
					       address[lane] + (range ? range[lane] : bytes)};
		uint32_t at = count++;

		rest &= ~(1u << lane);
		for (; at && extent[at - 1].begin > own.begin; at--)
			extent[at] = extent[at - 1];
		extent[at] = own;
	}
	return count;
}

/* Joins those that touch; returns how many are left. */
static uint32_t merge_extents(struct ct_access_extent *extent, uint32_t count)
{
	uint32_t last = 0;

	for (uint32_t i = 1; i < count; i++) {
		if (extent[i].begin > extent[last].end)
			extent[++last] = extent[i];
		else if (extent[i].end > extent[last].end)
			extent[last].end = extent[i].end;
	}
	return last + 1;
}

static void count_sectors(struct ct_access_request *request)
{
	uint64_t next = 0; /* the first sector that is not counted yet */

	for (uint32_t i = 0; i < request->extents; i++) {
		const struct ct_access_extent *extent = &request->extent[i];
		uint64_t first = extent->begin / CT_SECTOR_BYTES;
		uint64_t end = (extent->end + CT_SECTOR_BYTES - 1) / CT_SECTOR_BYTES;

		request->used += extent->end - extent->begin;
		if (first < next)
			first = next;
		if (extent->end > extent->begin && end > first) {
			request->sectors += end - first;
			next = end;
		}
	}
	request->ideal = (request->used + CT_SECTOR_BYTES - 1) / CT_SECTOR_BYTES;
}

/* Joins sorted lanes of as many bytes each. Of each, the bytes and sectors count that are not
 * those of the lane before it. */
static void join_sorted(struct ct_access_request *request, uint64_t bytes)
{
	const uint64_t *sorted = request->address;
	uint64_t begin = sorted[0], end = begin + bytes, used = bytes;
	uint64_t behind = (end - 1) / CT_SECTOR_BYTES + 1; /* the sectors that are counted */
	uint64_t sectors = behind - begin / CT_SECTOR_BYTES;
	uint32_t extents = 0;

	for (uint32_t i = 1; i < request->sorted; i++) {
		uint64_t own = sorted[i], apart = own - sorted[i - 1];
		uint64_t first = own / CT_SECTOR_BYTES;
		bool is_apart = apart > bytes;

		request->extent[extents] = (struct ct_access_extent){begin, end};
		extents += is_apart;
		begin = is_apart ? own : begin;
		end = own + bytes;
		used += is_apart ? bytes : apart;
		first = first > behind ? first : behind;
		behind = (end - 1) / CT_SECTOR_BYTES + 1;
		sectors += behind - first;
	}
	request->extent[extents] = (struct ct_access_extent){begin, end};
	request->extents = extents + 1;
	request->used = used;
	request->sectors = sectors;
	request->ideal = (used + CT_SECTOR_BYTES - 1) / CT_SECTOR_BYTES;
}

static void join_extents(struct ct_access_request *request, const uint64_t *address, uint32_t lanes,
			 uint64_t bytes, const uint64_t *range)
{
	request->sorted = range || !bytes ? 0 : ct_access_sort(request->address, address, lanes);
	if (request->sorted) {
		join_sorted(request, bytes);
		return;
	}
	request->extents = sort_extents(request->extent, address, lanes, bytes, range);
	request->extents = merge_extents(request->extent, request->extents);
	count_sectors(request);
}

void ct_access_request_make(struct ct_access_request *request,
			    const uint64_t address[CT_WARP_LANES], uint32_t lanes, uint64_t bytes,
			    const uint64_t *range)
{
	request->lanes = ct_lane_count(lanes);
	request->asked = request->lanes * bytes;
	request->used = request->sectors = 0;
	request->figure = 0;
	if (range) {
		request->asked = 0;
		for (uint32_t rest = lanes; rest; rest &= rest - 1)
			request->asked += range[first_of(rest)];
	}
	join_extents(request, address, lanes, bytes, range);
	if (range)
		request->pattern = CT_ACCESS_RANGE;
	else if (request->lanes == 1)
		request->pattern = CT_ACCESS_SINGLE;
	else
		classify(request, address, lanes, bytes);
}

/* Ascending extents of lanes at a distance, which do not touch one another. */
static void spread_extents(struct ct_access_request *request, uint64_t first, uint64_t stride,
			   uint32_t lanes, uint64_t bytes)
{
	uint32_t count = 0;

	for (uint32_t rest = lanes; rest; rest &= rest - 1) {
		uint64_t begin = first + stride * (first_of(rest) - first_of(lanes));

		request->extent[count++] = (struct ct_access_extent){begin, begin + bytes};
	}
	request->extents = count;
}

/* Counts sectors if all lanes have as many and none in common. */
static bool count_apart(struct ct_access_request *request, uint64_t first, uint64_t stride,
			uint64_t bytes)
{
	uint64_t each = (first % CT_SECTOR_BYTES + bytes + CT_SECTOR_BYTES - 1) / CT_SECTOR_BYTES;

	if (!bytes || stride % CT_SECTOR_BYTES || stride < each * CT_SECTOR_BYTES)
		return false;
	request->used = request->asked;
	request->sectors = request->lanes * each;
	request->ideal = (request->used + CT_SECTOR_BYTES - 1) / CT_SECTOR_BYTES;
	return true;
}

static bool is_dense(uint32_t lanes)
{
	uint32_t behind = lanes >> first_of(lanes);

	return !(behind & (behind + 1));
}

void ct_access_request_make_linear(struct ct_access_request *request, uint64_t first,
				   int64_t stride, uint32_t lanes, uint64_t bytes)
{
	uint64_t size = stride < 0 ? -(uint64_t)stride : (uint64_t)stride;
	uint32_t last = 31 - (uint32_t)__builtin_clz(lanes), low = first_of(lanes);
	bool is_counted = false;

	/* Where lanes that touch leave gaps, or go down at a distance, or overlap. */
	if (lanes == 1u << low || (size && (size < bytes || (size == bytes && !is_dense(lanes)) ||
					    (size > bytes && stride < 0)))) {
		uint64_t address[CT_WARP_LANES];

		for (uint32_t rest = lanes; rest; rest &= rest - 1)
			address[first_of(rest)] = first + (uint64_t)stride * (first_of(rest) - low);
		ct_access_request_make(request, address, lanes, bytes, NULL);
		return;
	}
	request->lanes = ct_lane_count(lanes);
	request->asked = request->lanes * bytes;
	request->used = request->sectors = 0;
	request->figure = 0;
	request->sorted = 0;
	if (size > bytes) {
		spread_extents(request, first, size, lanes, bytes);
		is_counted = count_apart(request, first, size, bytes);
	} else {
		uint64_t begin = stride < 0 ? first - size * (last - low) : first;

		request->extents = 1;
		request->extent[0] =
		    (struct ct_access_extent){begin, begin + size * (last - low) + bytes};
	}
	if (!is_counted)
		count_sectors(request);
	if (!size)
		request->pattern = CT_ACCESS_BROADCAST;
	else if (size == bytes)
		classify_unit(request, first - (uint64_t)stride * low, stride);
	else if (request->lanes > 2)
		classify_strided(request, stride);
	else
		request->pattern = CT_ACCESS_GATHER;
}

/* The request that is kept, so many bytes on, which are sectors. */
static void move(struct ct_access_kept *kept, const uint64_t *address, uint64_t by)
{
	struct ct_access_request *request = &kept->request;

	for (uint32_t i = 0; i < request->extents; i++) {
		request->extent[i].begin += by;
		request->extent[i].end += by;
	}
	for (uint32_t i = 0; i < request->sorted; i++)
		request->address[i] += by;
	memcpy(kept->address, address, sizeof(kept->address));
}

struct ct_access_request *ct_access_request_keep(struct ct_access_kept *kept, uint32_t site,
						 const uint64_t address[CT_WARP_LANES],
						 uint32_t lanes, uint64_t bytes)
{
	uint32_t first = first_of(lanes);
	uint64_t by = address[first] - kept->address[first];

	if (kept->site != site || kept->lanes != lanes || kept->bytes != bytes ||
	    by % CT_SECTOR_BYTES || !ct_access_is_moved(address, kept->address, lanes, by)) {
		kept->site = site;
		kept->lanes = lanes;
		kept->bytes = bytes;
		memcpy(kept->address, address, sizeof(kept->address));
		ct_access_request_make(&kept->request, address, lanes, bytes, NULL);
	} else if (by) {
		move(kept, address, by);
	}
	return &kept->request;
}
