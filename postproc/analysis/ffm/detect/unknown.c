/* SPDX-License-Identifier: Apache-2.0 */
/* Waits of which it is not known whether they are needed: by call site and reason. */
#include "base/array.h"
#include "postproc/analysis/ffm/detect/detect.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *begins, *how;
} reasons[] = {
#define CT_FFM_REASON(begins, how) {begins, how},
#include "postproc/analysis/ffm/detect/reasons.def"
};

const char *ct_ffm_how_to_know(const char *reason)
{
	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (strncmp(reason, reasons[i].begins, strlen(reasons[i].begins)) == 0)
			return reasons[i].how;
	return NULL;
}

static struct ct_ffm_unknown *unknown_of(struct ct_ffm_study *study, const struct ct_ffm_site *site,
					 const char *reason)
{
	struct ct_ffm_unknown *unknown = study->unknown;

	for (size_t i = 0; i < study->unknowns; i++, unknown++)
		if (unknown->site.stack == site->stack &&
		    strcmp(unknown->site.call, site->call) == 0 &&
		    strcmp(unknown->reason, reason) == 0)
			return unknown;
	if (ct_array_grow(&study->unknown, study->unknowns, sizeof(*study->unknown)) < 0)
		return NULL;
	study->unknown[study->unknowns] = (struct ct_ffm_unknown){.site = *site, .reason = reason};
	return &study->unknown[study->unknowns++];
}

static int compare(const void *a, const void *b)
{
	const struct ct_ffm_unknown *x = a, *y = b;

	if (x->wait_ns != y->wait_ns)
		return x->wait_ns > y->wait_ns ? -1 : 1;
	return x->site.stack < y->site.stack ? -1 : x->site.stack > y->site.stack;
}

static int detect(struct ct_ffm_study *study, struct ct_ffm_process *process)
{
	const struct ct_ffm_graph *graph = &process->program.graph;

	for (size_t i = 0; i < study->unknowns; i++)
		study->unknown[i].own_ns = 0;
	for (uint32_t s = 0; s < graph->steps; s++) {
		const struct ct_ffm_judgement *judgement = &process->judgement[s];
		struct ct_ffm_site site;
		struct ct_ffm_unknown *unknown;

		if (judgement->need != CT_FFM_NOT_KNOWN || !graph->step[s].wait_ns)
			continue;
		site = ct_ffm_site_of(study, process, s);
		unknown = unknown_of(study, &site, judgement->reason ? judgement->reason : "");
		if (!unknown)
			return -ENOMEM;
		unknown->site.count++;
		unknown->own_ns += graph->step[s].wait_ns;
		if (unknown->own_ns > unknown->wait_ns) {
			study->unknown_ns += unknown->own_ns - unknown->wait_ns;
			unknown->wait_ns = unknown->own_ns;
		}
	}
	if (study->unknowns)
		qsort(study->unknown, study->unknowns, sizeof(*study->unknown), compare);
	return 0;
}

const struct ct_ffm_detector ct_ffm_detect_unknown = {"unknown", detect};
