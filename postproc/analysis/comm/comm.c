/* SPDX-License-Identifier: Apache-2.0 */
/* The communication analysis from the trace to the figures. */
#include "postproc/analysis/comm/comm.h"
#include "postproc/analysis/comm/analysis.h"
#include "postproc/analysis/comm/flows/dense.h"
#include "postproc/analysis/comm/flows/overlap.h"
#include "postproc/facts/counted.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANY_CTAS 10000000u

struct ct_comm {
	struct ct_engine engine;      /* first: both are the job */
	struct ct_filter *everything; /* NULL: the caller has a filter */
	struct ct_trace *trace;       /* of ct_comm_open; NULL: the caller's */
	struct ct_filter *filter;     /* likewise */
};

/* If nothing in it has addresses. */
static int refuse_counts(const struct ct_trace *trace, char *why, size_t why_bytes)
{
	bool has_values = ct_counted_launches_of(trace, "values") > 0;

	if (!ct_counted_launches(trace) || ct_counted_has_others(trace))
		return 0;
	if (why_bytes)
		snprintf(
		    why, why_bytes,
		    "%s: tier %s has no addresses, so nothing is known of communication; see "
		    "ctpost info%s, and ctpost export --tables=trace%s; trace again with ctrun "
		    "--tier=full",
		    ct_trace_directory(trace), ct_counted_tier_of_trace(trace),
		    has_values ? " and ctpost values" : "", has_values ? ",values" : "");
	return -ENODATA;
}

void ct_comm_explain(const struct ct_comm *comm, int err, char *why, size_t why_bytes)
{
	const struct ct_engine *engine = &comm->engine;

	if (err == -ENOMEM && engine->ctas > MANY_CTAS)
		snprintf(
		    why, why_bytes,
		    "%s: out of memory: figures are kept by thread block, and a grid has %llu; "
		    "choose other launches (--launches, --kernels)",
		    ct_trace_directory(engine->trace), (unsigned long long)engine->ctas);
}

/* Rank 0 has what all have brought together. */
static int prepare(struct ct_comm *comm, char *why, size_t why_bytes)
{
	static const struct ct_selection everything;
	struct ct_engine *engine = &comm->engine;
	int err = refuse_counts(engine->trace, why, why_bytes);

	if (err == 0 && !engine->filter) {
		err = ct_filter_open(&comm->everything, engine->trace, &everything);
		engine->filter = comm->everything;
	}
	if (err == 0)
		err = ct_engine_prepare(engine);
	return ct_engine_agree(engine, err);
}

int ct_comm_begin(struct ct_comm **out, struct ct_trace *trace, const struct ct_filter *filter,
		  const struct ct_comm_options *options, char *why, size_t why_bytes)
{
	struct ct_comm *comm = calloc(1, sizeof(*comm));
	int err;

	*out = comm;
	if (!comm)
		return -ENOMEM;
	comm->engine.options = *options;
	comm->engine.trace = trace;
	comm->engine.filter = filter;
	comm->engine.many = options->many_ctas ? options->many_ctas : 64;
	err = prepare(comm, why, why_bytes);
	if (err) {
		ct_comm_explain(comm, err, why, why_bytes);
		ct_comm_close(comm);
		*out = NULL;
	}
	return err;
}

struct ct_task ct_comm_task(struct ct_comm *comm)
{
	return (struct ct_task){&ct_comm_analysis, &comm->engine};
}

static int run_alone(struct ct_comm *comm, char *why)
{
	const struct ct_comm_options *options = &comm->engine.options;
	const struct ct_pass_options pass = {
	    .threads = options->threads,
	    .memory_bytes = options->memory_bytes,
	    .directory = options->directory,
	    .ranks = options->ranks,
	};
	const struct ct_task task = ct_comm_task(comm);
	int err = ct_pass_run(comm->engine.trace, &task, 1, &pass, NULL, why);

	ct_comm_explain(comm, err, why, CT_WHY_BYTES);
	return err;
}

int ct_comm_open(struct ct_comm **out, const char *directory, const struct ct_comm_options *options,
		 char *why)
{
	struct ct_filter *filter = NULL;
	struct ct_trace *trace;
	int err;

	*out = NULL;
	*why = '\0';
	err = ct_trace_open(&trace, directory, why, CT_WHY_BYTES);
	if (err < 0)
		return err;
	if (options->selection)
		err = ct_filter_open(&filter, trace, options->selection);
	if (err == 0 && filter)
		err = ct_filter_check(filter, trace, why, CT_WHY_BYTES);
	if (err == 0)
		err = ct_comm_begin(out, trace, filter, options, why, CT_WHY_BYTES);
	if (err == 0) {
		(*out)->trace = trace;
		(*out)->filter = filter;
		err = run_alone(*out, why);
	} else {
		ct_filter_close(filter);
		ct_trace_close(trace);
	}
	if (err && !*why)
		snprintf(why, CT_WHY_BYTES, "%s: %s", directory, ct_strerror(err));
	if (err) {
		ct_comm_close(*out);
		*out = NULL;
	}
	return err;
}

void ct_comm_close(struct ct_comm *comm)
{
	if (!comm)
		return;
	ct_engine_close_shuffles(&comm->engine);
	ct_engine_release(&comm->engine);
	ct_filter_close(comm->everything);
	ct_filter_close(comm->filter);
	ct_trace_close(comm->trace);
	free(comm);
}

const struct ct_comm_figures *ct_comm_figures(const struct ct_comm *comm)
{
	return &comm->engine.figures;
}

struct ct_trace *ct_comm_trace(struct ct_comm *comm)
{
	return comm->engine.trace;
}

const struct ct_order *ct_comm_order(const struct ct_comm *comm)
{
	return comm->engine.order;
}

const struct ct_filter *ct_comm_filter(const struct ct_comm *comm)
{
	return comm->engine.filter;
}

struct each_transfer {
	const struct ct_engine *engine;
	int (*fn)(void *user, const struct ct_comm_transfer *transfer);
	void *user;
};

static int hand_flow(void *user, const struct ct_flow *flow)
{
	const struct each_transfer *each = user;
	const struct ct_engine *engine = each->engine;
	const struct ct_comm_transfer transfer = {
	    .source_cta = (uint32_t)(flow->ctas >> 32),
	    .source_superstep = (uint32_t)(flow->supersteps >> 32),
	    .target_cta = (uint32_t)flow->ctas,
	    .target_superstep = (uint32_t)flow->supersteps,
	    .bytes = flow->bytes,
	    .loads = flow->loads,
	    .is_rest = ct_dense_bytes(engine, flow->ctas, flow->supersteps) != 0,
	};

	return each->fn(each->user, &transfer);
}

/* Each pair of CTAs of the products between two supersteps, once. */
static int hand_overlap(const struct each_transfer *each, const struct ct_product *product,
			const struct ct_overlap *overlap)
{
	const struct ct_overlap_side *source = &overlap->source, *target = &overlap->target;
	struct ct_comm_transfer transfer = {.source_superstep = product->source,
					    .target_superstep = product->target};
	int err = 0;

	for (uint32_t s = 0; s < source->classes; s++)
		for (uint32_t t = 0; t < target->classes; t++) {
			transfer.bytes = overlap->bytes[(size_t)s * target->classes + t];
			for (uint32_t i = source->first[s];
			     transfer.bytes && i < source->first[s + 1]; i++)
				for (uint32_t j = target->first[t];
				     j < target->first[t + 1] && err == 0; j++) {
					transfer.source_cta = source->cta[i];
					transfer.target_cta = target->cta[j];
					err = each->fn(each->user, &transfer);
				}
		}
	return err;
}

static int hand_products(const struct each_transfer *each)
{
	const struct ct_products *products = each->engine->products;
	int err = 0;

	for (size_t g = 0; g < products->groups && err == 0; g++) {
		const struct ct_product_group *group = &products->group[g];
		struct ct_overlap overlap;

		err = ct_overlap_init(&overlap, products, group);
		if (err == 0)
			err = hand_overlap(each, &products->product[group->first], &overlap);
		ct_overlap_fini(&overlap);
	}
	return err;
}

int ct_comm_each_transfer(struct ct_comm *comm,
			  int (*fn)(void *user, const struct ct_comm_transfer *transfer),
			  void *user)
{
	struct each_transfer each = {&comm->engine, fn, user};
	int err = comm->engine.options.ranks->rank ? 0 : hand_products(&each);

	for (uint32_t p = 0; p < CT_FLOW_PARTITIONS && err == 0; p++)
		if (ct_shuffle_is_mine(comm->engine.flows, p))
			err = ct_flows_each(&comm->engine, p, hand_flow, &each);
	return err;
}

int ct_comm_each_delivery(struct ct_comm *comm,
			  int (*fn)(void *user, const struct ct_comm_delivery *delivery),
			  void *user)
{
	const struct ct_products *products = comm->engine.deliveries;
	int err = 0;

	if (!products || comm->engine.deliveries_cut)
		return -ENODATA;
	for (size_t i = 0; i < products->count && err == 0 && !comm->engine.options.ranks->rank;
	     i++) {
		const struct ct_product *product = &products->product[i];
		const struct ct_cta_set *sources = ct_product_sources(products, product);
		const struct ct_cta_set *targets = ct_product_targets(products, product);
		const struct ct_comm_delivery delivery = {
		    .source_superstep = product->source,
		    .target_superstep = product->target,
		    .source = sources->cta,
		    .target = targets->cta,
		    .sources = sources->count,
		    .targets = targets->count,
		    .bytes = product->bytes,
		};

		err = fn(user, &delivery);
	}
	return err;
}

struct each_cta {
	int (*fn)(void *user, const struct ct_comm_cta *cta);
	void *user;
};

static int hand_volume(void *user, const struct ct_volume *volume)
{
	const struct each_cta *each = user;
	const struct ct_comm_cta cta = {
	    .superstep = (uint32_t)(volume->who >> 32),
	    .cta = (uint32_t)volume->who,
	    .sm = (uint32_t)volume->sm,
	    .load_bytes = volume->load_bytes,
	    .store_bytes = volume->store_bytes,
	    .communicated_load_bytes = volume->communicated_load_bytes,
	    .communicated_store_bytes = volume->communicated_store_bytes,
	};

	return each->fn(each->user, &cta);
}

int ct_comm_each_cta(struct ct_comm *comm, int (*fn)(void *user, const struct ct_comm_cta *cta),
		     void *user)
{
	struct each_cta each = {fn, user};
	int err = 0;

	for (uint32_t p = 0; p < CT_VOLUME_PARTITIONS && err == 0; p++)
		if (ct_shuffle_is_mine(comm->engine.volumes, p))
			err = ct_volumes_each(&comm->engine, p, hand_volume, &each);
	return err;
}
