/* SPDX-License-Identifier: Apache-2.0 */
/* Conflicts in the banks of shared memory, counted in a pass of the scan engine. */
#include "postproc/analysis/banks/analysis.h"
#include "postproc/facts/lanes.h"
#include "postproc/facts/operation.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BANKS 32u
#define WORD_BYTES 4u
#define WIDEST_BYTES 16u

/* The most words of these lanes that are different and in one bank. */
static uint32_t count_ways(const uint64_t *address, uint32_t lanes, uint32_t words)
{
	uint64_t word[BANKS][BANKS];
	uint32_t count[BANKS] = {0}, ways = 0;

	for (; lanes; lanes &= lanes - 1) {
		uint64_t first = address[__builtin_ctz(lanes)] / WORD_BYTES;

		for (uint64_t w = first; w < first + words; w++) {
			uint32_t bank = (uint32_t)(w % BANKS), i = 0;

			while (i < count[bank] && word[bank][i] != w)
				i++;
			if (i < count[bank])
				continue;
			word[bank][count[bank]++] = w;
			ways = count[bank] > ways ? count[bank] : ways;
		}
	}
	return ways;
}

struct ct_banks_request ct_banks_request(const uint64_t address[CT_WARP_LANES], uint32_t lanes,
					 uint32_t bytes)
{
	uint32_t words = bytes > WORD_BYTES ? bytes / WORD_BYTES : 1;
	uint32_t part_lanes = CT_WARP_LANES / words; /* that the banks can serve at once */
	uint32_t part = CT_FULL_MASK >> (CT_WARP_LANES - part_lanes);
	struct ct_banks_request request = {.ways = 0};

	for (uint32_t first = 0; first < CT_WARP_LANES; first += part_lanes) {
		uint32_t ways = count_ways(address, lanes & part << first, words);

		request.wavefronts += ways;
		request.ideal += ways != 0;
		request.ways = ways > request.ways ? ways : request.ways;
	}
	return request;
}

/* The distance of the first two neighbours, if more than half of all neighbours have it. */
static enum ct_banks_stride stride_of(const uint64_t *address, uint32_t lanes)
{
	uint32_t pairs = lanes & lanes >> 1, same = 0;
	uint64_t step;

	if (!pairs)
		return CT_BANKS_IRREGULAR;
	step = address[__builtin_ctz(pairs) + 1] - address[__builtin_ctz(pairs)];
	for (uint32_t rest = pairs; rest; rest &= rest - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);

		same += address[lane + 1] - address[lane] == step;
	}
	if (!step || 2 * same <= (uint32_t)__builtin_popcount(pairs))
		return CT_BANKS_IRREGULAR;
	return step % (BANKS * WORD_BYTES) ? CT_BANKS_CONSTANT : CT_BANKS_COLUMN;
}

static void add_ways(struct ct_banks_figures *figures, uint64_t least, uint64_t most)
{
	if (!figures->least_ways || (least && least < figures->least_ways))
		figures->least_ways = least;
	if (most > figures->most_ways)
		figures->most_ways = most;
}

static void add_request(struct ct_banks_figures *figures, const struct ct_access *access,
			uint32_t lanes)
{
	struct ct_banks_request request =
	    ct_banks_request(access->address, lanes, access->info->bytes);

	figures->requests++;
	figures->wavefronts += request.wavefronts;
	figures->ideal += request.ideal;
	if (request.ways < 2)
		return;
	figures->excess[stride_of(access->address, lanes)] += request.wavefronts - request.ideal;
	add_ways(figures, request.ways, request.ways);
}

void ct_banks_figures_add(struct ct_banks_figures *to, const struct ct_banks_figures *from)
{
	to->requests += from->requests;
	to->wavefronts += from->wavefronts;
	to->ideal += from->ideal;
	for (int i = 0; i < CT_BANKS_STRIDES; i++)
		to->excess[i] += from->excess[i];
	add_ways(to, from->least_ways, from->most_ways);
}

struct state {
	const struct ct_unit *units;
	size_t unit_count;
	struct ct_banks_figures **site; /* by unit, by site of it */
	const struct ct_filter *filter;
	struct ct_locator locator;
};

static int wants(void *job, struct ct_wants *wants)
{
	const struct ct_banks_job *own = job;
	const struct ct_unit *units;
	size_t count = ct_trace_units(own->trace, &units);

	*wants = (struct ct_wants){
	    .launches = own->filter ? ct_filter_launches(own->filter) : NULL,
	    .sites = own->filter ? ct_filter_sites(own->filter) : NULL,
	};
	for (size_t i = 0; i < count; i++)
		if (units[i].header->spaces & 1u << CT_SPACE_SHARED)
			wants->what = CT_WANT_ACCESSES;
	return 0;
}

static void free_sites(struct ct_banks_figures **site, size_t units)
{
	for (size_t i = 0; site && i < units; i++)
		free(site[i]);
	free(site);
}

static void close_state(void *state)
{
	struct state *own = state;

	if (own)
		free_sites(own->site, own->unit_count);
	free(own);
}

static int open_state(void **state, void *job, const struct ct_worker *worker)
{
	const struct ct_banks_job *own = job;
	struct state *new = calloc(1, sizeof(*new));

	*state = new;
	if (!new)
		return -ENOMEM;
	new->filter = own->filter;
	new->locator.trace = worker->trace;
	new->unit_count = ct_trace_units(own->trace, &new->units);
	new->site = calloc(new->unit_count + 1, sizeof(*new->site));
	for (size_t i = 0; new->site &&i < new->unit_count; i++) {
		new->site[i] =
		    calloc((size_t) new->units[i].header->site_count + 1, sizeof(*new->site[i]));
		if (!new->site[i])
			return -ENOMEM;
	}
	return new->site ? 0 : -ENOMEM;
}

bool ct_banks_is_counted(const struct ct_access *access)
{
	uint32_t bytes = access->info->bytes;

	return (access->info->operation == CT_OP_LOAD || access->info->operation == CT_OP_STORE) &&
	       !access->range && bytes && bytes <= WIDEST_BYTES && !(bytes & (bytes - 1));
}

static int add_access(void *state, const struct ct_access *access)
{
	struct state *own = state;
	uint32_t lanes = ct_banks_is_counted(access) ? ct_lanes_in(access, CT_SPACE_SHARED) : 0;

	if (lanes && own->filter)
		lanes &= ct_filter_lanes(own->filter, access, &own->locator);
	if (lanes)
		add_request(&own->site[access->unit - own->units][access->site], access, lanes);
	return 0;
}

static int join(void *state, void *from)
{
	const struct state *own = state, *other = from;

	for (size_t i = 0; i < own->unit_count; i++)
		for (uint32_t s = 0; s < own->units[i].header->site_count; s++)
			ct_banks_figures_add(&own->site[i][s], &other->site[i][s]);
	return 0;
}

/* Those of all sites in their order, which is the same in all processes. */
static int pack(const void *state, struct ct_buffer *bytes)
{
	const struct state *own = state;

	for (size_t i = 0; i < own->unit_count; i++)
		for (uint32_t s = 0; s < own->units[i].header->site_count; s++)
			if (!ct_buffer_append(bytes, &own->site[i][s], sizeof(own->site[i][s])))
				return -ENOMEM;
	return 0;
}

static int unpack(void *state, const void *bytes, size_t count)
{
	const struct state *own = state;
	const char *at = bytes, *end = at + count;
	struct ct_banks_figures figures;

	for (size_t i = 0; i < own->unit_count; i++)
		for (uint32_t s = 0; s < own->units[i].header->site_count; s++) {
			if ((size_t)(end - at) < sizeof(figures))
				return -EPROTO;
			memcpy(&figures, at, sizeof(figures));
			at += sizeof(figures);
			ct_banks_figures_add(&own->site[i][s], &figures);
		}
	return at == end ? 0 : -EPROTO;
}

static int conclude(void *job, void **state, const struct ct_scanned *scanned)
{
	struct ct_banks_job *own = job;
	struct state *all = *state;

	(void)scanned;
	own->site = all->site;
	all->site = NULL;
	return 0;
}

const struct ct_analysis ct_banks_analysis = {
    .name = "banks",
    .wants = wants,
    .open = open_state,
    .access = add_access,
    .join = join,
    .pack = pack,
    .unpack = unpack,
    .close = close_state,
    .conclude = conclude,
};

void ct_banks_job_fini(struct ct_banks_job *job)
{
	const struct ct_unit *units;

	free_sites(job->site, ct_trace_units(job->trace, &units));
	job->site = NULL;
}
