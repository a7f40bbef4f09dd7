/* SPDX-License-Identifier: Apache-2.0 */
/* Values as JSON: docs/json-schema.md. */
#include "base/json.h"
#include "postproc/analysis/values/numbers.h"
#include "postproc/render/base/words.h"
#include "postproc/render/values/json_objects.h"
#include "postproc/render/values/values.h"

#define SHARE_DIGITS 9

static double share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

/* Null: not known. */
static void put_line(struct ct_json *json, const char *file, uint32_t line)
{
	if (*file)
		ct_json_put_text(json, "file", file);
	else
		ct_json_put_null(json, "file");
	if (*file && line)
		ct_json_put_number(json, "line", line);
	else
		ct_json_put_null(json, "line");
}

/* Where a site stands; null without one. */
static void put_place(struct ct_json *json, const struct ct_unit *unit, uint32_t site)
{
	struct ct_place place = {"", 0, 0};

	if (unit)
		place = ct_place_of(unit, &unit->sites[site]);
	put_line(json, place.file, place.line);
}

static void put_object(struct ct_json *json, const char *key,
		       const struct ct_values_figures *figures, uint32_t group)
{
	const struct ct_object_info *object = figures->object[group];
	char text[256];

	if (object)
		ct_json_put_text(json, key, ct_words_object(object, text, sizeof(text)));
	else
		ct_json_put_null(json, key);
}

static void put_seconds(struct ct_json *json, const char *key, double seconds)
{
	if (seconds > 0)
		ct_json_put_real(json, key, seconds, SHARE_DIGITS);
	else
		ct_json_put_null(json, key);
}

/* Of one launch; null: of no kernel, or not known. */
static void put_worth(struct ct_json *json, const struct ct_values_advice *advice)
{
	double launches = (double)advice->launches;

	if (advice->launches) {
		ct_json_put_real(json, "bytes_per_launch", advice->saved_bytes / launches,
				 SHARE_DIGITS);
		ct_json_put_real(json, "sectors_per_launch", advice->sectors / launches,
				 SHARE_DIGITS);
	} else {
		ct_json_put_null(json, "bytes_per_launch");
		ct_json_put_null(json, "sectors_per_launch");
	}
	put_seconds(json, "saved_seconds", advice->seconds);
	put_seconds(json, "estimated_seconds", advice->estimate);
}

static void put_finding(struct ct_json *json, const struct ct_values_figures *figures,
			const struct ct_values_advice *advice)
{
	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	ct_json_put_text(json, "pattern", advice->pattern);
	if (advice->kernel == CT_NONE)
		ct_json_put_null(json, "kernel");
	else
		ct_json_put_text(json, "kernel", figures->kernel[advice->kernel].name);
	put_line(json, advice->file, advice->line);
	put_object(json, "object", figures, advice->subject.group);
	ct_json_put_real(json, "share", advice->share, SHARE_DIGITS);
	ct_json_put_text(json, "saves", advice->is_memory ? "memory" : "traffic");
	ct_json_put_real(json, "saved_bytes", advice->saved_bytes, SHARE_DIGITS);
	put_worth(json, advice);
	ct_json_put_text(json, "text", advice->text);
	ct_json_put_text(json, "evidence", advice->evidence);
	ct_json_put_text(json, "fix", advice->fix);
	ct_json_close(json);
}

static void put_counts(struct ct_json *json, const struct ct_values_counts *counts,
		       enum ct_class class)
{
	ct_json_put_number(json, "accesses", counts->elements);
	ct_json_put_number(json, "redundant", ct_values_redundant(counts, class));
	ct_json_put_number(json, "bytes", counts->bytes);
	ct_json_put_number(json, "temporal", counts->temporal);
	ct_json_put_number(json, "silent", counts->silent);
	ct_json_put_number(json, "known", counts->known);
	ct_json_put_number(json, "agreed", counts->agreed);
	ct_json_put_number(json, "found", counts->found);
	ct_json_put_number(json, "unknown", counts->unknown);
	ct_json_put_number(json, "without_value", counts->untold);
	ct_json_put_number(json, "sectors", counts->sectors);
	ct_json_put_number(json, "redundant_sectors", counts->avoided);
}

static void put_site(struct ct_json *json, const struct ct_values_figures *figures,
		     const struct ct_values_line *line)
{
	const struct ct_values_saved saved = ct_values_line_saved(figures, line);

	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	ct_json_put_text(json, "kernel", figures->kernel[line->kernel].name);
	put_place(json, line->unit, line->site);
	ct_json_put_text(json, "operation", ct_operation_text(line->operation));
	put_object(json, "object", figures, line->group);
	put_counts(json, &line->counts, line->class);
	put_seconds(json, "saved_seconds", saved.seconds);
	put_seconds(json, "estimated_seconds", saved.estimate);
	ct_json_close(json);
}

static void put_pair(struct ct_json *json, const struct ct_values_figures *figures,
		     const struct ct_values_pair *pair)
{
	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	ct_json_put_text(json, "kernel", figures->kernel[pair->kernel].name);
	ct_json_put_text(json, "operation", pair->is_store ? "store" : "load");
	ct_json_open_object(json, "old", CT_JSON_INLINE);
	put_place(json, pair->old_unit, pair->old_site);
	ct_json_close(json);
	ct_json_open_object(json, "new", CT_JSON_INLINE);
	put_place(json, pair->unit, pair->site);
	ct_json_close(json);
	ct_json_put_number(json, "accesses", pair->elements);
	ct_json_close(json);
}

static void put_tops(struct ct_json *json, const struct ct_values_set *set)
{
	char text[CT_ELEMENT_TEXT_BYTES];

	ct_json_open_array(json, "top", CT_JSON_INLINE);
	for (uint32_t i = 0; i < set->tops; i++) {
		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_text(json, "value",
				 ct_element_text(set->type, set->top[i].value, text));
		ct_json_put_number(json, "accesses", set->top[i].elements);
		ct_json_close(json);
	}
	ct_json_close(json);
}

/* held: bits 1 << enum ct_values_width. */
static void put_fits(struct ct_json *json, uint32_t held)
{
	ct_json_open_array(json, "fits", CT_JSON_INLINE);
	for (unsigned w = 0; w < CT_VALUES_WIDTHS; w++)
		if (held >> w & 1)
			ct_json_put_text(json, NULL, ct_width_text((enum ct_values_width)w));
	ct_json_close(json);
}

static void put_set(struct ct_json *json, const struct ct_values_figures *figures,
		    const struct ct_values_set *set)
{
	struct ct_values_pattern pattern[CT_VALUES_PATTERN_COUNT];
	size_t count = ct_values_patterns(set, pattern);
	char type[CT_ELEMENT_TEXT_BYTES];
	uint32_t held = 0;

	for (unsigned w = 0; w < CT_VALUES_WIDTHS; w++)
		held |= (uint32_t)(set->held[w] == set->elements) << w;
	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	put_object(json, "object", figures, set->group);
	ct_json_put_text(json, "kernel", figures->kernel[set->kernel].name);
	ct_json_put_text(json, "operation", set->is_store ? "store" : "load");
	ct_json_put_text(json, "type", ct_element_type_text(set->type, type));
	ct_json_put_number(json, "accesses", set->elements);
	ct_json_put_number(json, "distinct", set->distinct);
	ct_json_put_number(json, "spatial", set->elements - set->launch_distinct);
	ct_json_put_number(json, "zeros", set->zeros);
	put_tops(json, set);
	put_fits(json, held);
	ct_json_open_array(json, "patterns", CT_JSON_INLINE);
	for (size_t i = 0; i < count; i++)
		ct_json_put_text(json, NULL, ct_values_pattern_text(pattern[i].id));
	ct_json_close(json);
	if (set->neighbours && set->slope)
		ct_json_put_signed(json, "slope", set->slope);
	if (set->alike)
		ct_json_put_number(json, "alike_at", set->alike);
	ct_json_close(json);
}

static void put_done(struct ct_json *json, const struct ct_values_done *done)
{
	ct_json_put_number(json, "loads", done->loads);
	ct_json_put_number(json, "redundant_loads", done->temporal);
	ct_json_put_number(json, "stores", done->stores);
	ct_json_put_number(json, "redundant_stores", done->redundant);
	ct_json_put_number(json, "unknown", done->unknown);
	ct_json_put_number(json, "without_value", done->untold);
	ct_json_close(json);
}

static void put_launch(struct ct_json *json, const struct ct_values_figures *figures,
		       const struct ct_values_launch *launch)
{
	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	ct_json_put_number(json, "part", launch->launch->part);
	ct_json_put_number(json, "launch", launch->launch->event->launch);
	ct_json_put_text(json, "kernel", figures->kernel[launch->kernel].name);
	put_done(json, &launch->done);
}

static void put_context(struct ct_json *json, const struct ct_values_figures *figures,
			const struct ct_values_context *context)
{
	char text[512];

	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	ct_json_put_text(json, "kernel", figures->kernel[context->kernel].name);
	ct_json_put_text(json, "region", context->first->region);
	ct_json_put_text(json, "launched",
			 ct_words_descriptor(context->first->site, text, sizeof(text)));
	ct_json_put_number(json, "launches", context->launches);
	ct_json_put_number(json, "unchanged_launches", context->unchanged);
	put_done(json, &context->done);
}

static void put_transfer(struct ct_json *json, const struct ct_values_figures *figures,
			 const struct ct_values_transfer *transfer)
{
	const struct ct_event_transfer *event = transfer->transfer->event;

	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	ct_json_put_number(json, "part", transfer->transfer->part);
	ct_json_put_number(json, "transfer", event->transfer);
	ct_json_put_text(json, "kind", event->kind == CT_TRANSFER_SET ? "set" : "copy");
	ct_json_put_text(json, "call", transfer->transfer->call);
	put_object(json, "object", figures, transfer->group);
	ct_json_put_number(json, "bytes", transfer->bytes);
	ct_json_put_number(json, "same_bytes", transfer->same);
	ct_json_put_number(json, "unknown_bytes", transfer->unknown);
	ct_json_close(json);
}

/* Every pattern of the group's sets and objects, once. */
static void put_patterns(struct ct_json *json, const struct ct_values_figures *figures,
			 uint32_t group)
{
	unsigned found = 0, lives = 0;

	for (size_t i = 0; i < figures->lives; i++)
		lives |= figures->life[i].group == group ? figures->life[i].patterns : 0;
	for (size_t i = 0; i < figures->sets; i++) {
		struct ct_values_pattern pattern[CT_VALUES_PATTERN_COUNT];
		size_t count = figures->set[i].group == group
				   ? ct_values_patterns(&figures->set[i], pattern)
				   : 0;

		for (size_t p = 0; p < count; p++)
			found |= 1u << pattern[p].id;
	}
	ct_json_open_array(json, "patterns", CT_JSON_INLINE);
	for (unsigned p = 0; p < CT_VALUES_PATTERN_COUNT; p++)
		if (found >> p & 1)
			ct_json_put_text(json, NULL,
					 ct_values_pattern_text((enum ct_values_pattern_id)p));
	ct_values_put_life_patterns(json, lives);
	ct_json_close(json);
}

static void put_group(struct ct_json *json, const struct ct_values_figures *figures, uint32_t group)
{
	const struct ct_object_info *object = figures->object[group];
	char text[512];

	if (!object)
		return;
	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	ct_json_put_text(json, "name", ct_words_object(object, text, sizeof(text)));
	ct_json_put_number(json, "bytes", object->event->bytes);
	ct_json_put_number(json, "count", figures->objects[group]);
	ct_json_put_text(json, "allocated", ct_words_descriptor(object->site, text, sizeof(text)));
	put_patterns(json, figures, group);
	ct_json_close(json);
}

static void put_estimate(struct ct_json *json, const struct ct_values_figures *figures,
			 const struct ct_values_estimate *estimate,
			 const struct ct_values_spatial *spatial)
{
	static const char *const keys[] = {"estimated_share", "share_error", "spatial_least",
					   "spatial_most"};
	const double reals[] = {estimate->share, estimate->error, spatial->least, spatial->most};

	for (unsigned i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (figures->sampled_launches && !figures->is_summarised)
			ct_json_put_real(json, keys[i], reals[i], SHARE_DIGITS);
		else
			ct_json_put_null(json, keys[i]);
}

static void put_total(struct ct_json *json, const struct ct_values_figures *figures,
		      enum ct_class class, const char *key)
{
	const bool is_store = class == CT_CLASS_STORE;
	struct ct_values_spatial spatial = ct_values_spatial_of(figures, is_store);
	struct ct_values_counts sum = {0};

	for (size_t i = 0; i < figures->rows; i++)
		if (figures->row[i].class == class)
			ct_values_counts_add(&sum, &figures->row[i].counts);
	ct_json_open_object(json, key, CT_JSON_INLINE);
	put_counts(json, &sum, class);
	ct_json_put_real(json, "share", share(ct_values_redundant(&sum, class), sum.elements),
			 SHARE_DIGITS);
	if (class != CT_CLASS_ATOMIC) {
		ct_json_put_number(json, "spatial", spatial.redundant);
		put_estimate(json, figures,
			     is_store ? &figures->store_estimate : &figures->load_estimate,
			     &spatial);
	}
	ct_json_close(json);
}

static void put_cells(struct ct_json *json, const struct ct_values_figures *figures)
{
	uint64_t equal = 0, candidates = 0;

	for (size_t i = 0; i < figures->cell_count; i++) {
		equal += figures->cells[i].equal;
		candidates += figures->cells[i].candidates;
	}
	ct_json_put_number(json, "equal_stores", equal);
	ct_json_put_number(json, "candidate_stores", candidates);
	ct_json_put_number(json, "surprises", figures->surprises);
	ct_json_put_number(json, "launches", figures->launches);
	ct_json_put_number(json, "opaque_launches", figures->opaque_launches);
	ct_json_put_number(json, "sampled_launches", figures->sampled_launches);
}

/* The bits of a number as people read it; null: there is none. */
static void put_number(struct ct_json *json, const char *key,
		       const struct ct_values_summary *summary, uint64_t bits)
{
	char text[CT_ELEMENT_TEXT_BYTES];

	if (summary->has_range)
		ct_json_put_text(json, key, ct_element_text(summary->type, bits, text));
	else
		ct_json_put_null(json, key);
}

static void put_summary(struct ct_json *json, const struct ct_values_figures *figures,
			const struct ct_values_summary *summary)
{
	char type[CT_ELEMENT_TEXT_BYTES];

	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	ct_json_put_text(json, "kernel", figures->kernel[summary->kernel].name);
	put_place(json, summary->unit, summary->site);
	ct_json_put_text(json, "operation", ct_class_text(summary->class));
	put_object(json, "object", figures, summary->group);
	ct_json_put_text(json, "type", ct_element_type_text(summary->type, type));
	ct_json_put_number(json, "launches", summary->launches);
	ct_json_put_number(json, "executions", summary->executions);
	ct_json_put_number(json, "accesses", summary->elements);
	ct_json_put_number(json, "zeros", summary->zeros);
	if (summary->class != CT_CLASS_STORE)
		ct_json_put_number(json, "as_lowest_lane", summary->same);
	else if (summary->is_found)
		ct_json_put_number(json, "found", summary->same);
	else
		ct_json_put_null(json, "found");
	put_number(json, "least", summary, summary->least);
	put_number(json, "greatest", summary, summary->greatest);
	ct_json_put_number(json, "distinct", summary->distinct);
	put_fits(json, summary->held);
	ct_json_close(json);
}

static void put_valueless(struct ct_json *json, const struct ct_valueless *what)
{
	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	ct_json_put_text(json, what->is_kernel ? "kernel" : "function", what->name);
	put_line(json, what->file, what->line);
	ct_json_put_text(json, "operation", what->operation);
	ct_json_put_number(json, "times", what->times);
	ct_json_put_text(json, "reason", what->reason);
	ct_json_close(json);
}

#define PUT_ALL(json, key, count, put)                                                             \
	do {                                                                                       \
		ct_json_open_array(json, key, CT_JSON_LINES);                                      \
		for (size_t i = 0; i < (count); i++)                                               \
			put;                                                                       \
		ct_json_close(json);                                                               \
	} while (0)

int ct_values_write_json(FILE *out, const struct ct_values_output *output)
{
	const struct ct_values_figures *figures = output->figures;
	struct ct_json json;

	ct_json_init(&json, out, 2, CT_JSON_UTF8);
	ct_json_open_object(&json, NULL, CT_JSON_LINES);
	ct_json_put_text(&json, "schema", "cudatrace-values-1");
	ct_json_put_text(&json, "trace", output->trace);
	ct_json_put_number(&json, "precision", output->precision);
	ct_json_put_text(&json, "tier", figures->is_summarised ? "values" : "full");
	put_total(&json, figures, CT_CLASS_LOAD, "loads");
	put_total(&json, figures, CT_CLASS_STORE, "stores");
	put_total(&json, figures, CT_CLASS_ATOMIC, "atomics");
	put_cells(&json, figures);
	PUT_ALL(&json, "findings", output->advices->count,
		put_finding(&json, figures, &output->advices->list[i]));
	PUT_ALL(&json, "sites", output->lines->count,
		put_site(&json, figures, &output->lines->list[i]));
	PUT_ALL(&json, "objects", figures->groups, put_group(&json, figures, (uint32_t)i));
	PUT_ALL(&json, "values", figures->sets, put_set(&json, figures, &figures->set[i]));
	PUT_ALL(&json, "summaries", figures->summaries,
		put_summary(&json, figures, &figures->summary[i]));
	PUT_ALL(&json, "without_values", figures->valueless.count,
		put_valueless(&json, &figures->valueless.list[i]));
	ct_values_put_memory(&json, &figures->memory);
	ct_values_put_lives(&json, figures);
	ct_values_put_flows(&json, figures);
	PUT_ALL(&json, "contexts", figures->contexts,
		put_context(&json, figures, &figures->context[i]));
	PUT_ALL(&json, "per_launch", figures->launched,
		put_launch(&json, figures, &figures->launch[i]));
	PUT_ALL(&json, "transfers", figures->transfers,
		put_transfer(&json, figures, &figures->transfer[i]));
	PUT_ALL(&json, "pairs", figures->pairs, put_pair(&json, figures, &figures->pair[i]));
	ct_json_close(&json);
	fputc('\n', out);
	return ct_json_error(&json);
}
