/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Summaries of launches are sorted by site, those of one are joined, and then those of one line;
 * and once more by set: what a kernel loads from, or stores to, a group of objects as elements of a
 * type.
 */
#include "postproc/analysis/values/figures/summaries.h"
#include "postproc/analysis/values/base/facts.h"
#include "postproc/analysis/values/base/numbers.h"
#include "postproc/facts/place.h"
#include "postproc/facts/sketch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The summary of one launch, or joined. */
struct summary {
	struct ct_values_summary of;
	const struct ct_launch_info *launch;
	uint32_t site; /* of the engine */
	uint64_t high, low;
	uint32_t properties;
	uint32_t map[CT_SUMMARY_MAPS];
	uint64_t launch_distinct;
};

/* Reads which type the bits from the least to the greatest fit: exact, since values between them
 * fit where both do, but for fractions. */
static void read_range(struct summary *summary)
{
	struct ct_values_summary *of = &summary->of;
	uint32_t scalar = CT_VALUES_TYPE_SCALAR(of->type), bytes = CT_VALUES_TYPE_BYTES(of->type);
	uint64_t ones = ct_summary_ones(bytes), least = ones - summary->low;
	uint32_t integers = 1u << CT_VALUES_I8 | 1u << CT_VALUES_U8 | 1u << CT_VALUES_I16 |
			    1u << CT_VALUES_U16 | 1u << CT_VALUES_I32 | 1u << CT_VALUES_U32;

	of->has_range = summary->high >= least;
	of->least = ct_summary_bits_of_key(scalar, bytes, least);
	of->greatest = ct_summary_bits_of_key(scalar, bytes, summary->high);
	of->held = 0;
	if (of->has_range)
		of->held = ct_element_widths(of->type, of->least) &
			   ct_element_widths(of->type, of->greatest) & integers;
	if (!ct_element_is_float(of->type))
		return;
	if (!of->has_range || summary->properties & (CT_PROPERTY_FRACTION | CT_PROPERTY_NAN))
		of->held = 0;
	if (bytes > 2 && !(summary->properties & CT_PROPERTY_NO_HALF))
		of->held |= 1u << CT_VALUES_F16;
	if (bytes > 4 && !(summary->properties & CT_PROPERTY_NO_SINGLE))
		of->held |= 1u << CT_VALUES_F32;
}

/* Where all have one key there is one value; else the sketch tells, and there are two or more. */
static uint64_t count_distinct(const struct summary *summary)
{
	double count = ct_sketch_count(summary->map) + 0.5;
	uint64_t distinct = count < 2 ? 2 : (uint64_t)count;

	if (summary->of.has_range && summary->of.least == summary->of.greatest &&
	    !(summary->properties & CT_PROPERTY_NAN))
		return 1;
	return distinct < summary->of.elements ? distinct : summary->of.elements;
}

static bool is_store(const struct ct_values_summary *of)
{
	return of->class == CT_CLASS_STORE;
}

static void conclude(struct summary *summary)
{
	read_range(summary);
	summary->of.is_found =
	    is_store(&summary->of) && !(summary->properties & CT_PROPERTY_UNFOUND);
	summary->of.distinct = count_distinct(summary);
}

static void join(struct summary *to, const struct summary *from)
{
	to->of.launches += from->of.launches;
	to->of.executions += from->of.executions;
	to->of.elements += from->of.elements;
	to->of.zeros += from->of.zeros;
	to->of.same += from->of.same;
	to->high = from->high > to->high ? from->high : to->high;
	to->low = from->low > to->low ? from->low : to->low;
	to->properties |= from->properties;
	for (uint32_t i = 0; i < CT_SUMMARY_MAPS; i++)
		to->map[i] |= from->map[i];
	to->launch_distinct += from->launch_distinct;
}

static int order_of(uint64_t x, uint64_t y)
{
	return x < y ? -1 : x > y;
}

static uint64_t set_of(const struct ct_values_summary *of)
{
	return ct_value_set_id(of->kernel, of->group, is_store(of), of->type);
}

static int compare_sites(const void *a, const void *b)
{
	const struct summary *x = a, *y = b;
	int order = order_of(x->of.kernel, y->of.kernel);

	order = order ? order : order_of(x->site, y->site);
	return order ? order : order_of(x->of.group, y->of.group);
}

/* By line: a loop that is unrolled, or a call that is inlined, has several sites there. */
static int compare_lines(const void *a, const void *b)
{
	const struct ct_values_summary *x = &((const struct summary *)a)->of,
				       *y = &((const struct summary *)b)->of;
	struct ct_place p = ct_place_of(x->unit, &x->unit->sites[x->site]);
	struct ct_place q = ct_place_of(y->unit, &y->unit->sites[y->site]);
	int order = order_of(set_of(x), set_of(y));

	order = order ? order : order_of(x->class, y->class);
	order = order ? order : strcmp(p.file, q.file);
	order = order ? order : order_of(p.line, q.line);
	return order || p.line
		   ? order
		   : order_of(((const struct summary *)a)->site, ((const struct summary *)b)->site);
}

static int compare_worth(const void *a, const void *b)
{
	int order = order_of(((const struct summary *)b)->of.elements,
			     ((const struct summary *)a)->of.elements);

	return order ? order : compare_lines(a, b);
}

static int compare_sets(const void *a, const void *b)
{
	const struct ct_values_summary *x = &((const struct summary *)a)->of,
				       *y = &((const struct summary *)b)->of;

	return order_of(set_of(x), set_of(y));
}

/* By set, and by launch within. */
static int compare_launch_sets(const void *a, const void *b)
{
	const struct summary *x = a, *y = b;
	int order = compare_sets(a, b);

	return order ? order : order_of((uintptr_t)x->launch, (uintptr_t)y->launch);
}

/* Equal ones become one. Returns how many are left. */
static size_t join_equal(struct summary *list, size_t count,
			 int (*compare)(const void *, const void *))
{
	size_t kept = 0;

	qsort(list, count, sizeof(*list), compare);
	for (size_t i = 0; i < count; i++) {
		if (kept && compare(&list[kept - 1], &list[i]) == 0)
			join(&list[kept - 1], &list[i]);
		else
			list[kept++] = list[i];
	}
	for (size_t i = 0; i < kept; i++)
		conclude(&list[i]);
	return kept;
}

/* Sites of a line run in the same launches: in as many as the one of them that runs in the most. */
static size_t join_lines(struct summary *list, size_t count)
{
	size_t kept = 0;

	qsort(list, count, sizeof(*list), compare_lines);
	for (size_t i = 0; i < count; i++) {
		struct summary *to = kept ? &list[kept - 1] : NULL;
		uint64_t launches = to ? to->of.launches : 0;

		if (!to || compare_lines(to, &list[i]) != 0) {
			list[kept++] = list[i];
			continue;
		}
		join(to, &list[i]);
		to->of.launches = launches > list[i].of.launches ? launches : list[i].of.launches;
	}
	for (size_t i = 0; i < kept; i++)
		conclude(&list[i]);
	qsort(list, kept, sizeof(*list), compare_worth);
	return kept;
}

static bool passes(const struct ct_value_engine *engine, const struct ct_summary_info *info)
{
	const struct ct_event_count event = {.site = info->event->site};
	const struct ct_count_info count = {&event, info->launch, info->unit, info->part};

	return info->launch && info->unit && ct_filter_passes_count(engine->filter, &count);
}

static void read_summary(struct summary *to, const struct ct_value_engine *engine,
			 const struct ct_summary_info *info)
{
	const struct ct_event_summary *event = info->event;
	const struct ct_launch_info *launches;
	const struct ct_unit *units;
	const struct ct_value_site *site;

	ct_trace_units(engine->trace, &units);
	ct_trace_launches(engine->trace, &launches);
	to->launch = info->launch;
	to->site = engine->first_site[info->unit - units] + event->site;
	site = &engine->site[to->site];
	to->of = (struct ct_values_summary){
	    .kernel = engine->kernels.of_launch[info->launch - launches],
	    .group = info->object ? engine->object[info->object - engine->first_object].group
				  : (uint32_t)ct_objects_groups(engine->groups) - 1,
	    .unit = info->unit,
	    .site = event->site,
	    .class = site->class,
	    .type = site->type,
	    .launches = 1,
	    .executions = event->warps,
	    .elements = event->elements,
	    .zeros = event->zeros,
	    .same = event->same,
	};
	to->high = event->high;
	to->low = event->low;
	to->properties = event->properties;
	memcpy(to->map, event->maps, sizeof(to->map));
}

static int add_row(struct ct_sums *sums, const struct summary *summary)
{
	const struct ct_values_summary *of = &summary->of;
	uint64_t owner = ct_value_owner(of->kernel, of->group);
	uint64_t bytes = of->elements * CT_VALUES_TYPE_BYTES(of->type);
	int err = ct_sums_add(sums, CT_VALUE_FACT_KEY(CT_VALUE_FACT_ELEMENTS, owner), summary->site,
			      of->elements, bytes);

	if (err == 0 && of->is_found)
		err = ct_sums_add(sums, CT_VALUE_FACT_KEY(CT_VALUE_FACT_FOUND, owner),
				  summary->site, of->same, 0);
	if (err == 0 && !of->is_found && of->class != CT_CLASS_LOAD)
		err = ct_sums_add(sums, CT_VALUE_FACT_KEY(CT_VALUE_FACT_NOTHING, owner),
				  summary->site, of->elements, 0);
	return err;
}

/* The most frequent value is known if there is one value, or half of the elements are 0. */
static int add_top(struct ct_sums *sums, uint64_t set, const struct ct_values_summary *of)
{
	uint64_t key = CT_VALUE_FACT_KEY(CT_VALUE_FACT_TOP, set);

	if (of->distinct == 1)
		return ct_sums_add(sums, key, of->least, of->elements, 0);
	return 2 * of->zeros >= of->elements ? ct_sums_add(sums, key, 0, of->zeros, 0) : 0;
}

/* Floats between two that are one at a level of precision are so, too. Levels up to the run's say
 * nothing new. */
static int add_cuts(struct ct_sums *sums, uint64_t set, const struct summary *summary,
		    unsigned precision)
{
	const struct ct_values_summary *of = &summary->of;
	bool is_range = of->has_range && !(summary->properties & CT_PROPERTY_NAN);
	int err = 0;

	for (unsigned level = CT_VALUES_PRECISION_MAX; level > precision && is_range && err == 0;
	     level--) {
		uint64_t mask = ct_values_precision_mask(of->type, level);

		if (mask == UINT64_MAX || (of->least ^ of->greatest) & mask)
			break;
		err = ct_sums_add(sums, CT_VALUE_FACT_KEY(CT_VALUE_FACT_CUT, set),
				  CT_VALUE_CUT(of->least & mask, level), of->elements, 0);
	}
	return err;
}

static int add_set(struct ct_sums *sums, const struct summary *summary, unsigned precision)
{
	const struct ct_values_summary *of = &summary->of;
	uint64_t set = set_of(of);
	bool is_near = of->has_range && ct_element_is_near_zero(of->type, of->least) &&
		       ct_element_is_near_zero(of->type, of->greatest) &&
		       !(summary->properties & CT_PROPERTY_NAN);
	uint64_t each = summary->launch_distinct;
	int err;

	each = each < of->elements ? each : of->elements;
	err = ct_sums_add(sums, CT_VALUE_FACT_KEY(CT_VALUE_FACT_SET, set), 0, of->elements, each);
	if (err == 0)
		err = ct_sums_add(sums, CT_VALUE_FACT_KEY(CT_VALUE_FACT_DISTINCT, set), 0,
				  of->distinct, 0);
	if (err == 0)
		err = ct_sums_add(sums, CT_VALUE_FACT_KEY(CT_VALUE_FACT_ZEROS, set), 0, of->zeros,
				  is_near ? of->elements : of->zeros);
	for (uint32_t w = 0; err == 0 && w < CT_VALUES_WIDTHS; w++)
		if (of->held >> w & 1)
			err = ct_sums_add(sums, CT_VALUE_FACT_KEY(CT_VALUE_FACT_HELD, set), w,
					  of->elements, 0);
	if (err == 0)
		err = add_cuts(sums, set, summary, precision);
	return err == 0 ? add_top(sums, set, of) : err;
}

/* Uses the list up. What atomics are given is in no set. */
static int add_sets(const struct ct_value_engine *engine, struct summary *list, size_t all)
{
	size_t count = 0;
	int err = 0;

	for (size_t i = 0; i < all; i++)
		if (list[i].of.class != CT_CLASS_ATOMIC)
			list[count++] = list[i];
	count = join_equal(list, count, compare_launch_sets);
	for (size_t i = 0; i < count; i++)
		list[i].launch_distinct = list[i].of.distinct;
	count = join_equal(list, count, compare_sets);
	for (size_t i = 0; i < count && err == 0; i++)
		err = add_set(engine->sums, &list[i], engine->precision);
	return err;
}

/* Uses the list up. */
static int add_sites(struct ct_values_figures *figures, struct ct_sums *sums, struct summary *list,
		     size_t count)
{
	int err = 0;

	count = join_equal(list, count, compare_sites);
	for (size_t i = 0; i < count && err == 0; i++)
		err = add_row(sums, &list[i]);
	count = join_lines(list, count);
	figures->summary = calloc(count + 1, sizeof(*figures->summary));
	if (!figures->summary)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		figures->summary[figures->summaries++] = list[i].of;
	return err;
}

static bool is_of_tier(const struct ct_trace *trace)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches);

	for (size_t i = 0; i < count; i++)
		if (launches[i].event->tier == CT_TIER_VALUES)
			return true;
	return false;
}

int ct_value_summaries_add(struct ct_values_figures *figures, struct ct_value_engine *engine)
{
	const struct ct_summary_info *infos;
	size_t count = ct_trace_summaries(engine->trace, &infos), kept = 0;
	struct summary *list = calloc(count + 1, sizeof(*list)), *copy;
	int err = 0;

	if (!list)
		return -ENOMEM;
	figures->is_summarised = is_of_tier(engine->trace);
	for (size_t i = 0; i < count; i++)
		if (passes(engine, &infos[i]))
			read_summary(&list[kept++], engine, &infos[i]);
	copy = malloc((kept + 1) * sizeof(*copy));
	if (copy)
		memcpy(copy, list, kept * sizeof(*copy));
	err = copy ? add_sites(figures, engine->sums, copy, kept) : -ENOMEM;
	if (err == 0)
		err = add_sets(engine, list, kept);
	free(copy);
	free(list);
	return err;
}
