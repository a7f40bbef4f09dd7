/* SPDX-License-Identifier: Apache-2.0 */
/* All points of a comparison as CSV, a line each, and as JSON, figure by figure. */
#include "base/csv.h"
#include "base/json.h"
#include "postproc/render/compare/compare.h"

#include <errno.h>

#define DIGITS 9
#define KEY_BYTES 64u

static bool has_y(const struct ct_compare_figure *figure)
{
	return figure->kind == CT_COMPARE_BINS || figure->kind == CT_COMPARE_MAP;
}

static void write_points(FILE *out, const struct ct_compare_figure *figure,
			 const struct ct_compare_trace *trace, unsigned s)
{
	const struct ct_compare_series *series = &trace->series[figure - ct_compare_figure][s];

	for (size_t i = 0; i < series->count; i++) {
		fprintf(out, "%s,", figure->name);
		ct_csv_text(out, trace->label);
		fprintf(out, ",%s,", figure->series[s]);
		if (figure->kind != CT_COMPARE_BARS)
			fprintf(out, "%llu", (unsigned long long)series->point[i].x);
		fputc(',', out);
		if (has_y(figure))
			fprintf(out, "%llu", (unsigned long long)series->point[i].y);
		fprintf(out, ",%.*g\n", series->point[i].value >= 1e9 ? 17 : DIGITS,
			series->point[i].value);
	}
}

int ct_compare_write_csv(FILE *out, const struct ct_compare *compare)
{
	fputs("figure,trace,series,x,y,value\n", out);
	for (unsigned f = 0; f < CT_COMPARE_FIGURES; f++)
		for (size_t t = 0; t < compare->count; t++)
			for (unsigned s = 0;
			     s < CT_COMPARE_SERIES && ct_compare_figure[f].series[s]; s++)
				write_points(out, &ct_compare_figure[f], &compare->trace[t], s);
	return ferror(out) ? -EIO : 0;
}

/* A name as the other schemas have them: words joined by underscores. */
static const char *key_of(const char *name, char key[KEY_BYTES])
{
	snprintf(key, KEY_BYTES, "%s", name);
	for (char *at = key; *at; at++)
		if (*at == ' ' || *at == '-')
			*at = '_';
	return key;
}

static void put_series(struct ct_json *json, const struct ct_compare_figure *figure,
		       const struct ct_compare_series *series, const char *name)
{
	if (figure->kind == CT_COMPARE_BARS) {
		ct_json_put_real(json, name, series->count ? series->point[0].value : 0, 17);
		return;
	}
	ct_json_open_array(json, name, CT_JSON_INLINE);
	for (size_t i = 0; i < series->count; i++) {
		ct_json_open_array(json, NULL, CT_JSON_INLINE);
		ct_json_put_number(json, NULL, series->point[i].x);
		if (has_y(figure))
			ct_json_put_number(json, NULL, series->point[i].y);
		ct_json_put_real(json, NULL, series->point[i].value, DIGITS);
		ct_json_close(json);
	}
	ct_json_close(json);
}

static void put_figure(struct ct_json *json, const struct ct_compare *compare, unsigned f)
{
	const struct ct_compare_figure *figure = &ct_compare_figure[f];
	char key[KEY_BYTES];

	ct_json_open_array(json, key_of(figure->name, key), CT_JSON_LINES);
	for (size_t t = 0; t < compare->count; t++) {
		ct_json_open_object(json, NULL, CT_JSON_LINES);
		for (unsigned s = 0; s < CT_COMPARE_SERIES && figure->series[s]; s++)
			put_series(json, figure, &compare->trace[t].series[f][s],
				   key_of(figure->series[s], key));
		ct_json_close(json);
	}
	ct_json_close(json);
}

int ct_compare_write_json(FILE *out, const struct ct_compare *compare)
{
	struct ct_json json;

	ct_json_init(&json, out, 2, CT_JSON_UTF8);
	ct_json_open_object(&json, NULL, CT_JSON_LINES);
	ct_json_put_text(&json, "schema", "cudatrace-compare-1");
	ct_json_open_array(&json, "traces", CT_JSON_LINES);
	for (size_t t = 0; t < compare->count; t++) {
		const struct ct_compare_trace *trace = &compare->trace[t];

		ct_json_open_object(&json, NULL, CT_JSON_LINES);
		ct_json_put_text(&json, "label", trace->label);
		ct_json_put_text(&json, "directory", trace->directory);
		ct_json_put_number(&json, "ctas", trace->ctas);
		ct_json_put_number(&json, "supersteps", trace->supersteps);
		ct_json_put_number(&json, "launches", trace->launches);
		ct_json_put_number(&json, "traced_launches", trace->traced_launches);
		ct_json_put_number(&json, "lost_chunks", trace->lost_chunks);
		ct_json_close(&json);
	}
	ct_json_close(&json);
	ct_json_open_object(&json, "figures", CT_JSON_LINES);
	for (unsigned f = 0; f < CT_COMPARE_FIGURES; f++)
		put_figure(&json, compare, f);
	ct_json_close(&json);
	ct_json_close(&json);
	fputc('\n', out);
	return ct_json_error(&json);
}
