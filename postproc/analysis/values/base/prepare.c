/* SPDX-License-Identifier: Apache-2.0 */
/* Prepares what the stages look up: supersteps and what is known of memory then, sites, kernels,
 * objects. */
#include "postproc/analysis/values/base/engine.h"
#include "postproc/analysis/values/base/facts.h"
#include "postproc/analysis/values/base/nodes.h"
#include "postproc/analysis/values/base/piece.h"
#include "postproc/facts/numbered.h"
#include "postproc/facts/opaque.h"
#include "postproc/facts/operation.h"
#include "postproc/facts/sampling.h"
#include "postproc/facts/unseen.h"

#include <cudatrace/summary.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define KEY_BITS 128u
#define PAGE_KEY_BITS 38u /* space and number */
#define WARP_BITS 5u
#define ORDER_BITS_MIN 36u
#define SINGLE_ORDER_BITS_MIN 6u /* more than a record takes */
#define STREAMS_MAX 64u
#define RANGE_ELEMENT_BYTES 4u
#define ASYNC_BYTES 16u /* of most asynchronous copies */

static uint8_t type_of(const struct ct_unit_site *site, uint32_t bytes)
{
	return (uint8_t)CT_VALUES_TYPE(site->scalar, __builtin_ctz(bytes));
}

/* Ranges: tiles have a type, what other ones move has none. */
static void fill_range_site(struct ct_value_site *to, const struct ct_unit_site *site)
{
	uint32_t scalar = site->scalar_bits / 8u;
	bool is_typed = site->scalar != CT_SCALAR_UNKNOWN &&
			(scalar == 2 || scalar == 4 || scalar == 8) && site->scalar_bits % 8 == 0;

	to->element_bytes = is_typed ? (uint8_t)scalar : RANGE_ELEMENT_BYTES;
	to->type = is_typed ? type_of(site, scalar)
			    : (uint8_t)CT_VALUES_TYPE(CT_SCALAR_UNKNOWN,
						      __builtin_ctz(RANGE_ELEMENT_BYTES));
	to->is_range = true;
	to->elements =
	    (uint8_t)((site->operation == CT_OP_COPY_ASYNC ? ASYNC_BYTES : CT_VALUE_SECTOR_BYTES) /
		      to->element_bytes);
}

/* An access that is no vector of elements of 1, 2, 4 or 8 bytes counts as one of its widest such
 * parts. */
static void fill_site(struct ct_value_site *to, const struct ct_unit *unit, uint32_t index)
{
	const struct ct_unit_site *site = &unit->sites[index];
	uint32_t bytes = site->bytes, element;
	int is_typed;

	/* A damaged trace may have ranges of a site without bytes all the same. */
	*to = (struct ct_value_site){
	    .unit = unit, .site = index, .element_bytes = RANGE_ELEMENT_BYTES};
	to->class = (uint8_t)ct_operation_class(site->operation);
	if (site->flags & CT_SITE_RANGE) {
		fill_range_site(to, site);
		return;
	}
	if (!bytes)
		return;
	element = ct_summary_element_bytes(site, &is_typed);
	to->type = is_typed ? type_of(site, element)
			    : (uint8_t)CT_VALUES_TYPE(CT_SCALAR_UNKNOWN, __builtin_ctz(element));
	to->element_bytes = (uint8_t)element;
	to->elements = (uint8_t)(bytes / element);
}

static int prepare_sites(struct ct_value_engine *engine)
{
	const struct ct_unit *units;
	size_t count = ct_trace_units(engine->trace, &units), at = 0;
	int err = ct_first_sites(engine->trace, &engine->first_site);

	if (err < 0)
		return err;
	engine->sites = engine->first_site[count];
	if (engine->sites >= CT_VALUE_SITES_MAX - 1)
		return -EOVERFLOW;
	engine->site = malloc(((size_t)engine->sites + 1) * sizeof(*engine->site));
	if (!engine->site)
		return -ENOMEM;
	for (size_t u = 0; u < count; u++) {
		engine->has_values |= units[u].header->values != 0;
		for (uint32_t s = 0; s < units[u].header->site_count; s++)
			fill_site(&engine->site[at++], &units[u], s);
	}
	return 0;
}

static int prepare_kernels(struct ct_value_engine *engine)
{
	int err = ct_kernel_table_init(&engine->kernels, engine->trace, engine->filter);

	if (err < 0)
		return err;
	return engine->kernels.count >> CT_VALUE_KERNEL_BITS ? -EOVERFLOW : 0;
}

/* Streams of a part as they come; what its last superstep was. */
struct streams {
	uint64_t stream[STREAMS_MAX];
	uint32_t device[STREAMS_MAX], last[STREAMS_MAX], count;
};

/* Notes a superstep. False: there are more streams than are told apart. */
static bool note_stream(struct streams *streams, const struct ct_superstep *step, uint32_t number)
{
	uint32_t i = 0;

	while (i < streams->count &&
	       (streams->stream[i] != step->stream || streams->device[i] != step->device))
		i++;
	if (i == STREAMS_MAX)
		return false;
	streams->count += i == streams->count;
	streams->stream[i] = step->stream;
	streams->device[i] = step->device;
	streams->last[i] = number;
	return true;
}

/* Whether the last superstep of each stream is ordered with this one. */
static bool is_ordered_with(const struct ct_value_engine *engine, const struct streams *streams,
			    uint32_t number)
{
	for (uint32_t i = 0; i < streams->count; i++) {
		uint32_t other = streams->last[i];

		if (other < number ? !ct_order_before(engine->order, other, number)
				   : !ct_order_before(engine->order, number, other))
			return false;
	}
	return true;
}

/* Supersteps of a part, from both ends: those of one stream are ordered, so its nearest tells. */
static void order_part(struct ct_value_engine *engine, uint32_t first, uint32_t end)
{
	struct streams before = {.count = 0}, after = {.count = 0};
	bool reported = true;

	for (uint32_t i = first; i < end; i++) {
		engine->step[i].is_ordered = is_ordered_with(engine, &before, i);
		reported &= note_stream(&before, &engine->superstep[i], i);
	}
	for (uint32_t i = end; i-- > first;) {
		engine->step[i].is_ordered &= reported && is_ordered_with(engine, &after, i);
		note_stream(&after, &engine->superstep[i], i);
	}
}

static void count_ctas(struct ct_value_step *step, const struct ct_launch_sample *sample)
{
	if (!sample->recorded || sample->recorded >= sample->ctas)
		return;
	step->ctas = sample->ctas;
	step->recorded = sample->recorded;
}

static int prepare_steps(struct ct_value_engine *engine)
{
	const struct ct_launch_info *launches;
	struct ct_sampling sampling;
	struct ct_opaque *opaque;
	uint32_t first = 0, floor = 0;
	int err;

	ct_trace_launches(engine->trace, &launches);
	err = ct_sampling_init(&sampling, engine->trace);
	if (err < 0)
		return err;

	engine->steps = ct_order_supersteps(engine->order, &engine->superstep);
	engine->step = calloc(engine->steps + 1, sizeof(*engine->step));
	err = engine->steps >= UINT32_MAX ? -EOVERFLOW : engine->step ? 0 : -ENOMEM;
	if (err < 0) {
		ct_sampling_fini(&sampling);
		return err;
	}
	err = ct_opaque_open(&opaque, engine->trace);
	for (uint32_t i = 0; i < engine->steps && err == 0; i++) {
		const struct ct_launch_info *launch = engine->superstep[i].launch;
		struct ct_value_step *step = &engine->step[i];

		if (i && engine->superstep[i].part != engine->superstep[i - 1].part) {
			order_part(engine, first, i);
			first = floor = i;
		}
		*step =
		    (struct ct_value_step){.kernel = CT_NONE, .part = engine->superstep[i].part};
		if (launch) {
			step->kernel = engine->kernels.of_launch[launch - launches];
			step->passes = !engine->filter || ct_filter_launch(engine->filter, launch);
			floor = ct_opaque_is(opaque, launch) ? i + 1 : floor;
			step->hides_uses = ct_opaque_hides_loads(opaque, launch);
			count_ctas(step, ct_sampling_of(&sampling, launch));
			engine->is_sampled |= step->ctas != 0;
		}
		step->floor = floor;
	}
	if (err == 0 && engine->steps)
		order_part(engine, first, (uint32_t)engine->steps);
	ct_opaque_close(opaque);
	ct_sampling_fini(&sampling);
	return err;
}

uint32_t ct_value_step_behind(const struct ct_value_engine *engine, uint32_t part, uint64_t event)
{
	uint32_t low = 0, high = (uint32_t)engine->steps;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct ct_superstep *step = &engine->superstep[middle];

		if (step->part < part || (step->part == part && step->event_index < event))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int compare_address(const void *a, const void *b, void *user)
{
	const struct ct_object_info *first = user;
	const struct ct_object_info *x = &first[*(const uint32_t *)a];
	const struct ct_object_info *y = &first[*(const uint32_t *)b];

	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	if (x->event->address != y->event->address)
		return x->event->address < y->event->address ? -1 : 1;
	return x->allocated_at < y->allocated_at ? -1 : x->allocated_at > y->allocated_at;
}

static int sort_objects(struct ct_value_engine *engine)
{
	engine->objects = ct_trace_objects(engine->trace, &engine->first_object);
	engine->by_address = malloc((engine->objects + 1) * sizeof(*engine->by_address));
	if (!engine->by_address)
		return -ENOMEM;
	for (uint32_t i = 0; i < engine->objects; i++)
		engine->by_address[i] = i;
	qsort_r(engine->by_address, engine->objects, sizeof(*engine->by_address), compare_address,
		(void *)(uintptr_t)engine->first_object);
	return 0;
}

static int prepare_objects(struct ct_value_engine *engine)
{
	int err = ct_objects_open(&engine->groups, engine->trace, engine->filter);

	if (err == 0)
		err = sort_objects(engine);
	if (err < 0)
		return err;
	engine->object = malloc((engine->objects + 1) * sizeof(*engine->object));
	if (!engine->object)
		return -ENOMEM;
	for (size_t i = 0; i < engine->objects; i++) {
		const struct ct_object_info *info = &engine->first_object[i];
		uint32_t hint = 0, kind = info->event->kind;

		engine->object[i] = (struct ct_value_object){
		    .group = ct_objects_find(engine->groups, info->part, info->event->address,
					     info->allocated_at, &hint),
		    .allocated_at = ct_value_step_behind(engine, info->part, info->allocated_at),
		    .freed_at = ct_value_step_behind(engine, info->part, info->freed_at),
		    .is_device = kind == CT_OBJECT_DEVICE || kind == CT_OBJECT_VARIABLE,
		    .is_shared = ct_unseen_is(engine->unseen_parts, info->part),
		};
	}
	return ct_objects_groups(engine->groups) >> CT_VALUE_GROUP_BITS ? -EOVERFLOW : 0;
}

static int choose_layout(struct ct_value_engine *engine)
{
	struct ct_value_layout *layout = &engine->layout;
	uint64_t most = 0;
	uint32_t used;

	for (size_t i = 0; i < engine->steps; i++) {
		const struct ct_launch_info *launch = engine->superstep[i].launch;
		const uint32_t *grid = launch ? launch->event->grid : NULL;
		uint64_t ctas = grid ? (uint64_t)grid[0] * grid[1] * grid[2] : 0;

		most = ctas > most ? ctas : most;
	}
	layout->step_bits = ct_key_bits(engine->steps);
	layout->cta_bits = ct_key_bits(most);
	used = PAGE_KEY_BITS + layout->step_bits + layout->cta_bits + WARP_BITS;
	if (used + ORDER_BITS_MIN > KEY_BITS)
		return -EOVERFLOW;
	used = KEY_BITS - used;
	layout->order_bits = (uint8_t)(used > 62 ? 62 : used);
	layout->site_bits = ct_key_bits(engine->sites);
	layout->object_bits = ct_key_bits(engine->objects);
	used =
	    CT_SINGLE_OFFSET_BITS + CT_SINGLE_LANE_BITS + layout->site_bits + layout->object_bits;
	if (used + SINGLE_ORDER_BITS_MIN <= layout->order_bits &&
	    layout->site_bits + layout->object_bits <= 32)
		layout->single_bits = (uint8_t)used;
	return 0;
}

int ct_value_engine_prepare(struct ct_value_engine *engine)
{
	int err = ct_order_open(&engine->order, engine->trace);

	if (err == 0)
		err = prepare_sites(engine);
	if (err == 0)
		err = prepare_kernels(engine);
	if (err == 0)
		err = prepare_steps(engine);
	if (err == 0)
		err = prepare_objects(engine);
	if (err == 0)
		err = ct_value_nodes_prepare(engine);
	return err == 0 ? choose_layout(engine) : err;
}

void ct_value_engine_doubt(struct ct_value_engine *engine)
{
	uint32_t floor = 0;

	for (uint32_t i = 0; i < engine->steps; i++) {
		struct ct_value_step *step = &engine->step[i];
		bool is_launch = engine->superstep[i].launch != NULL;

		floor = is_launch ? i + 1 : i && step->part == step[-1].part ? floor : i;
		step->floor = floor;
		step->hides_uses |= is_launch;
		engine->unseen[i + 1] = engine->unseen[i] + step->hides_uses;
	}
}

void ct_value_engine_release(struct ct_value_engine *engine)
{
	ct_shuffle_close(engine->pieces);
	ct_shuffle_close(engine->specks);
	ct_shuffle_close(engine->singles);
	ct_shuffle_close(engine->entries);
	ct_sums_close(engine->sums);
	ct_objects_close(engine->groups);
	ct_order_close(engine->order);
	free(engine->object);
	free(engine->node);
	free(engine->unseen);
	free(engine->node_list);
	free(engine->by_address);
	free(engine->step);
	free(engine->site);
	free(engine->first_site);
	ct_kernel_table_fini(&engine->kernels);
}
