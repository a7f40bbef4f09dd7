/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of the naive analysis, from who read whose bytes. */
#include "tests/comm/reference.h"

#include <math.h>
#include <stdlib.h>

/* Makes a histogram of a bag whose keys are (key, 0, 0, 0) and whose first value is the count. */
static struct ct_comm_histogram histogram_of(struct bag *bag)
{
	struct ct_comm_histogram histogram = {
	    .entry = must_have(bag->count, sizeof(*histogram.entry)), .count = bag->count};

	bag_sort(bag);
	for (size_t i = 0; i < bag->count; i++)
		histogram.entry[i] =
		    (struct ct_comm_count){bag->entry[i].key[0], bag->entry[i].value[0]};
	bag_fini(bag);
	return histogram;
}

static const struct ct_event_launch *launch_of(const struct reference *r, uint64_t superstep)
{
	return before_step(&r->before, (uint32_t)superstep)->launch->event;
}

static void sum_byte(struct reference *r, const struct touch *touch, uint64_t byte)
{
	struct ct_comm_superstep *step = &r->figures.of_superstep[touch->superstep];
	struct bag_entry *cta = bag_at(&r->ctas, touch->superstep, touch->cta, 0, 0);
	struct bag_entry *object =
	    bag_at(&r->objects, reference_object_group(r, touch->superstep, byte), 0, 0, 0);

	step->load_bytes += touch->reads;
	step->store_bytes += touch->writes;
	cta->value[0] += touch->reads;
	cta->value[1] += touch->writes;
	object->value[0] += touch->reads;
	object->value[1] += touch->writes;
	bag_at(&r->ctas, touch->superstep, touch->cta, 2, 0)->value[0] = touch->sm;
}

static void sum_volumes(struct reference *r)
{
	for (size_t i = 0; i < r->touches.count; i++) {
		const struct touch *touch = &r->touches.touch[i];

		for (uint64_t b = 0; b < touch->bytes; b++)
			if (reference_touch_passes(r, touch))
				sum_byte(r, touch, touch->address + b);
	}
	for (size_t s = 0; s < r->figures.supersteps; s++) {
		const struct ct_comm_superstep *step = &r->figures.of_superstep[s];
		struct ct_comm_kernel *kernel = &r->figures.kernel[r->kernel[s]];
		struct ct_comm_volume *volume = &r->figures.volume;

		if (!before_step(&r->before, (uint32_t)s)->launch)
			continue;
		kernel->load_bytes += step->load_bytes;
		kernel->store_bytes += step->store_bytes;
		kernel->communicated_load_bytes += step->communicated_load_bytes;
		kernel->communicated_store_bytes += step->communicated_store_bytes;
		kernel->others_load_bytes += step->others_load_bytes;
		kernel->others_store_bytes += step->others_store_bytes;
		volume->others_load_bytes += step->others_load_bytes;
		volume->others_store_bytes += step->others_store_bytes;
		volume->load_bytes += step->load_bytes;
		volume->store_bytes += step->store_bytes;
		volume->communicated_load_bytes += step->communicated_load_bytes;
		volume->communicated_store_bytes += step->communicated_store_bytes;
	}
}

/* Stores of which a byte was communicated. */
static void find_stores(struct reference *r)
{
	for (size_t i = 0; i < r->touches.count; i++) {
		const struct touch *touch = &r->touches.touch[i];
		bool is_sent = false;

		for (uint64_t b = 0; touch->writes && b < touch->bytes && !is_sent; b++)
			is_sent = bag_find(&r->sent, touch->superstep, touch->cta,
					   touch->address + b, 0) != NULL;
		if (is_sent)
			bag_add(&r->strides[1], touch->superstep, touch->cta, touch->address, 0);
	}
}

static struct ct_comm_histogram sum_strides(struct reference *r, int is_store)
{
	struct bag *addresses = &r->strides[is_store], strides = {0};

	bag_sort(addresses);
	for (size_t i = 1; i < addresses->count; i++) {
		const uint64_t *before = addresses->entry[i - 1].key;
		const uint64_t *now = addresses->entry[i].key;
		struct ct_comm_cta_figures *cta = &r->figures.cta[now[1]];
		uint64_t stride = now[2] - before[2];
		uint64_t *max = is_store ? &cta->store_stride_max : &cta->load_stride_max;

		if (before[0] != now[0] || before[1] != now[1])
			continue;
		if (reference_object_at(r, (uint32_t)now[0], before[2]) !=
		    reference_object_at(r, (uint32_t)now[0], now[2]))
			continue; /* from one allocation to another */
		bag_at(&strides, stride, 0, 0, 0)->value[0]++;
		*(is_store ? &cta->store_strides : &cta->load_strides) += 1;
		*(is_store ? &cta->store_stride_sum : &cta->load_stride_sum) += stride;
		*max = *max > stride ? *max : stride;
	}
	return histogram_of(&strides);
}

static bool is_upper(const struct reference *r, uint64_t superstep, uint64_t cta, int dimension)
{
	const uint32_t *grid = launch_of(r, superstep)->grid;
	uint64_t at = dimension == 0   ? cta % grid[0]
		      : dimension == 1 ? cta / grid[0] % grid[1]
				       : cta / grid[0] / grid[1];

	return grid[dimension] > 1 && 2 * at >= grid[dimension];
}

static void sum_transfer(struct reference *r, const struct bag_entry *transfer, struct bag *sizes,
			 struct bag *distances)
{
	struct ct_comm_figures *f = &r->figures;
	uint64_t s = transfer->key[0], source = transfer->key[1];
	uint64_t t = transfer->key[2], target = transfer->key[3];
	uint64_t bytes = transfer->value[0];
	struct bag_entry *pair = bag_at(&r->pairs, source, target, 0, 0);

	pair->value[0]++;
	pair->value[1] += bytes;
	f->volume.transfers++;
	f->volume.transferred_bytes += bytes;
	f->volume.self_transfers += source == target;
	f->volume.self_bytes += source == target ? bytes : 0;
	if (source == target) {
		f->of_superstep[s].self_sent_bytes += bytes;
		f->of_superstep[t].self_received_bytes += bytes;
		f->cta[source].self_bytes += bytes;
	}
	f->of_superstep[s].sent_bytes += bytes;
	f->of_superstep[t].received_bytes += bytes;
	f->cta[source].sent_bytes += bytes;
	f->cta[target].received_bytes += bytes;
	bag_at(sizes, bytes, 0, 0, 0)->value[0]++;
	bag_at(distances, before_distance(&r->before, (uint32_t)s, (uint32_t)t), 0, 0, 0)
	    ->value[0] += bytes;
	for (int d = 0; d < 3; d++)
		if ((source != target || r->options.self) &&
		    is_upper(r, s, source, d) != is_upper(r, t, target, d))
			f->bisection[d].bytes += bytes;
}

static void sum_transfers(struct reference *r)
{
	struct ct_comm_figures *f = &r->figures;
	struct bag sizes = {0}, distances = {0}, self_sizes = {0}, self_distances = {0};
	uint64_t all;

	for (size_t i = 0; i < r->transfers.count; i++) {
		const struct bag_entry *transfer = &r->transfers.entry[i];

		sum_transfer(r, transfer, &sizes, &distances);
		if (transfer->key[1] != transfer->key[3])
			continue;
		bag_at(&self_sizes, transfer->value[0], 0, 0, 0)->value[0]++;
		bag_at(&self_distances,
		       before_distance(&r->before, (uint32_t)transfer->key[0],
				       (uint32_t)transfer->key[2]),
		       0, 0, 0)
		    ->value[0] += transfer->value[0];
	}
	f->self_size = histogram_of(&self_sizes);
	f->self_distance = histogram_of(&self_distances);
	f->transfer_size = histogram_of(&sizes);
	f->distance = histogram_of(&distances);
	all = f->volume.transferred_bytes - (r->options.self ? 0 : f->volume.self_bytes);
	for (int d = 0; d < 3; d++)
		f->bisection[d].relative = all ? (double)f->bisection[d].bytes / (double)all : 0;
}

static void sum_degrees(struct reference *r)
{
	struct ct_comm_figures *f = &r->figures;
	struct bag in = {0}, out = {0};

	for (size_t i = 0; i < r->pairs.count; i++) {
		const uint64_t *key = r->pairs.entry[i].key;

		if (key[0] == key[1] && !r->options.self)
			continue;
		f->cta[key[0]].out_degree++;
		f->cta[key[1]].in_degree++;
	}
	for (uint64_t c = 0; c < f->ctas; c++) {
		bag_at(&in, f->cta[c].in_degree, 0, 0, 0)->value[0]++;
		bag_at(&out, f->cta[c].out_degree, 0, 0, 0)->value[0]++;
	}
	f->in_degree = histogram_of(&in);
	f->out_degree = histogram_of(&out);
}

/* Over the CTAs of a launch, those without partners included. */
static void spread_of(const struct reference *r, uint32_t s, const struct bag *degrees,
		      double *mean, double *deviation)
{
	const struct ct_event_launch *event = launch_of(r, s);
	uint64_t ctas = (uint64_t)event->grid[0] * event->grid[1] * event->grid[2];
	double sum = 0, squares = 0;

	for (uint64_t c = 0; c < ctas; c++) {
		const struct bag_entry *degree = bag_find(degrees, s, c, 0, 0);

		sum += degree ? (double)degree->value[0] : 0;
	}
	*mean = sum / (double)ctas;
	for (uint64_t c = 0; c < ctas; c++) {
		const struct bag_entry *degree = bag_find(degrees, s, c, 0, 0);
		double off = (degree ? (double)degree->value[0] : 0) - *mean;

		squares += off * off;
	}
	*deviation = sqrt(squares / (double)ctas);
}

/* Counts for each launch, writing and reading. */
static void sum_step_degrees(struct reference *r)
{
	struct bag targets = {0}, sources = {0}, out = {0}, in = {0};

	for (size_t i = 0; i < r->transfers.count; i++) {
		const uint64_t *key = r->transfers.entry[i].key;

		if (key[1] == key[3] && !r->options.self)
			continue;
		if (bag_add(&targets, key[0], key[1], key[3], 0))
			bag_at(&out, key[0], key[1], 0, 0)->value[0]++;
		if (bag_add(&sources, key[2], key[3], key[1], 0))
			bag_at(&in, key[2], key[3], 0, 0)->value[0]++;
	}
	for (uint32_t s = 0; s < r->figures.supersteps; s++) {
		struct ct_comm_superstep *step = &r->figures.of_superstep[s];

		if (!before_step(&r->before, s)->launch)
			continue;
		spread_of(r, s, &out, &step->out_degree_mean, &step->out_degree_sd);
		spread_of(r, s, &in, &step->in_degree_mean, &step->in_degree_sd);
	}
	bag_fini(&targets);
	bag_fini(&sources);
	bag_fini(&out);
	bag_fini(&in);
}

static void sum_density(struct reference *r)
{
	struct ct_comm_density *density = &r->figures.density;
	uint64_t first = r->options.density_first, last = r->options.density_last;
	uint64_t bins = r->options.density_bins ? r->options.density_bins : 1024;
	struct bag cells = {0};

	if (!first && !last)
		last = r->figures.ctas ? r->figures.ctas - 1 : 0;
	density->first_cta = first;
	density->last_cta = last;
	density->ctas_per_bin = (last - first + bins) / bins;
	density->bins = (uint32_t)((last - first) / density->ctas_per_bin + 1);
	density->self = must_have(density->bins, sizeof(*density->self));
	for (size_t i = 0; i < r->pairs.count; i++) {
		const struct bag_entry *pair = &r->pairs.entry[i];
		struct bag_entry *cell;

		if (pair->key[0] < first || pair->key[0] > last || pair->key[1] < first ||
		    pair->key[1] > last)
			continue;
		cell = bag_at(&cells, (pair->key[0] - first) / density->ctas_per_bin,
			      (pair->key[1] - first) / density->ctas_per_bin, 0, 0);
		for (int v = 0; v < 2 && pair->key[0] == pair->key[1]; v++)
			density->self[(pair->key[0] - first) / density->ctas_per_bin][v] +=
			    pair->value[v];
		cell->value[0] += pair->value[0];
		cell->value[1] += pair->value[1];
	}
	bag_sort(&cells);
	density->cell = must_have(cells.count, sizeof(*density->cell));
	density->cells = cells.count;
	for (size_t i = 0; i < cells.count; i++)
		density->cell[i] = (struct ct_comm_cell){
		    (uint32_t)cells.entry[i].key[0], (uint32_t)cells.entry[i].key[1],
		    cells.entry[i].value[0], cells.entry[i].value[1]};
	bag_fini(&cells);
}

void reference_sum(struct reference *r)
{
	r->figures.cta = must_have(r->figures.ctas, sizeof(*r->figures.cta));
	sum_volumes(r);
	sum_transfers(r);
	sum_degrees(r);
	sum_step_degrees(r);
	sum_density(r);
	find_stores(r);
	r->figures.load_stride = sum_strides(r, 0);
	r->figures.store_stride = sum_strides(r, 1);
	reference_relate(r);
	bag_sort(&r->transfers);
	bag_sort(&r->ctas);
}
