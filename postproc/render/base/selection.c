/* SPDX-License-Identifier: Apache-2.0 */
/* What was chosen to be looked at, as JSON. */
#include "postproc/render/base/selection.h"
#include "postproc/render/base/json.h"

static json_t *spans(const struct ct_id_span *span, size_t count)
{
	json_t *array = count ? json_array() : json_null();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(
		    array, json_pack("[I,I]", (json_int_t)span[i].first, (json_int_t)span[i].last));
	return array;
}

static json_t *objects(const struct ct_selection *selection)
{
	json_t *array = selection->objects ? json_array() : json_null();

	for (size_t i = 0; i < selection->objects; i++)
		json_array_append_new(array, ct_json_text(selection->object[i]));
	return array;
}

/* "3-5", "1:2:0" */
static json_t *cta(const struct ct_cta_choice *choice)
{
	const unsigned long long *at = (const unsigned long long *)choice->at;

	if (choice->axes == 3)
		return json_sprintf("%llu:%llu:%llu", at[0], at[1], at[2]);
	if (choice->axes)
		return json_sprintf("%llu:%llu", at[0], at[1]);
	if (choice->linear.first == choice->linear.last)
		return json_sprintf("%llu", (unsigned long long)choice->linear.first);
	return json_sprintf("%llu-%llu", (unsigned long long)choice->linear.first,
			    (unsigned long long)choice->linear.last);
}

static json_t *ctas(const struct ct_selection *selection)
{
	json_t *array = selection->ctas ? json_array() : json_null();

	for (size_t i = 0; i < selection->ctas; i++)
		json_array_append_new(array, cta(&selection->cta[i]));
	return array;
}

static json_t *sites(const struct ct_selection *selection)
{
	json_t *array = selection->sites ? json_array() : json_null();

	for (size_t i = 0; i < selection->sites; i++) {
		const struct ct_site_choice *site = &selection->site[i];
		unsigned long long number = site->number;

		json_array_append_new(array, site->file
						 ? json_sprintf("%s:%llu", site->file, number)
						 : json_sprintf("%llu", number));
	}
	return array;
}

json_t *ct_selection_json(const struct ct_selection *selection)
{
	return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o}", "kernels",
			 selection->kernels ? ct_json_text(selection->kernels) : json_null(),
			 "launches", spans(selection->launch, selection->launches), "streams",
			 spans(selection->stream, selection->streams), "objects",
			 objects(selection), "ctas", ctas(selection), "sites", sites(selection));
}
