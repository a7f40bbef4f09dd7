/* SPDX-License-Identifier: Apache-2.0 */
/* Weights, added up by kernel and by line. */
#include "postproc/analysis/samples/samples.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/map.h"
#include "postproc/facts/place.h"
#include "postproc/facts/source_name.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct sums {
	struct ct_samples_study *study;
	struct ct_map kernel_of; /* of a symbol's address: 1 + number */
	struct ct_map line_of;   /* (kernel, file and line): 1 + number */
};

static int init_sum(const struct ct_samples_study *study, struct ct_samples_sum *sum)
{
	sum->by_reason = calloc(study->weights.reason_count + 1, sizeof(*sum->by_reason));
	return sum->by_reason ? 0 : -ENOMEM;
}

static int init_line(const struct ct_samples_study *study, struct ct_samples_line *line)
{
	line->waited_by_reason =
	    calloc(study->weights.reason_count + 1, sizeof(*line->waited_by_reason));
	if (!line->waited_by_reason || init_sum(study, &line->sum) < 0) {
		free(line->waited_by_reason);
		return -ENOMEM;
	}
	if (!line->line)
		line->file = line->function = "";
	return 0;
}

static void add(struct ct_samples_sum *sum, const struct ct_weight *weight)
{
	sum->samples += weight->weight;
	sum->latency += weight->latency;
	if (weight->reason != CT_WEIGHT_NONE)
		sum->by_reason[weight->reason] += weight->weight;
}

/* Names of weights are each at one address. */
static int kernel_at(struct sums *sums, const char *symbol, size_t *number)
{
	struct ct_samples_study *study = sums->study;
	struct ct_samples_kernel kernel = {.symbol = symbol};
	union ct_map_value *known = ct_map_put(&sums->kernel_of, (uintptr_t)symbol, 0);

	if (!known)
		return -ENOMEM;
	*number = known->number - 1;
	if (known->number)
		return 0;
	if (ct_array_grow(&study->kernels, study->kernel_count, sizeof(kernel)) < 0)
		return -ENOMEM;
	kernel.name = ct_source_name(symbol);
	if (!kernel.name || init_sum(study, &kernel.sum) < 0) {
		free(kernel.name);
		return -ENOMEM;
	}
	*number = study->kernel_count;
	study->kernels[study->kernel_count++] = kernel;
	known->number = study->kernel_count;
	return 0;
}

static int line_at(struct sums *sums, size_t number, uint32_t place, struct ct_samples_line **out)
{
	static const struct ct_weight_place nowhere = {.function = "", .file = ""};
	struct ct_samples_study *study = sums->study;
	struct ct_samples_kernel *kernel = &study->kernels[number];
	uint32_t own = ct_place_own(study->weights.places, place);
	const struct ct_weight_place *at =
	    own == CT_WEIGHT_NONE ? &nowhere : &study->weights.places[own];
	struct ct_samples_line line = {
	    .function = at->function, .file = at->file, .line = at->line};
	union ct_map_value *known =
	    ct_map_put(&sums->line_of, number,
		       ct_hash_join_string(ct_hash_join(0, at->line), at->line ? at->file : ""));

	if (!known)
		return -ENOMEM;
	if (!known->number) {
		if (ct_array_grow(&kernel->lines, kernel->line_count, sizeof(line)) < 0 ||
		    init_line(study, &line) < 0)
			return -ENOMEM;
		kernel->lines[kernel->line_count++] = line;
		known->number = kernel->line_count;
	}
	*out = &kernel->lines[known->number - 1];
	return 0;
}

static int add_weights(struct sums *sums)
{
	const struct ct_weights *weights = &sums->study->weights;
	struct ct_samples_line *line;
	size_t kernel;
	int err = 0;

	for (size_t i = 0; i < weights->count && err == 0; i++) {
		err = kernel_at(sums, weights->list[i].kernel, &kernel);
		if (err == 0)
			err = line_at(sums, kernel, weights->list[i].place, &line);
		if (err < 0)
			break;
		add(&sums->study->kernels[kernel].sum, &weights->list[i]);
		add(&line->sum, &weights->list[i]);
	}
	for (size_t i = 0; i < weights->wait_count && err == 0; i++) {
		err = kernel_at(sums, weights->waits[i].kernel, &kernel);
		if (err == 0)
			err = line_at(sums, kernel, weights->waits[i].producer, &line);
		if (err < 0)
			break;
		line->waited += weights->waits[i].weight;
		line->waited_by_reason[weights->waits[i].reason] += weights->waits[i].weight;
	}
	return err;
}

static int by_samples(const void *a, const void *b)
{
	const struct ct_samples_kernel *x = a, *y = b;

	if (x->sum.samples != y->sum.samples)
		return x->sum.samples < y->sum.samples ? 1 : -1;
	return strcmp(x->symbol, y->symbol);
}

static int by_weight(const void *a, const void *b)
{
	const struct ct_samples_line *x = a, *y = b;

	if (x->sum.samples != y->sum.samples)
		return x->sum.samples < y->sum.samples ? 1 : -1;
	if (x->waited != y->waited)
		return x->waited < y->waited ? 1 : -1;
	return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
				  : strcmp(x->file, y->file);
}

int ct_samples_study_init(struct ct_samples_study *study, struct ct_trace *trace,
			  const struct ct_filter *filter)
{
	struct sums sums = {.study = study};
	int err;

	*study = (struct ct_samples_study){.kernel_count = 0};
	err = ct_weigh_samples(&study->weights, &study->facts, trace, filter);
	if (err == 0)
		err = add_weights(&sums);
	ct_map_fini(&sums.kernel_of);
	ct_map_fini(&sums.line_of);
	if (study->kernel_count)
		qsort(study->kernels, study->kernel_count, sizeof(*study->kernels), by_samples);
	for (size_t i = 0; i < study->kernel_count; i++)
		if (study->kernels[i].line_count)
			qsort(study->kernels[i].lines, study->kernels[i].line_count,
			      sizeof(*study->kernels[i].lines), by_weight);
	return err;
}

void ct_samples_study_fini(struct ct_samples_study *study)
{
	for (size_t i = 0; i < study->kernel_count; i++) {
		struct ct_samples_kernel *kernel = &study->kernels[i];

		for (size_t j = 0; j < kernel->line_count; j++) {
			free(kernel->lines[j].sum.by_reason);
			free(kernel->lines[j].waited_by_reason);
		}
		free(kernel->lines);
		free(kernel->sum.by_reason);
		free(kernel->name);
	}
	free(study->kernels);
	ct_weights_close(&study->weights);
}

uint32_t ct_samples_top_reason(const struct ct_samples_study *study,
			       const struct ct_samples_sum *sum)
{
	uint32_t top = CT_WEIGHT_NONE;

	for (uint32_t i = 0; i < study->weights.reason_count; i++)
		if (sum->by_reason[i] &&
		    (top == CT_WEIGHT_NONE || sum->by_reason[i] > sum->by_reason[top]))
			top = i;
	return top;
}

bool ct_samples_is_stall(const char *reason)
{
	return strcmp(reason, "selected") != 0 && strcmp(reason, "not_selected") != 0;
}

const char *ct_samples_reason_text(const char *reason, char buffer[CT_REASON_BYTES])
{
	size_t i = 0;

	for (; reason[i] && i < CT_REASON_BYTES - 1; i++)
		buffer[i] = reason[i] == '_' ? ' ' : reason[i];
	buffer[i] = '\0';
	return buffer;
}
