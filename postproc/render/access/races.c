/* SPDX-License-Identifier: Apache-2.0 */
/* Races for a terminal and as JSON. */
#include "base/quantity.h"
#include "postproc/facts/operation.h"
#include "postproc/facts/place.h"
#include "postproc/render/access/beside.h"
#include "postproc/render/base/words.h"
#include "postproc/render/findings/findings.h"

#define LINE_BYTES 256u

static const char *between_of(const struct ct_race *race)
{
	return race->between == CT_RACES_CTAS ? "CTAs" : "warps of a CTA";
}

static const char *object_of(const struct ct_race *race, char *text, size_t bytes)
{
	if (CT_ADDRESS_SPACE(race->address) == CT_SPACE_SHARED)
		return "shared memory";
	return race->object ? ct_words_object(race->object, text, bytes) : "unknown";
}

static void put_access(struct ct_table *table, const struct ct_races_access *access)
{
	const struct ct_unit_site *site = &access->unit->sites[access->site];
	char text[LINE_BYTES], line[LINE_BYTES];

	snprintf(text, sizeof(text), "%s %s", ct_operation_text(site->operation),
		 ct_words_location(access->unit, site, line, sizeof(line)));
	ct_table_text(table, text);
}

static void put_who(struct ct_table *table, const struct ct_races_access *access)
{
	char text[64];

	snprintf(text, sizeof(text), "CTA %llu warp %u", (unsigned long long)access->cta,
		 access->warp);
	ct_table_text(table, text);
}

static void write_limits(FILE *out, const struct ct_races_results *results)
{
	char number[3][CT_NUMBER_BYTES];

	if (!results->races)
		fprintf(out, "\nNo races were found.");
	fprintf(out,
		"\nOf %s launches the order is not known: between CTAs of %s (atomics, volatile "
		"accesses, grids that synchronise, or something is not recorded), between warps of "
		"a CTA of %s (likewise, or --ct-events=barrier is missing); nothing is said of "
		"these.\n",
		ct_number(results->launches, number[0]),
		ct_number(results->unknown_ctas, number[1]),
		ct_number(results->unknown_warps, number[2]));
}

int ct_access_write_races(FILE *out, const struct ct_access_output *output,
			  const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"kernel", 0, 12, 1}, {"launch", 1, 0, 0}, {"between", 0, 0, 0}, {"object", 0, 8, 1},
	    {"bytes", 1, 0, 0},   {"values", 0, 0, 0}, {"store", 0, 12, 0},  {"by", 0, 0, 0},
	    {"and", 0, 12, 0},    {"by", 0, 0, 0},
	};
	const struct ct_races_results *results = output->races;
	struct ct_table *table;
	char text[LINE_BYTES];
	int err = 0;

	if (!results)
		return 0;
	if (results->races)
		err = ct_table_begin(&table, out, "Warning: accesses that nothing orders", columns,
				     sizeof(columns) / sizeof(*columns), style);
	for (size_t i = 0; err == 0 && i < results->races && i < output->rows; i++) {
		const struct ct_race *race = &results->race[i];

		ct_table_name(table, race->launch->kernel);
		ct_table_number(table, race->launch->event->launch);
		ct_table_text(table, between_of(race));
		ct_table_text(table, object_of(race, text, sizeof(text)));
		ct_table_number(table, race->bytes);
		ct_table_text(table, ct_races_values_text(race->values));
		put_access(table, &race->store);
		put_who(table, &race->store);
		put_access(table, &race->other);
		put_who(table, &race->other);
	}
	if (results->races && err == 0)
		err = ct_table_finish(table, out, style, results->races, output->rows);
	if (results->races && err == 0)
		ct_findings_write(out, output->race_findings, style);
	write_limits(out, results);
	return err;
}

static void put_json(struct ct_json *json, const char *key, const struct ct_races_access *access)
{
	const struct ct_unit_site *site = &access->unit->sites[access->site];
	struct ct_place place = ct_place_of(access->unit, site);

	ct_json_open_object(json, key, CT_JSON_INLINE);
	ct_json_put_text(json, "operation", ct_operation_text(site->operation));
	if (*place.file)
		ct_json_put_text(json, "file", place.file);
	else
		ct_json_put_null(json, "file");
	ct_json_put_number(json, "line", place.line);
	ct_json_put_number(json, "column", place.column);
	ct_json_put_number(json, "cta", access->cta);
	ct_json_put_number(json, "warp", access->warp);
	ct_json_close(json);
}

static void put_findings(struct ct_json *json, const struct ct_findings *findings)
{
	ct_json_open_array(json, "findings", CT_JSON_LINES);
	for (size_t i = 0; i < findings->count; i++) {
		const struct ct_finding *finding = &findings->list[i];

		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_text(json, "name", finding->name);
		ct_json_put_text(json, "kind", ct_finding_kind_text(finding->kind));
		ct_json_put_text(json, "kernel", finding->kernel[0]);
		ct_json_put_text(json, "text", finding->text);
		ct_json_put_text(json, "evidence", finding->evidence);
		ct_json_put_text(json, "fix", finding->fix);
		ct_json_close(json);
	}
	ct_json_close(json);
}

void ct_access_put_races(struct ct_json *json, const struct ct_access_output *output)
{
	const struct ct_races_results *results = output->races;
	char text[LINE_BYTES];

	if (!results) {
		ct_json_put_null(json, "races");
		return;
	}
	ct_json_open_object(json, "races", CT_JSON_LINES);
	ct_json_put_number(json, "launches", results->launches);
	ct_json_put_number(json, "unknown_ctas", results->unknown_ctas);
	ct_json_put_number(json, "unknown_warps", results->unknown_warps);
	ct_json_open_array(json, "found", CT_JSON_LINES);
	for (size_t i = 0; i < results->races; i++) {
		const struct ct_race *race = &results->race[i];

		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_text(json, "kernel", race->launch->kernel);
		ct_json_put_number(json, "part", race->launch->part);
		ct_json_put_number(json, "launch", race->launch->event->launch);
		ct_json_put_text(json, "between",
				 race->between == CT_RACES_CTAS ? "ctas" : "warps");
		ct_json_put_text(json, "object", object_of(race, text, sizeof(text)));
		ct_json_put_number(json, "bytes", race->bytes);
		ct_json_put_text(json, "values", ct_races_values_text(race->values));
		ct_json_put_address(json, "address", race->address);
		put_json(json, "store", &race->store);
		put_json(json, "other", &race->other);
		ct_json_close(json);
	}
	ct_json_close(json);
	put_findings(json, output->race_findings);
	ct_json_close(json);
}
