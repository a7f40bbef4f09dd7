/* SPDX-License-Identifier: Apache-2.0 */
/* Distances of reuse for a terminal and as JSON: what memories of some sizes would have to fetch.
 */
#include "base/quantity.h"
#include "postproc/render/access/beside.h"
#include "postproc/render/base/words.h"

#include <math.h>

#define DIGITS 9

/* Sizes of memory that the table tells of. */
static const uint32_t memory_log2[] = {14, 18, 22, 26};
#define MEMORIES (sizeof(memory_log2) / sizeof(*memory_log2))
#define TABLE_SIZE 2u /* lines of 128 bytes */

/* NULL: of a kernel. */
static const char *object_of(const struct ct_reuse_results *results, const struct ct_reuse_row *row,
			     char *text, size_t bytes)
{
	const struct ct_object_info *object = results->object[row->group];

	return object ? ct_words_object(object, text, bytes) : "unknown";
}

/* What such a memory serves of the references, in %. */
static void put_hits(struct ct_table *table, const struct ct_reuse_curve *curve, uint32_t log2)
{
	double lines = exp2(log2) / CT_REUSE_SIZE_BYTES(TABLE_SIZE);
	double ratio = ct_reuse_transfers(curve, lines, false) /
		       (double)(curve->references + !curve->references);
	char text[32];

	snprintf(text, sizeof(text), "%.1f %%", 100 * (1 - ratio));
	ct_table_text(table, curve->references ? text : NULL);
}

static void put_row(struct ct_table *table, const char *kernel, const char *object,
		    const struct ct_reuse_curve *curve)
{
	double exponent;
	char text[32];

	ct_table_name(table, kernel);
	ct_table_text(table, object);
	ct_table_number(table, curve->references);
	ct_table_number(table, ct_reuse_compulsory(curve));
	for (size_t m = 0; m < MEMORIES; m++)
		put_hits(table, curve, memory_log2[m]);
	if (ct_reuse_exponent(curve, &exponent)) {
		snprintf(text, sizeof(text), "%.2f", exponent);
		ct_table_text(table, text);
	} else {
		ct_table_text(table, NULL);
	}
}

static void write_notes(FILE *out, const struct ct_reuse_results *results)
{
	fprintf(out, "LRU memories of lines of 128 B, empty when a launch begins; accesses in the "
		     "order of the trace");
	if (results->sampled[TABLE_SIZE])
		fprintf(out, "; of one line in %u", 1u << results->sampled[TABLE_SIZE]);
	fputc('\n', out);
}

int ct_access_write_reuse(FILE *out, const struct ct_access_output *output,
			  const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"kernel", 0, 12, 1},  {"object", 0, 8, 1},       {"references", 1, 0, 0},
	    {"distinct", 1, 0, 0}, {"hits, 16 KiB", 1, 0, 0}, {"256 KiB", 1, 0, 0},
	    {"4 MiB", 1, 0, 0},    {"64 MiB", 1, 0, 0},       {"exponent", 1, 0, 0},
	};
	const struct ct_reuse_results *results = output->reuse;
	uint32_t kernel = UINT32_MAX;
	struct ct_table *table;
	size_t count = 0;
	int err;

	if (!results)
		return 0;
	err = ct_table_begin(&table, out, "Reuse of lines", columns,
			     sizeof(columns) / sizeof(*columns), style);
	for (size_t i = 0; err == 0 && i < results->rows; i++) {
		const struct ct_reuse_row *row = &results->row[i];
		const char *name = results->kernels.list[row->kernel].name;
		char text[256];

		if (row->kernel != kernel && count++ < output->rows)
			put_row(table, name, "all",
				&results->kernel[row->kernel].curve[TABLE_SIZE]);
		kernel = row->kernel;
		if (count++ < output->rows)
			put_row(table, name, object_of(results, row, text, sizeof(text)),
				&row->curve[TABLE_SIZE]);
	}
	if (err == 0)
		err = ct_table_finish(table, out, style, count, output->rows);
	write_notes(out, results);
	return err;
}

/* [lines, transfers if it is empty when a launch begins, if it keeps what it has], up to where no
 * more lines help. */
static void put_transfers(struct ct_json *json, const struct ct_reuse_curve *curve)
{
	double cold, warm, last = -1;

	ct_json_open_array(json, "transfers", CT_JSON_INLINE);
	for (int log2_lines = 0; log2_lines <= 40; log2_lines++) {
		cold = ct_reuse_transfers(curve, exp2(log2_lines), false);
		warm = ct_reuse_transfers(curve, exp2(log2_lines), true);
		if (log2_lines && warm == last && warm <= (double)curve->cold)
			break;
		last = warm;
		ct_json_open_array(json, NULL, CT_JSON_INLINE);
		ct_json_put_number(json, NULL, 1ull << log2_lines);
		ct_json_put_real(json, NULL, cold, DIGITS);
		ct_json_put_real(json, NULL, warm, DIGITS);
		ct_json_close(json);
	}
	ct_json_close(json);
}

/* object NULL: of the kernel, whose error can be told. */
static void put_curve(struct ct_json *json, const struct ct_reuse_results *results, uint32_t kernel,
		      const char *object, const struct ct_reuse_curve *curve, uint32_t size)
{
	double exponent, lines = exp2(18 - 5) / (1u << size); /* of 256 KiB */

	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	ct_json_put_text(json, "kernel", results->kernels.list[kernel].name);
	if (object)
		ct_json_put_text(json, "object", object);
	else
		ct_json_put_null(json, "object");
	ct_json_put_number(json, "line_bytes", CT_REUSE_SIZE_BYTES(size));
	ct_json_put_number(json, "references", curve->references);
	ct_json_put_number(json, "cold", curve->cold);
	ct_json_put_number(json, "compulsory", ct_reuse_compulsory(curve));
	if (ct_reuse_exponent(curve, &exponent))
		ct_json_put_real(json, "exponent", exponent, DIGITS);
	else
		ct_json_put_null(json, "exponent");
	if (object)
		ct_json_put_null(json, "error");
	else
		ct_json_put_real(json, "error", ct_reuse_error(results, kernel, size, lines, false),
				 DIGITS);
	put_transfers(json, curve);
	ct_json_close(json);
}

void ct_access_put_reuse(struct ct_json *json, const struct ct_reuse_results *results)
{
	uint32_t kernel = UINT32_MAX;

	if (!results) {
		ct_json_put_null(json, "reuse");
		return;
	}
	ct_json_open_object(json, "reuse", CT_JSON_LINES);
	ct_json_open_array(json, "sampled", CT_JSON_INLINE);
	for (uint32_t size = 0; size < CT_REUSE_SIZES; size++)
		ct_json_put_number(json, NULL, 1u << results->sampled[size]);
	ct_json_close(json);
	ct_json_open_array(json, "curves", CT_JSON_LINES);
	for (size_t i = 0; i < results->rows; i++) {
		const struct ct_reuse_row *row = &results->row[i];
		char text[256];

		for (uint32_t size = 0; size < CT_REUSE_SIZES && row->kernel != kernel; size++)
			put_curve(json, results, row->kernel, NULL,
				  &results->kernel[row->kernel].curve[size], size);
		kernel = row->kernel;
		for (uint32_t size = 0; size < CT_REUSE_SIZES; size++)
			put_curve(json, results, row->kernel,
				  object_of(results, row, text, sizeof(text)), &row->curve[size],
				  size);
	}
	ct_json_close(json);
	ct_json_close(json);
}
