/* SPDX-License-Identifier: Apache-2.0 */
/* Compare the figures that are not by kernel, line or object. */
#include "tests/comm/agree.h"

#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>

static regex_t only, except;
static bool has_only, has_except;

void agree_about(const char *only_text, const char *except_text)
{
	has_only = only_text != NULL;
	has_except = except_text != NULL;
	if ((has_only && regcomp(&only, only_text, REG_EXTENDED | REG_NOSUB)) ||
	    (has_except && regcomp(&except, except_text, REG_EXTENDED | REG_NOSUB))) {
		fprintf(stderr, "not a regular expression\n");
		exit(2);
	}
}

void disagree(struct disagreement *found, const char *figure, double expected, double got)
{
	int n;

	if ((has_only && regexec(&only, figure, 0, NULL, 0)) ||
	    (has_except && !regexec(&except, figure, 0, NULL, 0)))
		return;
	found->count++;
	if (found->used + 200 > sizeof(found->text))
		return;
	n = snprintf(found->text + found->used, sizeof(found->text) - found->used,
		     "  %.140s: expected %.17g, got %.17g\n", figure, expected, got);
	found->used += n > 0 ? (size_t)n : 0;
}

static void same(struct disagreement *found, const char *figure, uint64_t expected, uint64_t got)
{
	if (expected != got)
		disagree(found, figure, (double)expected, (double)got);
}

static void close_to(struct disagreement *found, const char *figure, double expected, double got)
{
	if (!(fabs(expected - got) <= 1e-9 * fmax(1, fabs(expected))))
		disagree(found, figure, expected, got);
}

static void agree_volume(const struct ct_comm_volume *expected, const struct ct_comm_volume *got,
			 struct disagreement *found)
{
#define FIELD(field) same(found, "volume." #field, expected->field, got->field)
	FIELD(load_bytes);
	FIELD(store_bytes);
	FIELD(communicated_load_bytes);
	FIELD(communicated_store_bytes);
	FIELD(exchanged_store_bytes);
	FIELD(transfers);
	FIELD(transferred_bytes);
	FIELD(self_transfers);
	FIELD(self_bytes);
	FIELD(others_load_bytes);
	FIELD(others_store_bytes);
	FIELD(from_host_bytes);
	FIELD(to_host_bytes);
	FIELD(unwritten_bytes);
	FIELD(unordered_bytes);
	FIELD(same_superstep_bytes);
	FIELD(same_superstep_atomic_bytes);
#undef FIELD
}

static void agree_step(const struct ct_comm_superstep *expected,
		       const struct ct_comm_superstep *got, uint32_t s, struct disagreement *found)
{
	char name[64];

#define FIELD(field)                                                                               \
	snprintf(name, sizeof(name), "superstep[%u]." #field, s);                                  \
	same(found, name, expected->field, got->field)
	FIELD(load_bytes);
	FIELD(store_bytes);
	FIELD(communicated_load_bytes);
	FIELD(communicated_store_bytes);
	FIELD(others_load_bytes);
	FIELD(others_store_bytes);
	FIELD(received_bytes);
	FIELD(sent_bytes);
	FIELD(self_received_bytes);
	FIELD(self_sent_bytes);
	FIELD(from_host_bytes);
	FIELD(to_host_bytes);
	FIELD(passes);
#undef FIELD
#define FIELD(field)                                                                               \
	snprintf(name, sizeof(name), "superstep[%u]." #field, s);                                  \
	close_to(found, name, expected->field, got->field)
	FIELD(out_degree_mean);
	FIELD(out_degree_sd);
	FIELD(in_degree_mean);
	FIELD(in_degree_sd);
#undef FIELD
}

static void agree_cta(const struct ct_comm_cta_figures *expected,
		      const struct ct_comm_cta_figures *got, uint64_t c, bool with_stores,
		      struct disagreement *found)
{
	char name[64];

#define FIELD(field)                                                                               \
	snprintf(name, sizeof(name), "cta[%llu]." #field, (unsigned long long)c);                  \
	same(found, name, expected->field, got->field)
	FIELD(in_degree);
	FIELD(out_degree);
	FIELD(received_bytes);
	FIELD(sent_bytes);
	FIELD(self_bytes);
	FIELD(load_strides);
	FIELD(load_stride_sum);
	FIELD(load_stride_max);
	if (!with_stores)
		return;
	FIELD(store_strides);
	FIELD(store_stride_sum);
	FIELD(store_stride_max);
#undef FIELD
}

static uint64_t count_at(const struct ct_comm_histogram *histogram, uint64_t key)
{
	for (size_t i = 0; i < histogram->count; i++)
		if (histogram->entry[i].key == key)
			return histogram->entry[i].count;
	return 0;
}

static void agree_histogram(const char *figure, const struct ct_comm_histogram *expected,
			    const struct ct_comm_histogram *got, struct disagreement *found)
{
	char name[100];

	snprintf(name, sizeof(name), "%s: entries", figure);
	same(found, name, expected->count, got->count);
	for (size_t i = 0; i < expected->count; i++) {
		snprintf(name, sizeof(name), "%s[%llu]", figure,
			 (unsigned long long)expected->entry[i].key);
		same(found, name, expected->entry[i].count, count_at(got, expected->entry[i].key));
	}
	snprintf(name, sizeof(name), "%s: order", figure);
	for (size_t i = 1; i < got->count; i++)
		same(found, name, 1, got->entry[i - 1].key < got->entry[i].key);
}

static void agree_density(const struct ct_comm_density *expected, const struct ct_comm_density *got,
			  struct disagreement *found)
{
	same(found, "density.first_cta", expected->first_cta, got->first_cta);
	same(found, "density.last_cta", expected->last_cta, got->last_cta);
	same(found, "density.ctas_per_bin", expected->ctas_per_bin, got->ctas_per_bin);
	same(found, "density.cells", expected->cells, got->cells);
	for (uint32_t i = 0; i < expected->bins && i < got->bins; i++) {
		same(found, "density: self transfers", expected->self[i][0], got->self[i][0]);
		same(found, "density: self bytes", expected->self[i][1], got->self[i][1]);
	}
	for (size_t i = 0; i < expected->cells && i < got->cells; i++) {
		const struct ct_comm_cell *a = &expected->cell[i], *b = &got->cell[i];

		same(found, "density: source", a->source, b->source);
		same(found, "density: target", a->target, b->target);
		same(found, "density: transfers", a->transfers, b->transfers);
		same(found, "density: bytes", a->bytes, b->bytes);
	}
}

void agree_figures(const struct reference *reference, const struct ct_comm_figures *got,
		   struct disagreement *found)
{
	static const char *const name[] = {"bisection.x", "bisection.y", "bisection.z"};
	const struct ct_comm_figures *expected = &reference->figures;

	agree_volume(&expected->volume, &got->volume, found);
	same(found, "launches", expected->launches, got->launches);
	same(found, "traced launches", expected->traced_launches, got->traced_launches);
	same(found, "supersteps", expected->supersteps, got->supersteps);
	same(found, "ctas", expected->ctas, got->ctas);
	for (uint32_t s = 0; s < expected->supersteps && s < got->supersteps; s++)
		agree_step(&expected->of_superstep[s], &got->of_superstep[s], s, found);
	for (uint64_t c = 0; c < expected->ctas && c < got->ctas; c++)
		agree_cta(&expected->cta[c], &got->cta[c], c, !reference->has_other_sites, found);
	agree_histogram("transfer_size", &expected->transfer_size, &got->transfer_size, found);
	agree_histogram("distance", &expected->distance, &got->distance, found);
	agree_histogram("self_size", &expected->self_size, &got->self_size, found);
	agree_histogram("self_distance", &expected->self_distance, &got->self_distance, found);
	agree_histogram("in_degree", &expected->in_degree, &got->in_degree, found);
	agree_histogram("out_degree", &expected->out_degree, &got->out_degree, found);
	agree_histogram("load_stride", &expected->load_stride, &got->load_stride, found);
	if (!reference->has_other_sites)
		agree_histogram("store_stride", &expected->store_stride, &got->store_stride, found);
	for (int d = 0; d < 3; d++) {
		same(found, name[d], expected->bisection[d].bytes, got->bisection[d].bytes);
		close_to(found, name[d], expected->bisection[d].relative,
			 got->bisection[d].relative);
	}
	agree_density(&expected->density, &got->density, found);
}
