/* SPDX-License-Identifier: Apache-2.0 */
/* Compare figures by kernel, pair of kernels, line and object: found by name, in any order. */
#include "tests/comm/agree.h"

#include <stdio.h>
#include <string.h>

static void same(struct disagreement *found, const char *what, const char *field, uint64_t expected,
		 uint64_t got)
{
	char figure[160];

	if (expected == got)
		return;
	snprintf(figure, sizeof(figure), "%.120s.%s", what, field);
	disagree(found, figure, (double)expected, (double)got);
}

#define FIELD(field) same(found, name, #field, expected->field, got->field)

static const struct ct_comm_kernel *kernel_of(const struct ct_comm_figures *figures,
					      const char *symbol)
{
	static const struct ct_comm_kernel none;

	for (size_t i = 0; i < figures->kernels; i++)
		if (strcmp(figures->kernel[i].symbol, symbol) == 0)
			return &figures->kernel[i];
	return &none;
}

static void agree_kernels(const struct ct_comm_figures *all, const struct ct_comm_figures *figures,
			  struct disagreement *found)
{
	for (size_t i = 0; i < all->kernels; i++) {
		const struct ct_comm_kernel *expected = &all->kernel[i];
		const struct ct_comm_kernel *got = kernel_of(figures, expected->symbol);
		char name[100];

		snprintf(name, sizeof(name), "kernel %s", expected->symbol);
		FIELD(launches);
		FIELD(load_bytes);
		FIELD(store_bytes);
		FIELD(communicated_load_bytes);
		FIELD(communicated_store_bytes);
		FIELD(others_load_bytes);
		FIELD(others_store_bytes);
	}
}

static const struct ct_comm_kernel_pair *pair_of(const struct ct_comm_figures *figures,
						 const char *source, const char *target)
{
	static const struct ct_comm_kernel_pair none;

	for (size_t i = 0; i < figures->kernel_pairs; i++) {
		const struct ct_comm_kernel_pair *pair = &figures->kernel_pair[i];

		if (strcmp(figures->kernel[pair->source].symbol, source) == 0 &&
		    strcmp(figures->kernel[pair->target].symbol, target) == 0)
			return pair;
	}
	return &none;
}

static void agree_pairs(const struct ct_comm_figures *all, const struct ct_comm_figures *figures,
			struct disagreement *found)
{
	same(found, "kernel pairs", "count", all->kernel_pairs, figures->kernel_pairs);
	for (size_t i = 0; i < all->kernel_pairs; i++) {
		const struct ct_comm_kernel_pair *expected = &all->kernel_pair[i];
		const char *source = all->kernel[expected->source].symbol;
		const char *target = all->kernel[expected->target].symbol;
		const struct ct_comm_kernel_pair *got = pair_of(figures, source, target);
		char name[200];

		snprintf(name, sizeof(name), "pair %.40s %.40s", source, target);
		FIELD(transfers);
		FIELD(bytes);
		FIELD(self_bytes);
		FIELD(distinct_bytes);
		FIELD(sources);
		FIELD(targets);
		FIELD(partners);
		FIELD(out_degree_max);
		FIELD(in_degree_max);
		FIELD(source_ctas);
		FIELD(target_ctas);
	}
}

static struct bag lines_of(const struct ct_comm_figures *figures)
{
	struct bag lines = {0};

	for (size_t i = 0; i < figures->line_pairs; i++) {
		const struct ct_comm_line_pair *pair = &figures->line_pair[i];
		struct bag_entry *line =
		    bag_at(&lines, pair->source_unit->header->unit_id, pair->source_site,
			   pair->target_unit->header->unit_id, pair->target_site);

		line->value[0] += pair->bytes;
		line->value[1] += pair->loaded_bytes;
	}
	return lines;
}

/* Sums their self messages, all lines together. */
static struct ct_comm_line_pair self_of(const struct ct_comm_figures *figures)
{
	struct ct_comm_line_pair all = {0};

	for (size_t i = 0; i < figures->line_pairs; i++) {
		all.self_bytes += figures->line_pair[i].self_bytes;
		all.self_loaded_bytes += figures->line_pair[i].self_loaded_bytes;
	}
	return all;
}

static uint64_t sum_of(const struct bag *bag, int value)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < bag->count; i++)
		sum += bag->entry[i].value[value];
	return sum;
}

static void agree_lines(const struct reference *reference, const struct ct_comm_figures *figures,
			struct disagreement *found)
{
	struct bag expected = lines_of(&reference->figures), got = lines_of(figures);
	struct ct_comm_line_pair self = self_of(&reference->figures), got_self = self_of(figures);
	char name[100];

	same(found, "lines", "self_bytes", self.self_bytes, got_self.self_bytes);
	same(found, "lines", "self_loaded_bytes", self.self_loaded_bytes,
	     got_self.self_loaded_bytes);
	same(found, "lines", "bytes", sum_of(&expected, 0), sum_of(&got, 0));
	same(found, "lines", "loaded_bytes", sum_of(&expected, 1), sum_of(&got, 1));
	for (size_t i = 0; i < expected.count && !reference->has_other_sites; i++) {
		const struct bag_entry *line = &expected.entry[i];
		const struct bag_entry *other =
		    bag_find(&got, line->key[0], line->key[1], line->key[2], line->key[3]);

		snprintf(name, sizeof(name), "line %llu to %llu", (unsigned long long)line->key[1],
			 (unsigned long long)line->key[3]);
		same(found, name, "loaded_bytes", line->value[1], other ? other->value[1] : 0);
	}
	bag_fini(&expected);
	bag_fini(&got);
}

static const struct ct_comm_object *object_of(const struct ct_comm_figures *figures,
					      const struct ct_comm_object *like)
{
	static const struct ct_comm_object none;

	for (size_t i = 0; i < figures->objects; i++) {
		const struct ct_comm_object *object = &figures->object[i];

		if (!object->object != !like->object)
			continue;
		if (!like->object || (strcmp(object->object->name, like->object->name) == 0 &&
				      strcmp(object->object->site, like->object->site) == 0))
			return object;
	}
	return &none;
}

static void agree_objects(const struct ct_comm_figures *all, const struct ct_comm_figures *figures,
			  struct disagreement *found)
{
	for (size_t i = 0; i < all->objects; i++) {
		const struct ct_comm_object *expected = &all->object[i];
		const struct ct_comm_object *got = object_of(figures, expected);
		char name[100];

		snprintf(name, sizeof(name), "object %.20s (first: %u)",
			 expected->object ? expected->object->name : "none",
			 expected->object ? expected->object->event->object : 0);
		FIELD(load_bytes);
		FIELD(store_bytes);
		FIELD(communicated_load_bytes);
		FIELD(communicated_store_bytes);
		FIELD(others_load_bytes);
		FIELD(others_store_bytes);
		FIELD(transferred_bytes);
		FIELD(self_bytes);
		if (expected->load_bytes + expected->store_bytes && expected->object)
			FIELD(objects);
	}
}

void agree_relations(const struct reference *reference, const struct ct_comm_figures *figures,
		     struct disagreement *found)
{
	agree_kernels(&reference->figures, figures, found);
	agree_pairs(&reference->figures, figures, found);
	agree_lines(reference, figures, found);
	agree_objects(&reference->figures, figures, found);
}
