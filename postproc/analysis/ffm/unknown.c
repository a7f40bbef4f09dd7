/* SPDX-License-Identifier: Apache-2.0 */
/* Waits of which it is not known whether they are needed: by call site and reason. */
#include "base/array.h"
#include "base/hash.h"
#include "postproc/analysis/ffm/make_study.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *begins, *how;
} reasons[] = {
#define CT_FFM_REASON(begins, how) {begins, how},
#include "postproc/analysis/ffm/reasons.def"
};

const char *ct_ffm_how_to_know(const char *reason)
{
	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (strncmp(reason, reasons[i].begins, strlen(reasons[i].begins)) == 0)
			return reasons[i].how;
	return NULL;
}

static struct ct_ffm_unknown *unknown_of(struct ct_ffm_study *study, struct ct_map *numbers,
					 uint32_t site, const char *reason)
{
	union ct_map_value *number = ct_map_put(numbers, site, ct_hash_join_string(0, reason));

	if (!number || (!number->number && ct_array_grow(&study->unknown, study->unknowns,
							 sizeof(*study->unknown)) < 0))
		return NULL;
	if (!number->number) {
		study->unknown[study->unknowns] =
		    (struct ct_ffm_unknown){.site = study->site[site], .reason = reason};
		study->unknown[study->unknowns].site.count = 0;
		number->number = ++study->unknowns;
	}
	return &study->unknown[number->number - 1];
}

static int compare(const void *a, const void *b)
{
	const struct ct_ffm_unknown *x = a, *y = b;

	if (x->wait_ns != y->wait_ns)
		return x->wait_ns > y->wait_ns ? -1 : 1;
	return x->site.stack < y->site.stack ? -1 : x->site.stack > y->site.stack;
}

/* Of one process. */
static int add_process(struct ct_ffm_study *study, const struct ct_ffm_process *process,
		       struct ct_map *numbers)
{
	const struct ct_ffm_graph *graph = &process->program.graph;

	for (size_t i = 0; i < study->unknowns; i++)
		study->unknown[i].own_ns = 0;
	for (size_t s = 0; s < graph->steps; s++) {
		const struct ct_ffm_judgement *judgement = &process->judgement[s];
		struct ct_ffm_unknown *unknown;

		if (judgement->need != CT_FFM_NOT_KNOWN || !graph->step[s].wait_ns)
			continue;
		unknown = unknown_of(study, numbers, process->site[s],
				     judgement->reason ? judgement->reason : "");
		if (!unknown)
			return -ENOMEM;
		unknown->site.count++;
		unknown->own_ns += graph->step[s].wait_ns;
		if (unknown->own_ns > unknown->wait_ns)
			unknown->wait_ns = unknown->own_ns;
	}
	return 0;
}

int ct_ffm_list_unknown(struct ct_ffm_study *study)
{
	struct ct_map numbers = {0};
	int err = 0;

	for (size_t i = 0; i < study->processes && err == 0; i++)
		err = add_process(study, &study->process[i], &numbers);
	if (study->unknowns)
		qsort(study->unknown, study->unknowns, sizeof(*study->unknown), compare);
	for (size_t i = 0; i < study->unknowns; i++)
		study->unknown_ns += study->unknown[i].wait_ns;
	ct_map_fini(&numbers);
	return err;
}
