/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of requests, by CTA and warp. */
#include "postproc/analysis/model/streams.h"

#include "base/array.h"
#include "base/map.h"
#include "postproc/facts/lanes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR_BYTES 32u
#define REQUESTS_PER_SECTOR 2u /* that are kept: blocks and barriers among them */
#define ALONE 4u               /* times as much as else is kept of a CTA alone */

struct ct_streams {
	struct ct_warp_stream **list;
	size_t count, room;
	struct ct_map number; /* in list, from 1; key: CTA, warp */
	uint64_t sectors, requests, ctas, most;
	bool is_listed; /* in order, and nothing is added any more */
	bool is_full;   /* one CTA has more than there is room for: the rest of it is missing */
};

int ct_streams_open(struct ct_streams **out, uint64_t sectors)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return -ENOMEM;
	(*out)->ctas = UINT64_MAX;
	(*out)->most = sectors ? sectors : CT_STREAMS_SECTORS;
	return 0;
}

static void free_stream(struct ct_warp_stream *stream)
{
	if (!stream)
		return;
	free(stream->request);
	free(stream->sector);
	free(stream);
}

void ct_streams_close(struct ct_streams *streams)
{
	if (!streams)
		return;
	for (size_t i = 0; i < streams->count; i++)
		free_stream(streams->list[i]);
	free(streams->list);
	ct_map_fini(&streams->number);
	free(streams);
}

static int add_stream(struct ct_streams *streams, struct ct_warp_stream *stream)
{
	union ct_map_value *number;

	if (ct_array_reserve(&streams->list, &streams->room, streams->count + 1,
			     sizeof(*streams->list)) < 0)
		return -ENOMEM;
	number = ct_map_put(&streams->number, stream->cta, stream->warp);
	if (!number)
		return -ENOMEM;
	streams->list[streams->count++] = stream;
	number->number = streams->count;
	return 0;
}

/* Returns NULL with *err 0 for the CTAs that are left out. */
static struct ct_warp_stream *find(struct ct_streams *streams, const struct ct_access *at, int *err)
{
	union ct_map_value *known;
	struct ct_warp_stream *stream;

	*err = 0;
	if (at->cta >= streams->ctas || streams->is_full)
		return NULL;
	known = ct_map_find(&streams->number, at->cta, at->warp);
	if (known)
		return streams->list[known->number - 1];
	*err = -ENOMEM;
	stream = calloc(1, sizeof(*stream));
	if (!stream)
		return NULL;
	stream->cta = at->cta;
	stream->warp = at->warp;
	*err = add_stream(streams, stream);
	if (*err < 0) {
		free(stream);
		return NULL;
	}
	return stream;
}

/* Gives up the CTAs from ctas on. */
static int cut(struct ct_streams *streams, uint64_t ctas)
{
	size_t kept = 0, count = streams->count;
	int err = 0;

	if (ctas >= streams->ctas)
		return 0;
	streams->ctas = ctas;
	streams->count = 0;
	streams->sectors = streams->requests = 0;
	ct_map_clear(&streams->number);
	for (size_t i = 0; i < count; i++) {
		struct ct_warp_stream *stream = streams->list[i];

		if (stream->cta >= ctas) {
			free_stream(stream);
			continue;
		}
		streams->list[kept++] = stream;
		streams->sectors += stream->sectors;
		streams->requests += stream->requests;
	}
	for (size_t i = 0; i < kept && err == 0; i++) {
		union ct_map_value *number =
		    ct_map_put(&streams->number, streams->list[i]->cta, streams->list[i]->warp);

		if (number)
			number->number = i + 1;
		else
			err = -ENOMEM;
	}
	streams->count = kept;
	return err;
}

static bool is_over(const struct ct_streams *streams)
{
	return streams->sectors > streams->most ||
	       streams->requests > REQUESTS_PER_SECTOR * streams->most;
}

/* The greatest power of two that is no greater, of a number that is not 0. */
static uint64_t power_in(uint64_t number)
{
	return (uint64_t)1 << (63 - __builtin_clzll(number));
}

/* As many CTAs are kept as the greatest power of two for which there is room: which that is does
 * not depend on the order in which they come, nor on who has which of them. */
static int bound(struct ct_streams *streams)
{
	while (is_over(streams)) {
		uint64_t last = 0;
		int err;

		for (size_t i = 0; i < streams->count; i++)
			if (streams->list[i]->cta > last)
				last = streams->list[i]->cta;
		if (last == 0) { /* a CTA alone is cut by nothing */
			streams->is_full = streams->sectors > ALONE * streams->most ||
					   streams->requests > ALONE * streams->most;
			return 0;
		}
		err = cut(streams, power_in(last));
		if (err < 0)
			return err;
	}
	return 0;
}

static int grow(void *array, uint32_t *room, uint32_t needed, size_t bytes)
{
	size_t wide = *room;
	int err = ct_array_reserve(array, &wide, needed, bytes);

	*room = (uint32_t)wide;
	return err;
}

static int is_less(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The distinct sectors, ascending; how many. Ranges count by their first and last 1023 sectors. */
static uint32_t sectors_of(const struct ct_access *access, uint32_t lanes, uint64_t *sector,
			   uint32_t most)
{
	uint32_t count = 0, kept = 0;

	for (; lanes; lanes &= lanes - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(lanes);
		uint64_t begin = access->address[lane] / SECTOR_BYTES,
			 bytes = ct_lane_bytes(access, lane);
		uint64_t end = (access->address[lane] + (bytes ? bytes : 1) - 1) / SECTOR_BYTES;

		for (uint64_t s = begin; s <= end && count < most; s++)
			if (count == 0 || sector[count - 1] != s)
				sector[count++] = s;
	}
	qsort(sector, count, sizeof(*sector), is_less);
	for (uint32_t i = 0; i < count; i++)
		if (i == 0 || sector[i] != sector[kept - 1])
			sector[kept++] = sector[i];
	return kept;
}

static int add_request(struct ct_warp_stream *stream, uint32_t line, enum ct_stream_kind kind,
		       uint32_t count)
{
	int err = grow(&stream->request, &stream->request_room, stream->requests + 1,
		       sizeof(*stream->request));

	if (err == 0)
		stream->request[stream->requests++] = (struct ct_stream_request){
		    line, (uint16_t)kind, (uint16_t)count, stream->sectors};
	return err;
}

int ct_streams_request(struct ct_streams *streams, const struct ct_access *access, uint32_t lanes,
		       enum ct_stream_kind kind, uint32_t line)
{
	uint64_t sector[4096];
	uint32_t count;
	struct ct_warp_stream *stream;
	int err;

	stream = find(streams, access, &err);
	if (!stream)
		return err;
	count = sectors_of(access, lanes, sector, sizeof(sector) / sizeof(*sector));
	err = add_request(stream, line, kind, count);
	if (err == 0)
		err = grow(&stream->sector, &stream->sector_room, stream->sectors + count,
			   sizeof(*stream->sector));
	if (err < 0)
		return err;
	memcpy(stream->sector + stream->sectors, sector, count * sizeof(*sector));
	stream->sectors += count;
	streams->sectors += count;
	streams->requests++;
	return is_over(streams) ? bound(streams) : 0;
}

int ct_streams_access(struct ct_streams *streams, const struct ct_access *access, uint32_t lanes,
		      enum ct_stream_kind kind)
{
	return ct_streams_request(streams, access, lanes, kind, access->info->line);
}

static int add_mark(struct ct_streams *streams, const struct ct_access *at, uint32_t number,
		    enum ct_stream_kind kind)
{
	int err;
	struct ct_warp_stream *stream = find(streams, at, &err);

	if (!stream)
		return err;
	err = add_request(stream, number, kind, 0);
	if (err < 0)
		return err;
	streams->requests++;
	return is_over(streams) ? bound(streams) : 0;
}

int ct_streams_barrier(struct ct_streams *streams, const struct ct_access *at)
{
	return add_mark(streams, at, at->info->line, CT_STREAM_BARRIER);
}

int ct_streams_block(struct ct_streams *streams, const struct ct_access *at, uint32_t block)
{
	return add_mark(streams, at, block, CT_STREAM_BLOCK);
}

bool ct_streams_is_whole(const struct ct_streams *streams)
{
	return !streams->is_full;
}

int ct_streams_join(struct ct_streams *streams, struct ct_streams *from)
{
	uint64_t ctas = streams->ctas < from->ctas ? streams->ctas : from->ctas;
	int err = cut(streams, ctas);

	if (err == 0)
		err = cut(from, ctas);
	while (err == 0 && from->count) {
		struct ct_warp_stream *stream = from->list[from->count - 1];

		err = add_stream(streams, stream);
		if (err < 0)
			break;
		streams->sectors += stream->sectors;
		streams->requests += stream->requests;
		from->count--;
	}
	streams->is_full |= from->is_full;
	return err < 0 ? err : bound(streams);
}

static int by_place(const void *a, const void *b)
{
	const struct ct_warp_stream *x = *(struct ct_warp_stream *const *)a;
	const struct ct_warp_stream *y = *(struct ct_warp_stream *const *)b;

	if (x->cta != y->cta)
		return x->cta < y->cta ? -1 : 1;
	return (x->warp > y->warp) - (x->warp < y->warp);
}

const struct ct_warp_stream *const *ct_streams_list(struct ct_streams *streams, size_t *count,
						    uint64_t *ctas)
{
	if (!streams->is_listed) {
		if (streams->count)
			qsort(streams->list, streams->count, sizeof(*streams->list), by_place);
		ct_map_clear(&streams->number);
		streams->is_listed = true;
	}
	*count = streams->count;
	*ctas = streams->ctas;
	return (const struct ct_warp_stream *const *)streams->list;
}

/* owner: by sector, its CTA, and then 1 if there is another one. */
static int add_extent(struct ct_streams_extent *extent, struct ct_map *owner,
		      const struct ct_warp_stream *stream)
{
	for (uint32_t s = 0; s < stream->sectors; s++) {
		size_t known = owner->count;
		union ct_map_value *of = ct_map_put(owner, stream->sector[s], 0);

		if (!of)
			return -ENOMEM;
		if (owner->count > known) {
			of->number = stream->cta << 1;
			extent->alone++;
		} else if (!(of->number & 1) && of->number >> 1 != stream->cta) {
			of->number |= 1;
			extent->alone--;
			extent->common++;
		}
	}
	return 0;
}

int ct_streams_extent(const struct ct_streams *streams, struct ct_streams_extent *extent)
{
	struct ct_map owner = {0}, ctas = {0};
	int err = 0;

	*extent = (struct ct_streams_extent){0};
	for (size_t i = 0; i < streams->count && err == 0; i++) {
		err = ct_map_put(&ctas, streams->list[i]->cta, 0) ? 0 : -ENOMEM;
		if (err == 0)
			err = add_extent(extent, &owner, streams->list[i]);
	}
	extent->ctas = ctas.count;
	ct_map_fini(&owner);
	ct_map_fini(&ctas);
	return err;
}
