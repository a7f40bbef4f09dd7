/* SPDX-License-Identifier: Apache-2.0 */
/* Homes of CTAs: by formula, or from the partitions that rank 0 makes and hands out. */
#include "postproc/analysis/comm/scaling/homes.h"
#include "postproc/analysis/comm/scaling/graph.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct gather {
	struct ct_homes *homes;
	struct ct_cta_graph graph;
	uint64_t ends[2]; /* CTAs of bytes not added yet */
	uint64_t bytes;
};

static int flush(struct gather *gather)
{
	int err = 0;

	if (gather->bytes)
		err = ct_cta_graph_add(&gather->graph, gather->ends[0], gather->ends[1],
				       gather->bytes);
	gather->bytes = 0;
	return err;
}

/* Transfers of one pair of CTAs come one after another. */
static int take_transfer(void *user, const struct ct_comm_transfer *transfer)
{
	struct gather *gather = user;
	struct ct_homes *homes = gather->homes;
	uint64_t source = transfer->source_cta, target = transfer->target_cta;
	int err = 0;

	if (source >= homes->ctas)
		homes->ctas = source + 1;
	if (target >= homes->ctas)
		homes->ctas = target + 1;
	if (source == target)
		return 0;
	homes->other_bytes += transfer->bytes;
	if (source != gather->ends[0] || target != gather->ends[1])
		err = flush(gather);
	gather->ends[0] = source;
	gather->ends[1] = target;
	gather->bytes += transfer->bytes;
	return err;
}

/* Rank 0 has the whole graph afterwards. */
static int gather_graph(struct gather *gather, struct ct_comm *comm,
			const struct ct_scaling_options *options)
{
	struct ct_homes *homes = gather->homes;
	int err = ct_comm_each_transfer(comm, take_transfer, gather);

	if (err == 0)
		err = flush(gather);
	err = ct_ranks_agree(options->ranks, err);
	if (err < 0)
		return err;
	homes->ctas = options->ranks->greatest(options->ranks, homes->ctas);
	if (!homes->ctas)
		return 0;
	err = ct_cta_graph_coarsen(
	    &gather->graph, (uint32_t)options->ranks->greatest(options->ranks, gather->graph.shift),
	    homes->ctas);
	err = ct_ranks_agree(options->ranks, err);
	if (err < 0 || options->ranks->size == 1)
		return err;
	err = ct_ranks_agree(options->ranks, ct_sums_gather(gather->graph.edge, options->ranks));
	if (err == 0 && options->ranks->rank == 0)
		err = ct_cta_graph_coarsen(&gather->graph, 0, homes->ctas);
	err = ct_ranks_agree(options->ranks, err);
	if (err == 0) /* only rank 0's graph has grown, or become coarser */
		gather->graph.shift =
		    (uint32_t)options->ranks->greatest(options->ranks, gather->graph.shift);
	return err;
}

static int take_parts(void *user, uint32_t from, const void *data, size_t bytes)
{
	if (from == 0 && bytes)
		memcpy(user, data, bytes);
	return 0;
}

/* Hands out what rank 0 has in parts to all others. */
static int hand_out(struct ct_ranks *ranks, uint8_t *parts, size_t bytes)
{
	const void *data[ranks->size];
	size_t size[ranks->size];

	for (uint32_t i = 0; i < ranks->size; i++) {
		data[i] = parts;
		size[i] = ranks->rank == 0 && i ? bytes : 0;
	}
	return ranks->trade(ranks, data, size, take_parts, parts);
}

/* parts: [count of devices][vertex] */
static int partition(struct gather *gather, const struct ct_scaling_options *options,
		     uint8_t **parts)
{
	const struct ct_homes *homes = gather->homes;
	size_t vertices = ct_cta_graph_vertices(&gather->graph, homes->ctas);
	uint8_t *all = calloc(homes->counts, vertices + 1);
	int err = all ? 0 : -ENOMEM;

	if (options->ranks->rank == 0)
		for (uint32_t i = 0; i < homes->counts && err == 0; i++)
			err = ct_cta_graph_partition(&gather->graph, homes->ctas,
						     homes->devices_min + i, &all[i * vertices]);
	err = ct_ranks_agree(options->ranks, err);
	if (err == 0 && options->ranks->size > 1)
		err = ct_ranks_agree(options->ranks,
				     hand_out(options->ranks, all, homes->counts * vertices));
	if (err < 0) {
		free(all);
		return err;
	}
	*parts = all;
	return 0;
}

static int fill(struct ct_homes *homes, const uint8_t *parts, uint32_t shift, size_t vertices)
{
	homes->home = calloc(homes->ctas + 1, homes->row_bytes);
	if (!homes->home)
		return -ENOMEM;
	for (uint64_t cta = 0; cta < homes->ctas; cta++) {
		uint8_t *row = &homes->home[cta * homes->row_bytes];

		for (uint32_t i = 0; i < homes->counts; i++) {
			uint64_t devices = homes->devices_min + i;

			row[i] = (uint8_t)(cta * devices / homes->ctas);
			row[homes->counts + i] = (uint8_t)(cta % devices);
			row[2 * homes->counts + i] = parts[i * vertices + (cta >> shift)];
		}
	}
	return 0;
}

int ct_homes_init(struct ct_homes *homes, struct ct_comm *comm,
		  const struct ct_scaling_options *options)
{
	const struct ct_comm_figures *figures = ct_comm_figures(comm);
	struct gather gather = {.homes = homes};
	uint8_t *parts = NULL;
	int err;

	*homes = (struct ct_homes){.devices_min = options->devices_min,
				   .counts = options->devices_max - options->devices_min + 1,
				   .ctas = figures ? figures->ctas : 0};
	homes->choices = homes->counts * CT_PLACEMENTS;
	homes->row_bytes = (homes->choices + 7) / 8 * 8;
	err = ct_ranks_agree(options->ranks, ct_cta_graph_init(&gather.graph));
	if (err == 0)
		err = gather_graph(&gather, comm, options);
	if (err == 0)
		err = partition(&gather, options, &parts);
	if (err == 0)
		err = ct_ranks_agree(options->ranks,
				     fill(homes, parts, gather.graph.shift,
					  ct_cta_graph_vertices(&gather.graph, homes->ctas)));
	free(parts);
	ct_cta_graph_fini(&gather.graph);
	if (err < 0)
		ct_homes_fini(homes);
	return err;
}

void ct_homes_fini(struct ct_homes *homes)
{
	free(homes->home);
	*homes = (struct ct_homes){0};
}
