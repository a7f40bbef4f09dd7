/* SPDX-License-Identifier: Apache-2.0 */
/* Holds what stands out in a trace. */
#include "postproc/facts/finding.h"
#include "base/array.h"
#include "postproc/facts/place.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ct_findings_fini(struct ct_findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		free(findings->list[i].text);
		free(findings->list[i].evidence);
		free(findings->list[i].fix);
	}
	free(findings->list);
	memset(findings, 0, sizeof(*findings));
}

static void set_text(struct ct_findings *findings, char **text, const char *format, va_list values)
{
	free(*text);
	if (vasprintf(text, format, values) >= 0)
		return;
	*text = NULL;
	findings->err = -ENOMEM;
}

void ct_findings_add(struct ct_findings *findings, const struct ct_finding *like,
		     const char *format, ...)
{
	struct ct_finding *finding;
	va_list values;

	if (findings->err)
		return;
	findings->err = ct_array_grow(&findings->list, findings->count, sizeof(*findings->list));
	if (findings->err)
		return;
	finding = &findings->list[findings->count];
	*finding = *like;
	va_start(values, format);
	set_text(findings, &finding->text, format, values);
	va_end(values);
	findings->count += finding->text != NULL;
}

/* The one added last; NULL if adding has failed. */
static struct ct_finding *last(struct ct_findings *findings)
{
	return findings->err ? NULL : &findings->list[findings->count - 1];
}

void ct_findings_fix(struct ct_findings *findings, const char *format, ...)
{
	struct ct_finding *finding = last(findings);
	va_list values;

	if (!finding)
		return;
	va_start(values, format);
	set_text(findings, &finding->fix, format, values);
	va_end(values);
}

void ct_findings_because(struct ct_findings *findings, const char *format, ...)
{
	struct ct_finding *finding = last(findings);
	va_list values;

	if (!finding)
		return;
	va_start(values, format);
	set_text(findings, &finding->evidence, format, values);
	va_end(values);
}

void ct_findings_at_site(struct ct_findings *findings, const struct ct_unit *unit, uint32_t site)
{
	struct ct_finding *finding = last(findings);

	if (finding && finding->sites < CT_FINDING_PLACES_MAX && unit &&
	    site < unit->header->site_count)
		finding->site[finding->sites++] = (struct ct_finding_site){unit, site};
}

void ct_findings_at_object(struct ct_findings *findings, const struct ct_object_info *object)
{
	struct ct_finding *finding = last(findings);

	if (finding && finding->objects < CT_FINDING_PLACES_MAX && object)
		finding->object[finding->objects++] = object;
}

void ct_findings_at_launch(struct ct_findings *findings, const struct ct_launch_info *launch)
{
	struct ct_finding *finding = last(findings);

	if (finding && finding->launches < CT_FINDING_PLACES_MAX && launch)
		finding->launch[finding->launches++] = launch;
}

void ct_findings_at_kernel(struct ct_findings *findings, const char *kernel)
{
	struct ct_finding *finding = last(findings);

	if (finding && finding->kernels < CT_FINDING_PLACES_MAX)
		finding->kernel[finding->kernels++] = kernel;
}

static bool is_foreign_kernel(const struct ct_trace *trace, const char *kernel)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches);

	for (size_t i = 0; i < count; i++) {
		const struct ct_unit *unit = launches[i].unit;

		if (unit && launches[i].kernel_index != CT_NONE &&
		    !strcmp(launches[i].kernel, kernel))
			return ct_place_is_foreign(
			    ct_unit_string(unit, unit->kernels[launches[i].kernel_index].file));
	}
	return false;
}

static bool is_foreign(const struct ct_finding *finding, const struct ct_trace *trace)
{
	const struct ct_finding_site *at = &finding->site[0];

	if (finding->kind != CT_FINDING_RESULT || !finding->fix)
		return false;
	if (finding->sites)
		return ct_place_is_foreign(ct_place_of(at->unit, &at->unit->sites[at->site]).file);
	return finding->kernels && is_foreign_kernel(trace, finding->kernel[0]);
}

void ct_findings_leave_foreign(struct ct_findings *findings, const struct ct_trace *trace)
{
	size_t left = 0;

	for (size_t i = 0; i < findings->count; i++) {
		struct ct_finding *finding = &findings->list[i];

		if (!is_foreign(finding, trace)) {
			findings->list[left++] = *finding;
			continue;
		}
		free(finding->text);
		free(finding->evidence);
		free(finding->fix);
	}
	findings->count = left;
}

static const struct {
	const char *text, *title;
	enum ct_finding_id wider;
} ids[] = {
#define CT_FINDING_ID(ID, id, title, WIDER) [CT_ID_##ID] = {id, title, CT_ID_##WIDER},
#include "postproc/facts/finding.def"
};

const char *ct_finding_id_text(enum ct_finding_id id)
{
	return ids[id].text;
}

const char *ct_finding_id_title(enum ct_finding_id id)
{
	return ids[id].title;
}

enum ct_finding_id ct_finding_id_wider(enum ct_finding_id id)
{
	return ids[id].wider;
}

enum ct_finding_id ct_finding_id_find(const char *text)
{
	enum ct_finding_id id = 0;

	while (id < CT_IDS && strcmp(ids[id].text, text) != 0)
		id++;
	return id;
}

const char *ct_finding_kind_text(enum ct_finding_kind kind)
{
	static const char *const text[] = {"limit", "problem", "result", "note"};

	return text[kind];
}
