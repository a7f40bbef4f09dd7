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
	struct ct_engine engine;
	struct ct_comm_figures figures;
	bool has_figures;
};

static void count_losses(struct ct_comm *comm)
{
	const struct ct_loss_info *losses;
	size_t count = ct_trace_losses(comm->engine.trace, &losses);

	for (size_t i = 0; i < count; i++)
		comm->figures.lost_chunks +=
		    losses[i].event->chunks == UINT64_MAX ? 1 : losses[i].event->chunks;
}

/* If nothing in it has addresses. */
static int refuse_counts(const struct ct_engine *engine, char *why, size_t why_bytes)
{
	bool has_values = ct_counted_launches_of(engine->trace, "values") > 0;

	if (!ct_counted_launches(engine->trace) || ct_counted_has_others(engine->trace))
		return 0;
	if (why_bytes)
		snprintf(
		    why, why_bytes,
		    "%s: tier %s has no addresses, so nothing is known of communication; see "
		    "ctpost info%s, and ctpost export --tables=trace%s; trace again with ctrun "
		    "--tier=full",
		    engine->directory, ct_counted_tier_of_trace(engine->trace),
		    has_values ? " and ctpost values" : "", has_values ? ",values" : "");
	return -ENODATA;
}

/* What a failure comes from, if nothing better is known. */
static int explain(const struct ct_comm *comm, int err, char *why, size_t why_bytes)
{
	const struct ct_engine *engine = &comm->engine;

	if (err == -ENOMEM && engine->ctas > MANY_CTAS && why_bytes)
		snprintf(why, why_bytes,
			 "%s: out of memory: figures are kept by CTA, and a grid has %llu; "
			 "choose other launches (--launches, --kernels)",
			 engine->directory, (unsigned long long)engine->ctas);
	if (err && why_bytes && !*why)
		snprintf(why, why_bytes, "%s: %s", engine->directory, ct_strerror(err));
	return err;
}

static int prepare(struct ct_engine *engine, char *why, size_t why_bytes)
{
	int err = ct_trace_open(&engine->trace, engine->directory, why, why_bytes);

	if (err == 0 && engine->options.name_objects)
		err = engine->options.name_objects(engine->trace);
	if (err == 0)
		err = refuse_counts(engine, why, why_bytes);
	if (err == 0)
		err = ct_engine_prepare(engine, why, why_bytes);
	return ct_engine_agree(engine, err);
}

int ct_comm_prepare(struct ct_comm **out, const char *directory,
		    const struct ct_comm_options *options, char *why, size_t why_bytes)
{
	struct ct_comm *comm = calloc(1, sizeof(*comm));
	int err;

	*out = NULL;
	if (why_bytes)
		*why = '\0';
	if (!comm)
		return -ENOMEM;
	comm->engine.options = *options;
	comm->engine.directory = directory;
	comm->engine.many = options->many_ctas ? options->many_ctas : 64;
	err = explain(comm, prepare(&comm->engine, why, why_bytes), why, why_bytes);
	if (err)
		ct_comm_close(comm);
	else
		*out = comm;
	return err;
}

static int make_figures(struct ct_comm *comm)
{
	struct ct_engine *engine = &comm->engine;
	int err;

	ct_shuffle_close(engine->touches);
	ct_shuffle_close(engine->runs);
	engine->touches = engine->runs = NULL;
	err = ct_figures_make(&comm->figures, engine);
	comm->has_figures = true;
	if (err == 0)
		count_losses(comm);
	return ct_engine_agree(engine, err);
}

int ct_comm_run(struct ct_comm *comm, const struct ct_task *beside, size_t count, char *why,
		size_t why_bytes)
{
	const struct ct_comm_options *options = &comm->engine.options;
	const struct ct_pass_options pass = {
	    .threads = options->threads,
	    .memory_bytes = options->memory_bytes,
	    .directory = options->directory,
	    .ranks = options->ranks,
	    .progress = options->progress,
	    .user = options->user,
	};
	struct ct_task *task = calloc(count + 1, sizeof(*task));
	char reason[CT_WHY_BYTES] = "";
	int err = ct_engine_agree(&comm->engine, task ? 0 : -ENOMEM);

	if (err == 0) {
		task[0] = (struct ct_task){&ct_comm_analysis, &comm->engine};
		for (size_t i = 0; i < count; i++)
			task[1 + i] = beside[i];
		err = ct_pass_run(comm->engine.trace, task, count + 1, &pass, NULL, reason);
	}
	free(task);
	if (err == 0)
		err = make_figures(comm);
	if (why_bytes)
		snprintf(why, why_bytes, "%s", reason);
	return explain(comm, err, why, why_bytes);
}

int ct_comm_open(struct ct_comm **out, const char *directory, const struct ct_comm_options *options,
		 char *why, size_t why_bytes)
{
	int err = ct_comm_prepare(out, directory, options, why, why_bytes);

	if (err == 0)
		err = ct_comm_run(*out, NULL, 0, why, why_bytes);
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
	if (comm->has_figures)
		ct_figures_release(&comm->figures);
	ct_engine_close_shuffles(&comm->engine);
	ct_engine_release(&comm->engine);
	ct_trace_close(comm->engine.trace);
	free(comm);
}

const struct ct_comm_figures *ct_comm_figures(const struct ct_comm *comm)
{
	return &comm->figures;
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

uint32_t ct_comm_kernel_of(const struct ct_comm *comm, uint32_t superstep)
{
	return comm->engine.step[superstep].kernel;
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
