/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comm-reference [OPTION]... TRACE: the figures of the naive analysis, in
 * what figures.jq makes of `ctpost comm --json`, as far as tests look at it. Options: --self,
 * --kernels,
 * --launches=N-M, --stream and --object as there, and --speed: how many
 * accesses of threads there are and how long they took.
 */
#include "tests/comm/reference.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static json_t *number(uint64_t value)
{
	return json_integer((json_int_t)value);
}

static json_t *volumes(uint64_t loads, uint64_t stores, uint64_t communicated_loads,
		       uint64_t communicated_stores)
{
	return json_pack("{s:o, s:o, s:o, s:o}", "load_bytes", number(loads), "store_bytes",
			 number(stores), "communicated_load_bytes", number(communicated_loads),
			 "communicated_store_bytes", number(communicated_stores));
}

static json_t *volume(const struct ct_comm_volume *v)
{
	json_t *object = volumes(v->load_bytes, v->store_bytes, v->communicated_load_bytes,
				 v->communicated_store_bytes);
	double part =
	    v->store_bytes ? (double)v->communicated_store_bytes / (double)v->store_bytes : 0;

	json_object_set_new(object, "communicated_bytes", number(v->communicated_store_bytes));
	json_object_set_new(object, "fraction", json_real(part));
	json_object_set_new(object, "transfers", number(v->transfers));
	json_object_set_new(object, "transferred_bytes", number(v->transferred_bytes));
	json_object_set_new(object, "self_transfers", number(v->self_transfers));
	json_object_set_new(object, "self_bytes", number(v->self_bytes));
	json_object_set_new(object, "unwritten_bytes", number(v->unwritten_bytes));
	return object;
}

/* {"key": count} */
static json_t *histogram(const struct ct_comm_histogram *histogram)
{
	json_t *object = json_object();
	char key[32];

	for (size_t i = 0; i < histogram->count; i++) {
		snprintf(key, sizeof(key), "%llu", (unsigned long long)histogram->entry[i].key);
		json_object_set_new(object, key, number(histogram->entry[i].count));
	}
	return object;
}

static json_t *cdf(const struct ct_comm_figures *figures)
{
	json_t *array = json_array();
	uint64_t sum = 0;

	for (size_t i = 0; i < figures->transfer_size.count; i++) {
		sum += figures->transfer_size.entry[i].count;
		json_array_append_new(
		    array,
		    json_pack("{s:o, s:f}", "bytes", number(figures->transfer_size.entry[i].key),
			      "cumulative", (double)sum / (double)figures->volume.transfers));
	}
	return array;
}

static json_t *bisection(const struct ct_comm_figures *figures)
{
	static const char *const name[] = {"x", "y", "z"};
	json_t *object = json_object();

	for (int d = 0; d < 3; d++)
		json_object_set_new(object, name[d],
				    json_pack("{s:o, s:f}", "bytes",
					      number(figures->bisection[d].bytes), "relative",
					      figures->bisection[d].relative));
	return object;
}

static json_t *supersteps(const struct reference *r)
{
	json_t *array = json_array();

	for (uint32_t s = 0; s < r->figures.supersteps; s++) {
		const struct ct_comm_superstep *step = &r->figures.of_superstep[s];
		const struct ct_launch_info *launch = before_step(&r->before, s)->launch;
		json_t *object;

		if (!launch || !r->passes[s])
			continue;
		object = volumes(step->load_bytes, step->store_bytes, step->communicated_load_bytes,
				 step->communicated_store_bytes);
		json_object_set_new(object, "launch", number(launch->event->launch));
		json_object_set_new(object, "received_bytes", number(step->received_bytes));
		json_object_set_new(object, "sent_bytes", number(step->sent_bytes));
		json_object_set_new(object, "from_host_bytes", number(step->from_host_bytes));
		json_object_set_new(object, "level", number(r->before.level[s]));
		json_object_set_new(object, "out_degree_mean", json_real(step->out_degree_mean));
		json_object_set_new(object, "out_degree_sd", json_real(step->out_degree_sd));
		json_object_set_new(object, "in_degree_mean", json_real(step->in_degree_mean));
		json_object_set_new(object, "in_degree_sd", json_real(step->in_degree_sd));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *density(const struct ct_comm_density *density)
{
	json_t *cells = json_array();

	for (size_t i = 0; i < density->cells; i++)
		json_array_append_new(cells, json_pack("[i, i, o, o]", (int)density->cell[i].source,
						       (int)density->cell[i].target,
						       number(density->cell[i].transfers),
						       number(density->cell[i].bytes)));
	return json_pack("{s:o, s:o, s:o, s:o}", "first_cta", number(density->first_cta),
			 "last_cta", number(density->last_cta), "ctas_per_bin",
			 number(density->ctas_per_bin), "cells", cells);
}

static int by_falling_bytes(const void *a, const void *b)
{
	const struct ct_comm_kernel_pair *x = a, *y = b;

	return (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

static json_t *kernel_pairs(const struct ct_comm_figures *f)
{
	json_t *array = json_array();

	qsort(f->kernel_pair, f->kernel_pairs, sizeof(*f->kernel_pair), by_falling_bytes);
	for (size_t i = 0; i < f->kernel_pairs; i++) {
		const struct ct_comm_kernel_pair *p = &f->kernel_pair[i];
		json_t *pair = json_pack("{s:s, s:s}", "source", f->kernel[p->source].name,
					 "target", f->kernel[p->target].name);

		json_object_set_new(pair, "transfers", number(p->transfers));
		json_object_set_new(pair, "bytes", number(p->bytes));
		json_object_set_new(pair, "self_bytes", number(p->self_bytes));
		json_object_set_new(pair, "distinct_bytes", number(p->distinct_bytes));
		json_object_set_new(pair, "sources", number(p->sources));
		json_object_set_new(pair, "targets", number(p->targets));
		json_object_set_new(pair, "partners", number(p->partners));
		json_object_set_new(pair, "out_degree_max", number(p->out_degree_max));
		json_object_set_new(pair, "in_degree_max", number(p->in_degree_max));
		json_object_set_new(pair, "source_ctas", number(p->source_ctas));
		json_object_set_new(pair, "target_ctas", number(p->target_ctas));
		json_array_append_new(array, pair);
	}
	return array;
}

static json_t *kernels(const struct ct_comm_figures *f)
{
	json_t *array = json_array();

	for (size_t i = 0; i < f->kernels; i++) {
		const struct ct_comm_kernel *k = &f->kernel[i];
		json_t *kernel = volumes(k->load_bytes, k->store_bytes, k->communicated_load_bytes,
					 k->communicated_store_bytes);

		json_object_set_new(kernel, "kernel", json_string(k->name));
		json_object_set_new(kernel, "launches", number(k->launches));
		json_array_append_new(array, kernel);
	}
	return array;
}

static json_t *transfers(const struct reference *r)
{
	json_t *array = json_array();

	for (size_t i = 0; i < r->transfers.count; i++) {
		const struct bag_entry *entry = &r->transfers.entry[i];

		json_array_append_new(
		    array, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "source_superstep",
				     number(entry->key[0]), "source_cta", number(entry->key[1]),
				     "target_superstep", number(entry->key[2]), "target_cta",
				     number(entry->key[3]), "bytes", number(entry->value[0]),
				     "loads", number(entry->value[1])));
	}
	return array;
}

static json_t *all(const struct reference *r)
{
	const struct ct_comm_figures *f = &r->figures;
	json_t *object = json_object();

	json_object_set_new(object, "volume", volume(&f->volume));
	json_object_set_new(object, "host",
			    json_pack("{s:o, s:o}", "from_host_bytes",
				      number(f->volume.from_host_bytes), "to_host_bytes",
				      number(f->volume.to_host_bytes)));
	json_object_set_new(object, "unordered",
			    json_pack("{s:o, s:o}", "bytes", number(f->volume.unordered_bytes),
				      "same_superstep_bytes",
				      number(f->volume.same_superstep_bytes)));
	json_object_set_new(object, "transfer_size_cdf", cdf(f));
	json_object_set_new(object, "degree",
			    json_pack("{s:{s:o}, s:{s:o}}", "in", "histogram",
				      histogram(&f->in_degree), "out", "histogram",
				      histogram(&f->out_degree)));
	json_object_set_new(object, "bisection", bisection(f));
	json_object_set_new(object, "superstep_distance", histogram(&f->distance));
	json_object_set_new(object, "supersteps", supersteps(r));
	json_object_set_new(object, "strides",
			    json_pack("{s:o, s:o}", "load", histogram(&f->load_stride), "store",
				      histogram(&f->store_stride)));
	json_object_set_new(object, "density", density(&f->density));
	json_object_set_new(object, "kernel_pairs", kernel_pairs(f));
	json_object_set_new(object, "kernels", kernels(f));
	json_object_set_new(object, "transfers", transfers(r));
	return object;
}

static bool take_option(struct ct_comm_options *options, struct ct_selection *selection,
			char *argument)
{
	static struct ct_id_span stream, launches;
	static char *object;
	unsigned long long first, last;

	options->selection = selection;
	if (strcmp(argument, "--self") == 0) {
		options->self = true;
	} else if (strncmp(argument, "--kernels=", 10) == 0) {
		selection->kernels = argument + 10;
	} else if (strncmp(argument, "--object=", 9) == 0) {
		object = argument + 9;
		selection->object = &object;
		selection->objects = 1;
	} else if (sscanf(argument, "--stream=%llu", &first) == 1) {
		stream = (struct ct_id_span){first, first};
		selection->stream = &stream;
		selection->streams = 1;
	} else if (sscanf(argument, "--launches=%llu-%llu", &first, &last) == 2) {
		launches = (struct ct_id_span){first, last};
		selection->launch = &launches;
		selection->launches = 1;
	} else {
		return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	struct ct_comm_options options = {0};
	struct ct_selection selection = {.kernels = NULL};
	struct reference reference;
	const char *trace = NULL;
	bool speed = false;
	clock_t start = clock();
	char why[512];

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--speed") == 0)
			speed = true;
		else if (!take_option(&options, &selection, argv[i]))
			trace = argv[i];
	}
	if (!trace) {
		fprintf(stderr, "usage: comm-reference [OPTION]... TRACE\n");
		return 2;
	}
	if (reference_open(&reference, trace, &options, why, sizeof(why)) < 0) {
		fprintf(stderr, "comm-reference: %s\n", why);
		return 1;
	}
	if (speed) {
		printf("%zu %.6f\n", reference.touches.count,
		       (double)(clock() - start) / CLOCKS_PER_SEC);
	} else {
		json_t *object = all(&reference);

		json_dumpf(object, stdout, JSON_INDENT(1));
		puts("");
		json_decref(object);
	}
	reference_close(&reference);
	return 0;
}
