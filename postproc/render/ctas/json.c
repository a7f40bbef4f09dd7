/* SPDX-License-Identifier: Apache-2.0 */
/* When CTAs ran, as JSON: docs/json-schema.md. */
#include "base/json.h"
#include "postproc/render/ctas/ctas.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* Exactly: JSON's readers may round as they like. */
static void put_seconds(struct ct_json *json, const char *key, uint64_t ns)
{
	ct_json_put_key(json, key);
	fprintf(json->out, "%" PRIu64 ".%09" PRIu64, ns / 1000000000u, ns % 1000000000u);
}

static void put_kernel(struct ct_json *json, const struct ct_ctas_kernel *kernel)
{
	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	ct_json_put_text(json, "name", kernel->name);
	ct_json_put_number(json, "launches", kernel->launches);
	ct_json_put_number(json, "ctas", kernel->ctas);
	put_seconds(json, "seconds", kernel->time_ns);
	ct_json_put_real(json, "waves", kernel->waves, 6);
	put_seconds(json, "tail_seconds", kernel->tail_ns);
	ct_json_put_real(json, "sm_imbalance", kernel->imbalance, 6);
	ct_json_put_real(json, "cta_imbalance", kernel->cta_imbalance, 6);
	put_seconds(json, "balance_saves_seconds", kernel->saved_ns);
	ct_json_put_bool(json, "is_traced", kernel->is_traced);
	ct_json_close(json);
}

static void put_launch(struct ct_json *json, const struct ct_ctas_launch *launch)
{
	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	ct_json_put_number(json, "part", launch->launch->part);
	ct_json_put_number(json, "launch", launch->launch->event->launch);
	ct_json_put_text(json, "kernel", launch->launch->kernel);
	ct_json_put_number(json, "ctas", launch->ctas);
	ct_json_put_number(json, "sms", launch->sms);
	ct_json_put_number(json, "device_sms", launch->device_sms);
	ct_json_put_number(json, "begin_ns", launch->begin_ns);
	put_seconds(json, "seconds", ct_ctas_time_ns(launch));
	put_seconds(json, "min_seconds", launch->min_ns);
	put_seconds(json, "median_seconds", launch->median_ns);
	put_seconds(json, "mean_seconds", launch->total_ns / launch->ctas);
	put_seconds(json, "p95_seconds", launch->p95_ns);
	put_seconds(json, "max_seconds", launch->max_ns);
	ct_json_put_real(json, "resident_per_sm", ct_ctas_mean_resident(launch), 6);
	ct_json_put_number(json, "most_resident_per_sm", launch->peak_of_sm);
	ct_json_put_number(json, "most_resident", launch->peak);
	ct_json_put_real(json, "waves", ct_ctas_waves(launch), 6);
	put_seconds(json, "tail_seconds", ct_ctas_tail_ns(launch));
	ct_json_put_real(json, "sm_imbalance", ct_ctas_sm_imbalance(launch), 6);
	ct_json_put_real(json, "cta_imbalance", ct_ctas_cta_imbalance(launch), 6);
	put_seconds(json, "balance_saves_seconds", ct_ctas_saved_ns(launch));
	ct_json_put_bool(json, "is_traced", launch->is_traced);
	ct_json_close(json);
}

static void put_course(struct ct_json *json, const struct ct_ctas_launch *launch)
{
	double resident[CT_CTAS_COURSE];

	ct_ctas_course(launch, resident, CT_CTAS_COURSE);
	ct_json_open_object(json, "course", CT_JSON_LINES);
	ct_json_put_number(json, "part", launch->launch->part);
	ct_json_put_number(json, "launch", launch->launch->event->launch);
	put_seconds(json, "seconds", ct_ctas_time_ns(launch));
	ct_json_open_array(json, "resident", CT_JSON_INLINE);
	for (size_t i = 0; i < CT_CTAS_COURSE; i++)
		ct_json_put_real(json, NULL, resident[i], 6);
	ct_json_close(json);
	ct_json_close(json);
}

int ct_ctas_write_json(FILE *out, const struct ct_ctas *ctas, const char *name)
{
	const struct ct_ctas_launch **list = ct_ctas_by_time(ctas);
	struct ct_json json;

	if (!list)
		return -ENOMEM;
	ct_json_init(&json, out, 2, CT_JSON_UTF8);
	ct_json_open_object(&json, NULL, CT_JSON_LINES);
	ct_json_put_text(&json, "schema", "cudatrace-ctas-1");
	ct_json_put_text(&json, "trace", name);
	ct_json_open_array(&json, "kernels", CT_JSON_LINES);
	for (size_t i = 0; i < ctas->kernels; i++)
		put_kernel(&json, &ctas->kernel[i]);
	ct_json_close(&json);
	ct_json_open_array(&json, "launches", CT_JSON_LINES);
	for (size_t i = 0; i < ctas->launches; i++)
		put_launch(&json, &ctas->launch[i]);
	ct_json_close(&json);
	put_course(&json, list[0]);
	ct_json_close(&json);
	fputc('\n', out);
	free(list);
	return json.err;
}
