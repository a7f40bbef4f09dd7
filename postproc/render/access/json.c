/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses as JSON: docs/json-schema.md. */
#include "base/json.h"
#include "postproc/render/access/beside.h"
#include "postproc/render/access/sums.h"
#include "postproc/render/base/words.h"

#include <errno.h>
#include <stdlib.h>

#define DIGITS 9

static void put_place(struct ct_json *json, const struct ct_unit *unit, uint32_t site)
{
	struct ct_place place = ct_place_of(unit, &unit->sites[site]);

	if (*place.file)
		ct_json_put_text(json, "file", place.file);
	else
		ct_json_put_null(json, "file");
	ct_json_put_number(json, "line", place.line);
	ct_json_put_number(json, "column", place.column);
}

static void put_object(struct ct_json *json, const struct ct_access_results *results,
		       uint32_t group)
{
	const struct ct_object_info *object =
	    group < results->groups ? results->object[group] : NULL;
	char text[256];

	if (object)
		ct_json_put_text(json, "object", ct_words_object(object, text, sizeof(text)));
	else
		ct_json_put_null(json, "object");
}

static void put_figures(struct ct_json *json, const struct ct_access_figures *f)
{
	ct_json_put_number(json, "requests", f->requests);
	ct_json_put_number(json, "lanes", f->lanes);
	ct_json_put_number(json, "sectors", f->sectors);
	ct_json_put_number(json, "ideal_sectors", f->ideal);
	ct_json_put_real(json, "efficiency", ct_access_efficiency(f), DIGITS);
	ct_json_put_number(json, "asked_bytes", f->asked);
	ct_json_put_number(json, "used_bytes", f->used);
	ct_json_put_number(json, "moved_bytes", f->sectors * CT_SECTOR_BYTES);
}

static void put_span(struct ct_json *json, const char *key, const struct ct_access_span *span,
		     uint64_t requests)
{
	if (!requests) {
		ct_json_put_null(json, key);
		return;
	}
	ct_json_open_array(json, key, CT_JSON_INLINE);
	ct_json_put_signed(json, NULL, span->least);
	ct_json_put_signed(json, NULL, span->most);
	ct_json_close(json);
}

static void put_pattern(struct ct_json *json, const struct ct_access_results *results,
			const struct ct_access_row *row)
{
	const struct ct_access_figures *f = &row->figures;
	uint64_t structure = ct_access_structure(results, row);
	char words[CT_ACCESS_WORDS_BYTES];

	ct_json_put_text(json, "pattern", ct_access_words(results, row, words));
	ct_json_open_object(json, "patterns", CT_JSON_INLINE);
	for (unsigned p = 0; p < CT_ACCESS_PATTERNS; p++)
		if (f->pattern[p])
			ct_json_put_number(json, ct_access_pattern_key((enum ct_access_pattern)p),
					   f->pattern[p]);
	ct_json_close(json);
	put_span(json, "stride_bytes", &f->stride, f->pattern[CT_ACCESS_STRIDED]);
	put_span(json, "misaligned_bytes", &f->misaligned, f->pattern[CT_ACCESS_MISALIGNED]);
	put_span(json, "row_lanes", &f->row, f->pattern[CT_ACCESS_ROWS]);
	if (structure)
		ct_json_put_number(json, "structure_bytes", structure);
	else
		ct_json_put_null(json, "structure_bytes");
	ct_json_open_array(json, "spread", CT_JSON_INLINE);
	for (unsigned i = 0; i < CT_ACCESS_SPREADS; i++)
		ct_json_put_number(json, NULL, f->spread[i]);
	ct_json_close(json);
}

static void put_meetings(struct ct_json *json, const struct ct_access_row *row)
{
	const struct ct_access_figures *f = &row->figures;

	if (f->banked)
		ct_json_put_real(json, "conflict_degree", ct_access_conflict_degree(f), DIGITS);
	else
		ct_json_put_null(json, "conflict_degree");
	ct_json_put_number(json, "wavefronts", f->wavefronts);
	ct_json_put_number(json, "ideal_wavefronts", f->ideal_wavefronts);
	if (row->class == CT_CLASS_ATOMIC)
		ct_json_put_real(json, "contention", (double)f->contended / (double)f->requests,
				 DIGITS);
	else
		ct_json_put_null(json, "contention");
	ct_json_put_number(json, "most_contended", f->most_contended);
}

static void put_site(struct ct_json *json, const struct ct_access_results *results,
		     const struct ct_access_row *row)
{
	const struct ct_unit_site *site = &row->unit->sites[row->site];

	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	ct_json_put_text(json, "kernel", results->kernels.list[row->kernel].name);
	put_place(json, row->unit, row->site);
	ct_json_put_text(json, "operation", ct_operation_text(site->operation));
	ct_json_put_text(json, "class", ct_class_text(row->class));
	ct_json_put_text(json, "space", ct_words_space(ct_access_space(results, row->group)));
	put_object(json, results, row->group);
	ct_json_put_bool(json, "several_objects",
			 row->group == results->groups + CT_ACCESS_SEVERAL);
	ct_json_put_number(json, "bytes", site->bytes);
	put_figures(json, &row->figures);
	ct_json_put_number(json, "unique_bytes", row->unique);
	ct_json_put_number(json, "unique_sectors", row->unique_sectors);
	put_pattern(json, results, row);
	put_meetings(json, row);
	ct_json_close(json);
}

static void put_sum(struct ct_json *json, const struct ct_access_results *results,
		    const struct ct_access_sum *sum, enum ct_access_by by)
{
	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	if (by == CT_ACCESS_BY_KERNEL) {
		ct_json_put_text(json, "kernel", results->kernels.list[sum->kernel].name);
		ct_json_put_number(json, "launches", results->kernels.list[sum->kernel].launches);
	} else if (by == CT_ACCESS_BY_OBJECT) {
		put_object(json, results, sum->group);
		ct_json_put_bool(json, "several_objects",
				 sum->group == results->groups + CT_ACCESS_SEVERAL);
	} else {
		ct_json_put_text(json, "class", ct_class_text(sum->class));
		ct_json_put_number(json, "bytes", sum->bytes);
	}
	put_figures(json, &sum->figures);
	if (by != CT_ACCESS_BY_WIDTH) {
		ct_json_put_number(json, "unique_bytes", sum->unique);
		ct_json_put_number(json, "unique_sectors", sum->unique_sectors);
	}
	ct_json_close(json);
}

static int put_sums(struct ct_json *json, const char *key, const struct ct_access_results *results,
		    enum ct_access_by by)
{
	struct ct_access_sums sums;
	int err = ct_access_sums_init(&sums, results, by);

	ct_json_open_array(json, key, CT_JSON_LINES);
	for (size_t i = 0; i < sums.count && err == 0; i++)
		put_sum(json, results, &sums.list[i], by);
	ct_json_close(json);
	ct_access_sums_fini(&sums);
	return err;
}

static void put_launches(struct ct_json *json, const struct ct_access_results *results)
{
	ct_json_open_array(json, "launches", CT_JSON_LINES);
	for (size_t i = 0; i < results->launches; i++) {
		const struct ct_access_launch *launch = &results->launch[i];

		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_number(json, "part", launch->launch->part);
		ct_json_put_number(json, "launch", launch->launch->event->launch);
		ct_json_put_text(json, "kernel", launch->launch->kernel);
		ct_json_put_number(json, "unique_bytes", launch->bytes);
		ct_json_put_number(json, "unique_sectors", launch->sectors);
		ct_json_put_number(json, "unique_lines_64", launch->half_lines);
		ct_json_put_number(json, "unique_lines_128", launch->lines);
		ct_json_close(json);
	}
	ct_json_close(json);
}

static void put_hot(struct ct_json *json, const struct ct_access_results *results)
{
	ct_json_put_number(json, "atomics", results->atomic_lanes);
	ct_json_put_number(json, "atomic_addresses", results->atomic_addresses);
	ct_json_open_array(json, "hot_addresses", CT_JSON_LINES);
	for (size_t i = 0; i < results->hots; i++) {
		const struct ct_access_hot *hot = &results->hot[i];

		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_address(json, "address", hot->address);
		ct_json_put_number(json, "part", hot->launch->part);
		ct_json_put_number(json, "launch", hot->launch->event->launch);
		ct_json_put_text(json, "kernel", hot->launch->kernel);
		put_place(json, hot->unit, hot->site);
		ct_json_put_number(json, "atomics", hot->lanes);
		ct_json_close(json);
	}
	ct_json_close(json);
}

static void put_findings(struct ct_json *json, const struct ct_access_output *output)
{
	const struct ct_access_results *results = output->results;

	ct_json_open_array(json, "findings", CT_JSON_LINES);
	for (size_t i = 0; i < output->advices->count; i++) {
		const struct ct_access_advice *advice = &output->advices->list[i];

		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_text(json, "name", advice->name);
		ct_json_put_text(json, "kernel", results->kernels.list[advice->row->kernel].name);
		put_place(json, advice->row->unit, advice->row->site);
		put_object(json, results, advice->row->group);
		ct_json_put_real(json, "saved_sectors", advice->saved_sectors, DIGITS);
		if (advice->saved_seconds > 0)
			ct_json_put_real(json, "saved_seconds", advice->saved_seconds, DIGITS);
		else
			ct_json_put_null(json, "saved_seconds");
		ct_json_put_real(json, "worth", advice->worth.value, DIGITS);
		ct_json_put_text(json, "unit", advice->worth.unit);
		ct_json_put_text(json, "text", advice->text);
		ct_json_put_text(json, "evidence", advice->evidence);
		ct_json_put_text(json, "fix", advice->fix);
		ct_json_close(json);
	}
	ct_json_close(json);
}

int ct_access_write_json(FILE *out, const struct ct_access_output *output)
{
	const struct ct_access_results *results = output->results;
	const struct ct_access_row **sorted = ct_access_rows_by_excess(results);
	struct ct_json json;
	int err = sorted ? 0 : -ENOMEM;

	ct_json_init(&json, out, 2, CT_JSON_UTF8);
	ct_json_open_object(&json, NULL, CT_JSON_LINES);
	ct_json_put_text(&json, "schema", "cudatrace-access-1");
	ct_json_put_text(&json, "trace", output->trace);
	put_findings(&json, output);
	ct_json_open_array(&json, "sites", CT_JSON_LINES);
	for (size_t i = 0; sorted && i < results->rows; i++)
		put_site(&json, results, sorted[i]);
	ct_json_close(&json);
	if (err == 0)
		err = put_sums(&json, "kernels", results, CT_ACCESS_BY_KERNEL);
	if (err == 0)
		err = put_sums(&json, "objects", results, CT_ACCESS_BY_OBJECT);
	if (err == 0)
		err = put_sums(&json, "widths", results, CT_ACCESS_BY_WIDTH);
	put_launches(&json, results);
	put_hot(&json, results);
	ct_access_put_heat(&json, results);
	ct_access_put_branches(&json, output->branches);
	ct_access_put_reuse(&json, output->reuse);
	ct_access_put_races(&json, output);
	ct_json_close(&json);
	fputc('\n', out);
	free(sorted);
	return err < 0 ? err : ct_json_error(&json);
}
