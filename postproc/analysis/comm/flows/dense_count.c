/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Figures of products. What depends on sets alone is the same for all pairs of supersteps
 * with the same products, as those of an iteration, and is counted once for all of them.
 */
#include "postproc/analysis/comm/flows/dense.h"
#include "postproc/analysis/comm/flows/flows.h"
#include "postproc/analysis/comm/flows/overlap.h"
#include "postproc/analysis/comm/flows/senders.h"
#include "postproc/analysis/comm/flows/views.h"

#include "base/array.h"
#include <errno.h>
#include <stdlib.h>

/* Groups of the same products. */
struct alike {
	size_t group; /* the last of them */
	uint64_t count;
	uint64_t transfers, self_transfers, self_bytes; /* of one */
};

/* CTAs of a set in the upper half of each dimension of a grid. */
struct halves {
	uint64_t upper[3];
};

struct count {
	struct ct_engine *engine;
	const struct ct_products *products;
	const struct ct_dense *dense;
	int err;
	struct alike *alike;
	size_t alikes, alike_room;
	size_t *alike_of;    /* by group */
	size_t *next_alike;  /* by group: one of the same products; the last has itself */
	uint64_t *view_cell; /* of the group at hand; NULL: none asked for views */
	struct ct_map alike_number, halves_number; /* 1 + index */
	struct halves *halves;
	size_t halves_count, halves_room;
	uint64_t *sent, *received; /* by CTA */
	struct ct_senders senders;
	struct ct_comm_volume volume;
	uint64_t crossing[4];
};

static void add(struct count *count, enum ct_fact fact, uint64_t rest, uint64_t key1,
		uint64_t value0, uint64_t value1)
{
	if (count->err == 0 && (value0 || value1))
		count->err =
		    ct_sums_add(count->engine->sums, CT_FACT_KEY(fact, rest), key1, value0, value1);
}

static const struct ct_cta_set *set_of(const struct count *count, uint32_t set)
{
	return &count->products->sets.set[set];
}

static int find_alike(struct count *count, size_t g)
{
	const struct ct_product_group *group = &count->products->group[g];
	uint64_t key[2] = {group->count, ~group->count};
	union ct_map_value *value;

	for (size_t i = group->first; i < group->first + group->count; i++) {
		const struct ct_product *product = &count->products->product[i];
		uint64_t sets = (uint64_t)product->sources << 32 | product->targets;

		key[0] = ct_map_hash(ct_map_hash(key[0], sets), product->bytes);
		key[1] = ct_map_hash(ct_map_hash(key[1], product->bytes), sets);
	}
	value = ct_map_put(&count->alike_number, key[0], key[1]);
	if (!value || ct_array_reserve(&count->alike, &count->alike_room, count->alikes + 1,
				       sizeof(*count->alike)) < 0)
		return -ENOMEM;
	count->next_alike[g] = g;
	if (!value->number) {
		count->alike[count->alikes++] = (struct alike){.group = g};
		value->number = count->alikes;
	} else {
		struct alike *alike = &count->alike[value->number - 1];

		count->next_alike[g] = alike->group;
		alike->group = g;
	}
	count->alike_of[g] = value->number - 1;
	count->alike[value->number - 1].count++;
	return 0;
}

/* Counts the CTAs of a class of sources or targets by bin of the density map. */
static void bin_class(const struct count *count, const struct ct_overlap_side *side, uint32_t class,
		      uint64_t *bins)
{
	for (uint32_t b = 0; b < count->engine->bins; b++)
		bins[b] = 0;
	for (uint32_t i = side->first[class]; i < side->first[class + 1]; i++) {
		uint32_t bin = ct_bin_of(count->engine, side->cta[i]);

		if (bin != UINT32_MAX)
			bins[bin]++;
	}
}

/* Counts what each CTA of a class sends to the CTAs of a bin. */
struct row {
	uint64_t *sources, *targets; /* of the classes at hand, by bin */
	uint64_t *transfers, *bytes;
};

static void add_row(struct count *count, const struct row *row, const struct alike *alike)
{
	uint32_t bins = count->engine->bins;

	for (uint32_t s = 0; s < bins; s++)
		for (uint32_t t = 0; row->sources[s] && t < bins; t++)
			if (row->transfers[t]) {
				uint64_t transfers = row->sources[s] * row->transfers[t];
				uint64_t bytes = row->sources[s] * row->bytes[t];
				uint64_t *cell = count->engine->cell[(size_t)s * bins + t];

				cell[0] += alike->count * transfers;
				cell[1] += alike->count * bytes;
				ct_views_gather(count->engine, count->view_cell, s, t, transfers,
						bytes);
			}
}

static void fill_cells(struct count *count, const struct ct_overlap *overlap, struct row *row,
		       const struct alike *alike)
{
	uint32_t bins = count->engine->bins;

	for (uint32_t s = 0; s < overlap->source.classes; s++) {
		const uint64_t *bytes = overlap->bytes + (size_t)s * overlap->target.classes;

		bin_class(count, &overlap->source, s, row->sources);
		for (uint32_t b = 0; b < bins; b++)
			row->transfers[b] = row->bytes[b] = 0;
		for (uint32_t t = 0; t < overlap->target.classes; t++) {
			if (!bytes[t])
				continue;
			bin_class(count, &overlap->target, t, row->targets);
			for (uint32_t b = 0; b < bins; b++) {
				row->transfers[b] += row->targets[b];
				row->bytes[b] += row->targets[b] * bytes[t];
			}
		}
		add_row(count, row, alike);
	}
}

/* The cells at hand belong to each group of the same products. */
static void add_view_cells(struct count *count, const struct alike *alike)
{
	const struct ct_products *products = count->products;
	size_t g = alike->group, last;

	do {
		const struct ct_product *product = &products->product[products->group[g].first];

		ct_views_add_cells(count->engine, product->source, product->target,
				   count->view_cell);
		last = g;
		g = count->next_alike[g];
	} while (g != last);
}

static int add_cells(struct count *count, const struct ct_overlap *overlap,
		     const struct alike *alike)
{
	size_t bins = count->engine->bins;
	uint64_t *room = malloc(4 * (bins + 1) * sizeof(*room));
	struct row row = {room, room + bins, room + 2 * bins, room + 3 * bins};

	if (!room)
		return -ENOMEM;
	free(count->view_cell);
	count->view_cell = ct_views_cells(count->engine);
	fill_cells(count, overlap, &row, alike);
	if (count->view_cell)
		add_view_cells(count, alike);
	free(room);
	return count->engine->views && !count->view_cell ? -ENOMEM : 0;
}

/* Class of the CTA in a side; UINT32_MAX: in none. */
static uint32_t class_of(const struct ct_overlap_side *side, uint32_t cta)
{
	for (uint32_t class = 0; class < side->classes; class ++) {
		const struct ct_cta_set members = {side->cta + side->first[class],
						   side->first[class + 1] - side->first[class]};

		if (ct_cta_set_has(&members, cta))
			return class;
	}
	return UINT32_MAX;
}

static void count_selves(struct count *count, struct alike *alike, const struct ct_overlap *overlap)
{
	const struct ct_overlap_side *source = &overlap->source;

	for (uint32_t s = 0; s < source->classes; s++)
		for (uint32_t i = source->first[s]; i < source->first[s + 1]; i++) {
			uint32_t t = class_of(&overlap->target, source->cta[i]), bin;
			uint64_t bytes =
			    t == UINT32_MAX
				? 0
				: overlap->bytes[(size_t)s * overlap->target.classes + t];

			if (!bytes)
				continue;
			alike->self_transfers++;
			alike->self_bytes += bytes;
			add(count, CT_FACT_SELF_SIZE, 0, bytes, alike->count, 0);
			add(count, CT_FACT_CTA_SELF, 0, source->cta[i], bytes * alike->count, 0);
			bin = ct_bin_of(count->engine, source->cta[i]);
			if (bin != UINT32_MAX)
				add(count, CT_FACT_SELF_CELL, 0, bin, alike->count,
				    bytes * alike->count);
		}
}

static void count_sizes(struct count *count, struct alike *alike, const struct ct_overlap *overlap)
{
	for (uint32_t s = 0; s < overlap->source.classes; s++)
		for (uint32_t t = 0; t < overlap->target.classes; t++) {
			uint64_t bytes = overlap->bytes[(size_t)s * overlap->target.classes + t];
			uint64_t pairs =
			    (uint64_t)(overlap->source.first[s + 1] - overlap->source.first[s]) *
			    (overlap->target.first[t + 1] - overlap->target.first[t]);

			if (!bytes)
				continue;
			alike->transfers += pairs;
			add(count, CT_FACT_SIZE, 0, bytes, pairs * alike->count, 0);
		}
}

/* The bytes that each CTA of a product's sets sends and receives. */
static void count_ctas(struct count *count, const struct alike *alike)
{
	const struct ct_product_group *group = &count->products->group[alike->group];

	for (size_t i = group->first; i < group->first + group->count; i++) {
		const struct ct_product *product = &count->products->product[i];
		const struct ct_cta_set *sources = set_of(count, product->sources);
		const struct ct_cta_set *targets = set_of(count, product->targets);
		uint64_t bytes = product->bytes * alike->count;

		for (uint32_t c = 0; c < sources->count; c++)
			count->sent[sources->cta[c]] += bytes * targets->count;
		for (uint32_t c = 0; c < targets->count; c++)
			count->received[targets->cta[c]] += bytes * sources->count;
	}
}

static int count_alike(struct count *count, struct alike *alike)
{
	struct ct_overlap overlap;
	int err = ct_overlap_init(&overlap, count->products, &count->products->group[alike->group]);

	if (err < 0)
		return err;
	count_selves(count, alike, &overlap);
	count_sizes(count, alike, &overlap);
	count_ctas(count, alike);
	err = add_cells(count, &overlap, alike);
	ct_overlap_fini(&overlap);
	return err;
}

static const struct halves *halves_of(struct count *count, uint32_t set, const uint32_t grid[3])
{
	union ct_map_value *value = ct_map_put(&count->halves_number, (uint64_t)set << 32 | grid[0],
					       (uint64_t)grid[1] << 32 | grid[2]);
	const struct ct_cta_set *ctas = set_of(count, set);
	struct halves *halves;

	if (value && value->number)
		return &count->halves[value->number - 1];
	if (!value || ct_array_reserve(&count->halves, &count->halves_room, count->halves_count + 1,
				       sizeof(*count->halves)) < 0)
		return NULL;
	halves = &count->halves[count->halves_count++];
	value->number = count->halves_count;
	*halves = (struct halves){{0}};
	for (uint32_t i = 0; i < ctas->count; i++) {
		unsigned half = ct_half_of(grid, ctas->cta[i]);

		for (unsigned d = 0; d < 3; d++)
			halves->upper[d] += half >> d & 1;
	}
	return halves;
}

/* Self messages cross where the two grids have another middle. */
static void take_out_selves(struct count *count, const struct ct_product *product)
{
	const uint32_t *from = ct_grid_of(count->engine, product->source);
	const uint32_t *to = ct_grid_of(count->engine, product->target);
	const struct ct_cta_set *sources = set_of(count, product->sources);
	const struct ct_cta_set *targets = set_of(count, product->targets);

	if (from[0] == to[0] && from[1] == to[1] && from[2] == to[2])
		return;
	for (uint32_t i = 0; i < sources->count; i++) {
		unsigned differ =
		    ct_half_of(from, sources->cta[i]) ^ ct_half_of(to, sources->cta[i]);

		for (unsigned d = 0; differ && d < 3; d++)
			if (differ >> d & 1 && ct_cta_set_has(targets, sources->cta[i]))
				count->crossing[d] -= product->bytes;
	}
}

static int count_crossing(struct count *count, const struct ct_product *product)
{
	uint64_t sources = set_of(count, product->sources)->count;
	uint64_t targets = set_of(count, product->targets)->count;
	const struct halves *half;
	struct halves from, to;

	half = halves_of(count, product->sources, ct_grid_of(count->engine, product->source));
	from = half ? *half : (struct halves){{0}};
	if (half)
		half =
		    halves_of(count, product->targets, ct_grid_of(count->engine, product->target));
	to = half ? *half : (struct halves){{0}};
	for (unsigned d = 0; d < 3; d++)
		count->crossing[d] += product->bytes * (from.upper[d] * (targets - to.upper[d]) +
							(sources - from.upper[d]) * to.upper[d]);
	count->crossing[3] += product->bytes * sources * targets;
	if (!count->engine->options.self)
		take_out_selves(count, product);
	return half ? 0 : -ENOMEM;
}

/* Counts what belongs to the supersteps of a group. */
static int count_group(struct count *count, size_t g)
{
	const struct ct_product_group *group = &count->products->group[g];
	const struct ct_product *product = &count->products->product[group->first];
	const struct alike *alike = &count->alike[count->alike_of[g]];
	struct ct_engine *engine = count->engine;
	uint32_t source = product->source, target = product->target;
	uint64_t pair = CT_PAIR_KEY(engine->step[source].kernel, engine->step[target].kernel);
	uint64_t distance = ct_order_distance(engine->order, source, target), bytes = 0;
	int err = 0;

	for (size_t i = 0; i < group->count && err == 0; i++) {
		bytes += product[i].bytes * set_of(count, product[i].sources)->count *
			 set_of(count, product[i].targets)->count;
		err = count_crossing(count, &product[i]);
	}
	count->crossing[3] -= engine->options.self ? 0 : alike->self_bytes;
	count->volume.transfers += alike->transfers;
	count->volume.transferred_bytes += bytes;
	count->volume.self_transfers += alike->self_transfers;
	count->volume.self_bytes += alike->self_bytes;
	add(count, CT_FACT_STEP_FLOW, source, 0, 0, bytes);
	add(count, CT_FACT_STEP_FLOW, target, 0, bytes, 0);
	ct_views_add_distance(engine, source, target, bytes);
	add(count, CT_FACT_STEP_SELF, source, 0, 0, alike->self_bytes);
	add(count, CT_FACT_STEP_SELF, target, 0, alike->self_bytes, 0);
	add(count, CT_FACT_DISTANCE, 0, distance, bytes, 0);
	add(count, CT_FACT_SELF_DISTANCE, 0, distance, alike->self_bytes, 0);
	add(count, CT_FACT_PAIR, pair, 0, alike->transfers - alike->self_transfers, bytes);
	add(count, CT_FACT_PAIR_SELF, pair, 0, alike->self_bytes, 0);
	return err;
}

/* How many sources a CTA has, of all supersteps, by reading superstep and by pair of kernels. */
static int count_sources(struct count *count, const struct ct_cover_cursor *cursor, uint32_t cta)
{
	const struct ct_covers *covers = &count->dense->covers;
	bool with_itself = count->engine->options.self;
	int err = 0;

	add(count, CT_FACT_CTA_DEGREE, 0, cta,
	    ct_cover_partners(cursor, covers->of_all, with_itself), 0);
	for (size_t i = 0; i < count->dense->readers && err == 0; i++) {
		uint32_t step = count->dense->reader[i];
		uint64_t senders = ct_cover_partners(cursor, covers->of_reader[step], with_itself);

		if (senders)
			err = ct_senders_add(&count->senders, step, cta, senders);
	}
	for (size_t i = 0; i < count->dense->pairs; i++) {
		uint64_t pair = count->dense->pair[i];

		add(count, CT_FACT_PAIR_IN, pair, cta,
		    ct_cover_partners(cursor, ct_cover_of_pair(covers, pair), false), 0);
	}
	return err;
}

static int count_targets(struct count *count)
{
	struct ct_cover_cursor cursor;
	int err = ct_cover_cursor_init(&cursor, &count->dense->covers, count->engine->ctas, true);

	if (err < 0)
		return err;
	for (uint64_t cta = 0; cta < count->engine->ctas && err == 0; cta++) {
		add(count, CT_FACT_CTA_FLOW, 0, cta, count->received[cta], count->sent[cta]);
		if (!count->received[cta])
			continue;
		ct_cover_cursor_move(&cursor, (uint32_t)cta);
		err = count_sources(count, &cursor, (uint32_t)cta);
	}
	ct_cover_cursor_fini(&cursor);
	return err == 0 ? ct_senders_flush(&count->senders) : err;
}

static int count_all(struct count *count)
{
	const uint64_t *word = (const uint64_t *)&count->volume;
	int err = 0;

	for (size_t g = 0; g < count->products->groups && err == 0; g++)
		err = find_alike(count, g);
	for (size_t i = 0; i < count->alikes && err == 0; i++)
		err = count_alike(count, &count->alike[i]);
	for (size_t g = 0; g < count->products->groups && err == 0; g++)
		err = count_group(count, g);
	if (err == 0)
		err = count_targets(count);
	for (uint64_t d = 0; d < 4; d++)
		add(count, CT_FACT_BISECTION, d, 0, count->crossing[d], 0);
	for (uint64_t i = 0; i < sizeof(count->volume) / sizeof(*word); i++)
		add(count, CT_FACT_VOLUME, i, 0, word[i], 0);
	return err == 0 ? count->err : err;
}

int ct_dense_count(struct ct_engine *engine, const struct ct_dense *dense)
{
	struct count count = {.engine = engine, .products = engine->products, .dense = dense};
	int err = -ENOMEM;

	if (!count.products->count)
		return 0;
	count.alike_of = calloc(count.products->groups, sizeof(*count.alike_of));
	count.next_alike = calloc(count.products->groups, sizeof(*count.next_alike));
	count.sent = calloc(engine->ctas, sizeof(*count.sent));
	count.received = calloc(engine->ctas, sizeof(*count.received));
	/* Flows are not counted yet: their first writer is free. */
	if (ct_senders_init(&count.senders, engine, 0) == 0 && count.alike_of && count.next_alike &&
	    count.sent && count.received)
		err = count_all(&count);
	ct_map_fini(&count.alike_number);
	ct_map_fini(&count.halves_number);
	free(count.alike);
	free(count.alike_of);
	free(count.next_alike);
	free(count.view_cell);
	free(count.halves);
	free(count.sent);
	free(count.received);
	ct_senders_fini(&count.senders);
	return err;
}
