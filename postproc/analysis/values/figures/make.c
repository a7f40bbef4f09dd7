/* SPDX-License-Identifier: Apache-2.0 */
/* From sums, which come sorted by fact, owner and site, to figures. */
#include "postproc/analysis/values/figures/make.h"
#include "postproc/analysis/calls/calls.h"
#include "postproc/analysis/values/base/facts.h"
#include "postproc/analysis/values/figures/lifetimes.h"
#include "postproc/analysis/values/figures/nodes.h"
#include "postproc/analysis/values/figures/runs.h"
#include "postproc/analysis/values/figures/sample.h"

#include "base/array.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define OWNER(key) ((key) & (((uint64_t)1 << CT_VALUE_FACT_BITS) - 1))

uint64_t ct_values_redundant(const struct ct_values_counts *counts, enum ct_class class)
{
	switch (class) {
	case CT_CLASS_LOAD:
		return counts->temporal;
	case CT_CLASS_STORE:
		return counts->silent + counts->known + counts->agreed + counts->found;
	default:
		return counts->silent;
	}
}

void ct_values_counts_add(struct ct_values_counts *to, const struct ct_values_counts *from)
{
	to->elements += from->elements;
	to->bytes += from->bytes;
	to->temporal += from->temporal;
	to->silent += from->silent;
	to->known += from->known;
	to->agreed += from->agreed;
	to->found += from->found;
	to->unknown += from->unknown;
	to->unreported += from->unreported;
	to->sectors += from->sectors;
	to->avoided += from->avoided;
}

static int compare_row(const void *a, const void *b)
{
	const struct ct_values_row *x = a, *y = b;

	if (x->kernel != y->kernel)
		return x->kernel < y->kernel ? -1 : 1;
	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->unit != y->unit)
		return x->unit < y->unit ? -1 : 1;
	return x->site < y->site ? -1 : x->site > y->site;
}

static int compare_pair(const void *a, const void *b)
{
	const struct ct_values_pair *x = a, *y = b;

	if (x->elements != y->elements)
		return x->elements > y->elements ? -1 : 1;
	if (x->kernel != y->kernel)
		return x->kernel < y->kernel ? -1 : 1;
	if (x->site != y->site)
		return x->site < y->site ? -1 : 1;
	return x->old_site < y->old_site ? -1 : x->old_site > y->old_site;
}

/* Those of elements come first, and every row has some. */
static struct ct_values_row *row_of(struct ct_values_figures *figures,
				    const struct ct_value_engine *engine, const struct ct_sum *sum)
{
	const struct ct_value_site *site = &engine->site[sum->key[1]];
	const struct ct_values_row key = {.kernel = (uint32_t)(OWNER(sum->key[0]) >> 32),
					  .group = (uint32_t)sum->key[0],
					  .unit = site->unit,
					  .site = site->site,
					  .class = (enum ct_class)site->class};

	if (CT_VALUE_FACT_OF(sum->key[0]) != CT_VALUE_FACT_ELEMENTS)
		return bsearch(&key, figures->row, figures->rows, sizeof(key), compare_row);
	if (ct_array_grow(&figures->row, figures->rows, sizeof(*figures->row)) < 0)
		return NULL;
	figures->row[figures->rows] = key;
	return &figures->row[figures->rows++];
}

static int add_row_fact(struct ct_values_figures *figures, const struct ct_value_engine *engine,
			const struct ct_sum *sum)
{
	struct ct_values_row *row = row_of(figures, engine, sum);
	const struct ct_value_site *site = &engine->site[sum->key[1]];
	uint64_t parts = site->is_range ? CT_VALUE_SECTOR_PARTS : site->elements;
	const struct ct_values_counts counts[] = {
	    [CT_VALUE_FACT_ELEMENTS] = {.elements = sum->value[0], .bytes = sum->value[1]},
	    [CT_VALUE_FACT_OWN] = {.temporal = sum->value[0], .silent = sum->value[1]},
	    [CT_VALUE_FACT_MEMORY] = {.known = sum->value[0], .agreed = sum->value[1]},
	    [CT_VALUE_FACT_NOTHING] = {.unknown = sum->value[0], .unreported = sum->value[1]},
	    /* Each element of a vector is a piece of its own in the same sectors. */
	    [CT_VALUE_FACT_SECTORS] = {.sectors = sum->value[0] / parts,
				       .avoided = sum->value[1] / parts},
	    [CT_VALUE_FACT_FOUND] = {.found = sum->value[0]},
	};

	if (!row)
		return -ENOMEM;
	ct_values_counts_add(&row->counts, &counts[CT_VALUE_FACT_OF(sum->key[0])]);
	return 0;
}

static int add_pair(struct ct_values_figures *figures, const struct ct_value_engine *engine,
		    const struct ct_sum *sum)
{
	const struct ct_value_site *old = &engine->site[sum->key[1] >> 32];
	const struct ct_value_site *site = &engine->site[(uint32_t)sum->key[1]];

	if (ct_array_grow(&figures->pair, figures->pairs, sizeof(*figures->pair)) < 0)
		return -ENOMEM;
	figures->pair[figures->pairs++] = (struct ct_values_pair){
	    .kernel = (uint32_t)sum->key[0],
	    .is_store = CT_VALUE_FACT_OF(sum->key[0]) == CT_VALUE_FACT_STORE_PAIR,
	    .old_unit = old->unit,
	    .old_site = old->site,
	    .unit = site->unit,
	    .site = site->site,
	    .elements = sum->value[0],
	};
	return 0;
}

static int add_cells(struct ct_values_figures *figures, const struct ct_sum *sum)
{
	if (ct_array_grow(&figures->cells, figures->cell_count, sizeof(*figures->cells)) < 0)
		return -ENOMEM;
	figures->cells[figures->cell_count++] =
	    (struct ct_values_cells){.kernel = (uint32_t)(OWNER(sum->key[0]) >> 32),
				     .group = (uint32_t)sum->key[0],
				     .equal = sum->value[0],
				     .candidates = sum->value[1]};
	return 0;
}

static struct ct_values_set set_of(uint64_t id)
{
	struct ct_values_set set = {.type = id & ((1u << CT_VALUE_TYPE_BITS) - 1)};

	id >>= CT_VALUE_TYPE_BITS;
	set.is_store = id & 1;
	id >>= 1;
	set.group = id & ((1u << CT_VALUE_GROUP_BITS) - 1);
	set.kernel = (uint32_t)(id >> CT_VALUE_GROUP_BITS);
	return set;
}

static int compare_set(const void *a, const void *b)
{
	const struct ct_values_set *x = a, *y = b;
	uint64_t p = ct_value_set_id(x->kernel, x->group, x->is_store, x->type);
	uint64_t q = ct_value_set_id(y->kernel, y->group, y->is_store, y->type);

	return p < q ? -1 : p > q;
}

static int compare_ends(const void *a, const void *b)
{
	const struct ct_values_flow *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

static int compare_size(const void *a, const void *b)
{
	const struct ct_values_set *x = a, *y = b;

	if (x->elements != y->elements)
		return x->elements > y->elements ? -1 : 1;
	return compare_set(a, b);
}

static void add_top(struct ct_values_set *set, uint64_t value, uint64_t elements)
{
	uint32_t at = set->tops;

	while (at && set->top[at - 1].elements < elements)
		at--;
	if (at == CT_VALUES_TOP)
		return;
	set->tops += set->tops < CT_VALUES_TOP;
	memmove(&set->top[at + 1], &set->top[at], (set->tops - 1 - at) * sizeof(*set->top));
	set->top[at].value = value;
	set->top[at].elements = elements;
}

static void fill_set(struct ct_values_set *set, const struct ct_sum *sum)
{
	unsigned level;

	switch (CT_VALUE_FACT_OF(sum->key[0])) {
	case CT_VALUE_FACT_DISTINCT:
		set->distinct = sum->value[0];
		set->neighbours = sum->value[1];
		break;
	case CT_VALUE_FACT_ZEROS:
		set->zeros = sum->value[0];
		set->near_zeros = sum->value[1];
		break;
	case CT_VALUE_FACT_HELD:
		set->held[sum->key[1]] = sum->value[0];
		break;
	case CT_VALUE_FACT_TOP:
		add_top(set, sum->key[1], sum->value[0]);
		break;
	case CT_VALUE_FACT_CUT:
		level = CT_VALUE_CUT_LEVEL(sum->key[1]);
		if (sum->value[0] != set->elements || set->distinct == 1 ||
		    (set->alike && set->alike < level))
			break;
		set->alike = level;
		set->alike_value = sum->key[1] ^ level;
		break;
	case CT_VALUE_FACT_LINE:
		set->line_pairs = sum->value[0] > set->line_pairs ? sum->value[0] : set->line_pairs;
		break;
	default:
		if (sum->value[0] > set->modal_pairs) {
			set->modal_pairs = sum->value[0];
			set->slope = (int64_t)sum->key[1];
		}
	}
}

static int add_set_fact(struct ct_values_figures *figures, const struct ct_sum *sum)
{
	struct ct_values_set key = set_of(OWNER(sum->key[0])), *set;

	if (CT_VALUE_FACT_OF(sum->key[0]) == CT_VALUE_FACT_SET) {
		if (ct_array_grow(&figures->set, figures->sets, sizeof(*figures->set)) < 0)
			return -ENOMEM;
		key.elements = sum->value[0];
		key.launch_distinct = sum->value[1];
		figures->set[figures->sets++] = key;
		return 0;
	}
	set = bsearch(&key, figures->set, figures->sets, sizeof(key), compare_set);
	if (set)
		fill_set(set, sum);
	return 0;
}

static int add_flow(struct ct_values_apart *apart, const struct ct_sum *sum)
{
	bool is_read = CT_VALUE_FACT_OF(sum->key[0]) == CT_VALUE_FACT_FLOW_READ;
	struct ct_values_flow key = {.group = (uint32_t)sum->key[0],
				     .from = (uint32_t)(sum->key[1] >> 32),
				     .to = (uint32_t)sum->key[1]};
	struct ct_values_flow *flow;

	flow = is_read || !apart->flows
		   ? NULL
		   : bsearch(&key, apart->flow, apart->read_flows, sizeof(key), compare_ends);
	if (!flow) {
		if (ct_array_grow(&apart->flow, apart->flows, sizeof(*apart->flow)) < 0)
			return -ENOMEM;
		flow = &apart->flow[apart->flows++];
		*flow = key;
		apart->read_flows += is_read;
	}
	flow->read += is_read ? sum->value[0] : 0;
	flow->over += is_read ? 0 : sum->value[0];
	flow->same += is_read ? 0 : sum->value[1];
	return 0;
}

/* Where facts of objects go. */
struct facts {
	struct ct_value_lives *lives;
	struct ct_value_runs *runs;
	struct ct_value_usage *usage;
	struct ct_value_contents *contents;
};

static int add_fact(struct ct_values_figures *figures, const struct ct_value_engine *engine,
		    const struct facts *facts, const struct ct_sum *sum)
{
	switch (CT_VALUE_FACT_OF(sum->key[0])) {
	case CT_VALUE_FACT_ELEMENTS:
	case CT_VALUE_FACT_OWN:
	case CT_VALUE_FACT_MEMORY:
	case CT_VALUE_FACT_NOTHING:
	case CT_VALUE_FACT_SECTORS:
	case CT_VALUE_FACT_FOUND:
		return add_row_fact(figures, engine, sum);
	case CT_VALUE_FACT_CELLS:
		return add_cells(figures, sum);
	case CT_VALUE_FACT_LOAD_PAIR:
	case CT_VALUE_FACT_STORE_PAIR:
		return add_pair(figures, engine, sum);
	case CT_VALUE_FACT_USE:
		return ct_value_lives_add(facts->lives, (uint32_t)sum->key[0],
					  (uint32_t)sum->key[1], sum->value[0], sum->value[1]);
	case CT_VALUE_FACT_LAUNCH_LOADS:
	case CT_VALUE_FACT_LAUNCH_STORES:
	case CT_VALUE_FACT_LAUNCH_OPEN:
	case CT_VALUE_FACT_FILL:
		ct_value_runs_add(facts->runs, sum);
		return 0;
	case CT_VALUE_FACT_CTA_LOADS:
	case CT_VALUE_FACT_CTA_STORES:
		return 0; /* find_errors */
	case CT_VALUE_FACT_WROTE:
		ct_value_usage_add(facts->usage, sum);
		return ct_value_dead_add(figures, engine, sum);
	case CT_VALUE_FACT_SLICE:
	case CT_VALUE_FACT_HITS:
	case CT_VALUE_FACT_SQUARES:
	case CT_VALUE_FACT_PAGES:
	case CT_VALUE_FACT_GAPS:
	case CT_VALUE_FACT_UNREAD:
		ct_value_usage_add(facts->usage, sum);
		return 0;
	case CT_VALUE_FACT_CONTENT:
		ct_value_contents_add(facts->contents, sum);
		return 0;
	case CT_VALUE_FACT_FLOW_READ:
	case CT_VALUE_FACT_FLOW_OVER:
		return add_flow(&figures->apart, sum);
	case CT_VALUE_FACT_SURPRISES:
		figures->surprises = sum->value[0];
		return 0;
	default:
		return add_set_fact(figures, sum);
	}
}

static int add_groups(struct ct_values_figures *figures, const struct ct_value_engine *engine)
{
	figures->groups = ct_objects_groups(engine->groups);
	figures->object = calloc(figures->groups, sizeof(*figures->object));
	figures->objects = calloc(figures->groups, sizeof(*figures->objects));
	if (!figures->object || !figures->objects)
		return -ENOMEM;
	for (uint32_t g = 0; g < figures->groups; g++)
		figures->object[g] = ct_objects_of_group(engine->groups, g, &figures->objects[g]);
	return 0;
}

static void find_errors(struct ct_values_figures *figures, const struct ct_value_engine *engine,
			const struct ct_sum *sum, size_t count)
{
	size_t at[3] = {0, 0, 0}; /* where facts of loads begin, of stores, and end */

	for (size_t i = 0; i < count; i++) {
		uint32_t fact = CT_VALUE_FACT_OF(sum[i].key[0]);

		at[0] += fact < CT_VALUE_FACT_CTA_LOADS;
		at[1] += fact <= CT_VALUE_FACT_CTA_LOADS;
		at[2] += fact <= CT_VALUE_FACT_CTA_STORES;
	}
	figures->load_estimate = ct_value_estimate(engine, sum + at[0], at[1] - at[0]);
	figures->store_estimate = ct_value_estimate(engine, sum + at[1], at[2] - at[1]);
}

static int count_ctas(struct ct_values_figures *figures, const struct ct_value_engine *engine)
{
	figures->ctas = calloc(figures->kernels + 1, sizeof(*figures->ctas));
	for (size_t i = 0; i < engine->steps && figures->ctas; i++) {
		const struct ct_value_step *step = &engine->step[i];

		if (!step->ctas)
			continue;
		figures->sampled_launches++;
		figures->ctas[step->kernel].all += step->passes ? step->ctas : 0;
		figures->ctas[step->kernel].recorded += step->passes ? step->recorded : 0;
	}
	return figures->ctas ? 0 : -ENOMEM;
}

static void count_launches(struct ct_values_figures *figures, const struct ct_value_engine *engine)
{
	for (size_t i = 0; i < engine->steps; i++) {
		figures->launches += engine->superstep[i].launch != NULL;
		figures->opaque_launches +=
		    engine->superstep[i].launch && engine->step[i].floor > i;
	}
	figures->has_values = engine->has_values;
}

int ct_value_figures_make(struct ct_values_figures *figures, struct ct_value_engine *engine)
{
	struct ct_value_lives lives = {.use = NULL};
	struct ct_value_usage usage;
	struct ct_value_contents contents = {.fact = NULL};
	struct ct_value_runs runs = {.run = NULL};
	const struct ct_sum *sum;
	size_t count;
	int err = add_groups(figures, engine);

	if (err == 0)
		err = ct_value_runs_init(&runs, engine);

	figures->kernel = engine->kernels.list;
	figures->kernels = engine->kernels.count;
	engine->kernels.list = NULL;
	figures->apart.node = engine->node_list;
	figures->apart.nodes = engine->nodes;
	engine->node_list = NULL;
	count_launches(figures, engine);
	sum = err == 0 ? ct_sums_sorted(engine->sums, &count) : NULL;
	if (!sum) {
		free(runs.run);
		return -ENOMEM;
	}
	find_errors(figures, engine, sum, count);
	err = ct_value_usage_init(&usage, engine);
	if (err == 0)
		err = count_ctas(figures, engine);
	for (size_t i = 0; i < count && err == 0; i++)
		err = add_fact(figures, engine, &(struct facts){&lives, &runs, &usage, &contents},
			       &sum[i]);
	if (err == 0)
		err = ct_value_runs_finish(&runs, figures, engine);
	if (err == 0)
		err = ct_value_lives_finish(&lives, &usage, &contents, figures, engine);
	if (err == 0)
		err = ct_value_nodes_join(figures);
	ct_value_usage_fini(&usage);
	free(lives.use);
	free(runs.run);
	if (figures->pairs)
		qsort(figures->pair, figures->pairs, sizeof(*figures->pair), compare_pair);
	if (figures->sets)
		qsort(figures->set, figures->sets, sizeof(*figures->set), compare_size);
	return err;
}

int ct_values_set_times(struct ct_values_figures *figures, const struct ct_calls *calls)
{
	bool is_known = false;

	free(figures->seconds);
	figures->seconds = calloc(figures->kernels + 1, sizeof(*figures->seconds));
	if (!figures->seconds)
		return -ENOMEM;
	for (size_t k = 0; k < figures->kernels; k++) {
		figures->seconds[k] = ct_calls_mean_seconds(calls, figures->kernel[k].symbol) *
				      (double)figures->kernel[k].launches;
		is_known |= figures->seconds[k] > 0;
	}
	if (!is_known) {
		free(figures->seconds);
		figures->seconds = NULL;
	}
	return 0;
}

void ct_value_figures_fini(struct ct_values_figures *figures)
{
	free(figures->kernel);
	free(figures->object);
	free(figures->objects);
	free(figures->row);
	free(figures->pair);
	free(figures->cells);
	free(figures->summary);
	ct_valueless_fini(&figures->valueless);
	free(figures->set);
	free(figures->life);
	free(figures->node);
	free(figures->flow);
	free(figures->dead);
	free(figures->apart.node);
	free(figures->apart.flow);
	free(figures->apart.dead);
	free(figures->ctas);
	free(figures->seconds);
	free(figures->worth);
	free(figures->launch);
	free(figures->context);
	free(figures->transfer);
	free(figures->memory.bytes);
	free(figures->memory.needed);
	*figures = (struct ct_values_figures){.kernel = NULL};
}
