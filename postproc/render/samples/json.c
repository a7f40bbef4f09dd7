/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of program counters as JSON: docs/json-schema.md. */
#include "base/json.h"
#include "postproc/render/samples/samples.h"

static void put_reasons(struct ct_json *json, const struct ct_samples_study *study,
			const struct ct_samples_sum *sum)
{
	ct_json_open_array(json, "reasons", CT_JSON_INLINE);
	for (size_t i = 0; i < study->weights.reason_count; i++)
		if (sum->by_reason[i]) {
			ct_json_open_object(json, NULL, CT_JSON_INLINE);
			ct_json_put_text(json, "reason", study->weights.reasons[i]);
			ct_json_put_number(json, "samples", sum->by_reason[i]);
			ct_json_close(json);
		}
	ct_json_close(json);
}

static void put_sum(struct ct_json *json, const struct ct_samples_study *study,
		    const struct ct_samples_sum *sum)
{
	ct_json_put_number(json, "samples", sum->samples);
	ct_json_put_number(json, "latency_samples", sum->latency);
	if (study->weights.total)
		ct_json_put_real(json, "share_percent",
				 100 * (double)sum->samples / (double)study->weights.total, 6);
}

static void put_line(struct ct_json *json, const struct ct_samples_study *study,
		     const struct ct_samples_line *line)
{
	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	if (line->line) {
		ct_json_put_text(json, "file", line->file);
		ct_json_put_number(json, "line", line->line);
		ct_json_put_text(json, "function", line->function);
	} else {
		ct_json_put_null(json, "file");
		ct_json_put_null(json, "line");
		ct_json_put_null(json, "function");
	}
	put_sum(json, study, &line->sum);
	ct_json_put_real(json, "waited_samples", line->waited, 9);
	put_reasons(json, study, &line->sum);
	ct_json_close(json);
}

static void put_kernel(struct ct_json *json, const struct ct_samples_study *study,
		       const struct ct_samples_kernel *kernel)
{
	ct_json_open_object(json, NULL, CT_JSON_LINES);
	ct_json_put_text(json, "name", kernel->name);
	ct_json_put_text(json, "symbol", kernel->symbol);
	put_sum(json, study, &kernel->sum);
	put_reasons(json, study, &kernel->sum);
	ct_json_open_array(json, "lines", CT_JSON_LINES);
	for (size_t i = 0; i < kernel->line_count; i++)
		put_line(json, study, &kernel->lines[i]);
	ct_json_close(json);
	ct_json_close(json);
}

static void put_sampling(struct ct_json *json, const struct ct_samples_study *study)
{
	const struct ct_sampled_facts *facts = &study->facts;

	ct_json_open_object(json, "sampling", CT_JSON_LINES);
	ct_json_put_number(json, "looks", facts->looks);
	ct_json_put_number(json, "launches", facts->launches);
	ct_json_put_number(json, "least_period_cycles", facts->period_min);
	ct_json_put_number(json, "most_period_cycles", facts->period_max);
	ct_json_put_bool(json, "is_concurrent", facts->is_concurrent);
	ct_json_put_number(json, "total", facts->total);
	ct_json_put_number(json, "dropped", facts->dropped);
	ct_json_put_number(json, "others", facts->others);
	ct_json_put_number(json, "without_line", study->weights.unplaced);
	ct_json_put_number(json, "cubins", facts->cubins);
	ct_json_put_number(json, "missing_cubins", facts->missing_cubins);
	ct_json_put_number(json, "damaged_cubins", facts->damaged_cubins);
	ct_json_put_text(json, "missing", facts->missing);
	ct_json_close(json);
}

int ct_samples_write_json(FILE *out, const struct ct_samples_study *study, const char *name)
{
	struct ct_json json;

	ct_json_init(&json, out, 2, CT_JSON_UTF8);
	ct_json_open_object(&json, NULL, CT_JSON_LINES);
	ct_json_put_text(&json, "schema", "cudatrace-samples-1");
	ct_json_put_text(&json, "trace", name);
	put_sampling(&json, study);
	ct_json_open_array(&json, "kernels", CT_JSON_LINES);
	for (size_t i = 0; i < study->kernel_count; i++)
		put_kernel(&json, study, &study->kernels[i]);
	ct_json_close(&json);
	ct_json_close(&json);
	fputc('\n', out);
	return json.err;
}
