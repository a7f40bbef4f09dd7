/* SPDX-License-Identifier: Apache-2.0 */
/* Findings as JSON: docs/json-schema.md. */
#include "postproc/render/base/json.h"
#include "postproc/render/findings/findings.h"

static json_t *text_or_null(const char *text)
{
	return text ? ct_json_text(text) : json_null();
}

static json_t *amount(const struct ct_amount *amount)
{
	return amount->unit ? json_pack("{s:f,s:s}", "value", amount->value, "unit", amount->unit)
			    : json_null();
}

static json_t *lines(const struct ct_finding *finding)
{
	json_t *array = json_array();

	for (size_t i = 0; i < finding->sites; i++)
		json_array_append_new(array,
				      ct_json_line(finding->site[i].unit, finding->site[i].site));
	return array;
}

static json_t *objects(const struct ct_finding *finding)
{
	json_t *array = json_array();

	for (size_t i = 0; i < finding->objects; i++) {
		const struct ct_object_info *object = finding->object[i];

		json_array_append_new(array, json_pack("{s:I,s:I,s:o}", "object",
						       (json_int_t)object->event->object, "part",
						       (json_int_t)object->part, "name",
						       ct_json_text(object->name)));
	}
	return array;
}

static json_t *launches(const struct ct_finding *finding)
{
	json_t *array = json_array();

	for (size_t i = 0; i < finding->launches; i++) {
		const struct ct_launch_info *launch = finding->launch[i];

		json_array_append_new(array, json_pack("{s:I,s:I,s:o}", "launch",
						       (json_int_t)launch->event->launch, "part",
						       (json_int_t)launch->part, "kernel",
						       ct_json_text(launch->kernel)));
	}
	return array;
}

static json_t *kernels(const struct ct_finding *finding)
{
	json_t *array = json_array();

	for (size_t i = 0; i < finding->kernels; i++)
		json_array_append_new(array, ct_json_text(finding->kernel[i]));
	return array;
}

json_t *ct_finding_json(const struct ct_finding *finding)
{
	json_t *json = json_pack(
	    "{s:s,s:s,s:s,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "analysis", finding->analysis,
	    "finding", finding->name, "kind", ct_finding_kind_text(finding->kind), "text",
	    ct_json_text(finding->text), "evidence", text_or_null(finding->evidence), "fix",
	    text_or_null(finding->fix), "figure", amount(&finding->figure), "worth",
	    amount(&finding->worth), "lines", lines(finding), "objects", objects(finding),
	    "kernels", kernels(finding), "launches", launches(finding));

	if (finding->estimate.unit)
		json_object_set_new(json, "estimate", amount(&finding->estimate));
	return json;
}

json_t *ct_findings_json(const struct ct_findings *findings)
{
	json_t *array = json_array();

	for (size_t i = 0; i < findings->count; i++)
		json_array_append_new(array, ct_finding_json(&findings->list[i]));
	return array;
}
