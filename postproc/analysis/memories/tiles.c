/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what CTAs load again and again. */
#include "postproc/analysis/memories/tiles.h"
#include "base/map.h"
#include "postproc/analysis/access/words.h"
#include "postproc/analysis/model/streams.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define AGAIN_MIN 4.0    /* loads of a sector by a CTA, in the mean */
#define WARPS_MIN 2.0    /* of a CTA, that load it, in the mean */
#define APART_MAX 0.1    /* of the requests: gathers, and strides, which have advice of their own */
#define REQUESTS_MIN 0.1 /* of the kernel's */

static bool is_stored_to(const struct ct_access_results *access, uint32_t kernel, uint32_t group)
{
	for (size_t i = 0; i < access->rows; i++)
		if (access->row[i].kernel == kernel && access->row[i].group == group &&
		    access->row[i].class != CT_CLASS_LOAD)
			return true;
	return false;
}

/* The array that the row is the first one of, from what its requests are. */
static bool describe(struct ct_staged *tile, const struct ct_access_results *access, size_t first,
		     double all)
{
	const struct ct_access_row *row = &access->row[first];
	const struct ct_event_alloc *array = access->object[row->group]->event;
	double apart = 0;

	*tile = (struct ct_staged){
	    .group = row->group,
	    .row = row,
	    .range = {array->address / CT_SECTOR_BYTES,
		      (array->address + array->bytes + CT_SECTOR_BYTES - 1) / CT_SECTOR_BYTES}};
	for (size_t i = first; i < access->rows && access->row[i].kernel == row->kernel &&
			       access->row[i].group == row->group;
	     i++) {
		const struct ct_access_figures *f = &access->row[i].figures;

		tile->requests += (double)f->requests;
		apart += (double)(f->pattern[CT_ACCESS_GATHER] + f->pattern[CT_ACCESS_STRIDED]);
		if (f->requests > tile->row->figures.requests)
			tile->row = &access->row[i];
	}
	if (apart > APART_MAX * tile->requests)
		return false;
	tile->requests /= all;
	return tile->requests >= REQUESTS_MIN;
}

static bool is_array(const struct ct_access_results *access, size_t number)
{
	const struct ct_access_row *row = &access->row[number];
	bool is_first = number == 0 || row[-1].kernel != row->kernel || row[-1].group != row->group;

	return is_first && row->group < access->groups && access->object[row->group] &&
	       access->objects[row->group] == 1 && !is_stored_to(access, row->kernel, row->group);
}

static void list_arrays(struct ct_stagings *tiles, const struct ct_access_results *access,
			uint32_t kernel)
{
	double all = 0;

	for (size_t i = 0; i < access->rows; i++)
		all +=
		    access->row[i].kernel == kernel ? (double)access->row[i].figures.requests : 0;
	for (size_t i = 0; i < access->rows && tiles->count < CT_TILES_ARRAYS; i++)
		if (access->row[i].kernel == kernel && is_array(access, i) &&
		    describe(&tiles->list[tiles->count], access, i, all))
			tiles->count++;
}

/* A CTA has loaded this of each array. */
struct seen {
	struct ct_map sector; /* -> the warp that loaded it last + 1 */
	uint64_t distinct[CT_TILES_ARRAYS], warps[CT_TILES_ARRAYS], loaded[CT_TILES_ARRAYS];
};

static int add_warp(struct seen *seen, const struct ct_stagings *tiles,
		    const struct ct_warp_stream *stream)
{
	for (uint32_t r = 0; r < stream->requests; r++) {
		const struct ct_stream_request *request = &stream->request[r];

		for (uint32_t s = 0; request->kind == CT_STREAM_LOAD && s < request->count; s++) {
			uint64_t sector = stream->sector[request->first + s];
			uint32_t t = 0;
			union ct_map_value *by;

			while (t < tiles->count && (sector < tiles->list[t].range.begin ||
						    sector >= tiles->list[t].range.end))
				t++;
			if (t == tiles->count)
				continue;
			by = ct_map_put(&seen->sector, sector, 0);
			if (!by)
				return -ENOMEM;
			seen->loaded[t]++;
			seen->distinct[t] += by->number == 0;
			seen->warps[t] += by->number != stream->warp + 1u;
			by->number = stream->warp + 1u;
		}
	}
	return 0;
}

/* Warps of a CTA stand one behind the other. */
static int count(struct ct_stagings *tiles, struct ct_streams *streams)
{
	struct seen seen = {.sector = {0}};
	size_t warps;
	uint64_t ctas;
	const struct ct_warp_stream *const *list = ct_streams_list(streams, &warps, &ctas);
	double n = 0;
	int err = 0;

	for (size_t w = 0; w < warps && err == 0; w++) {
		if (w == 0 || list[w]->cta != list[w - 1]->cta) {
			ct_map_clear(&seen.sector);
			n++;
		}
		err = add_warp(&seen, tiles, list[w]);
	}
	ct_map_fini(&seen.sector);
	for (uint32_t t = 0; t < tiles->count && n > 0; t++) {
		double distinct = (double)seen.distinct[t];

		tiles->list[t].loaded = (double)seen.loaded[t] / n;
		tiles->list[t].distinct = distinct / n;
		tiles->list[t].warps = distinct > 0 ? (double)seen.warps[t] / distinct : 0;
	}
	return err;
}

static bool is_of_several(const struct ct_staged *tile)
{
	return tile->warps >= WARPS_MIN;
}

static int by_use(const void *a, const void *b)
{
	const struct ct_staged *x = a, *y = b;

	if (is_of_several(x) != is_of_several(y))
		return is_of_several(x) ? -1 : 1;
	return (x->requests < y->requests) - (x->requests > y->requests);
}

/* Loads that one warp alone repeats are of use beside what several do. */
static void choose(struct ct_stagings *tiles)
{
	uint32_t kept = 0;

	for (uint32_t t = 0; t < tiles->count; t++)
		if (tiles->list[t].loaded >= AGAIN_MIN * tiles->list[t].distinct)
			tiles->list[kept++] = tiles->list[t];
	qsort(tiles->list, kept, sizeof(*tiles->list), by_use);
	tiles->count = kept && is_of_several(&tiles->list[0]) ? kept : 0;
}

int ct_tiles_find(struct ct_stagings *tiles, const struct ct_access_results *access,
		  const struct ct_model_all *model, const struct ct_model_kernel *kernel)
{
	struct ct_streams *streams = model->job->results.streams[kernel->kernel];
	int err;

	*tiles = (struct ct_stagings){.count = 0};
	for (uint32_t k = 0; k < access->kernels.count; k++)
		if (!strcmp(access->kernels.list[k].symbol, kernel->symbol))
			list_arrays(tiles, access, k);
	if (!tiles->count || !streams)
		return 0;
	err = count(tiles, streams);
	choose(tiles);
	return err;
}
