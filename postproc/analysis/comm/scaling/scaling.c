/* SPDX-License-Identifier: Apache-2.0 */
/* Computes what crosses between devices, superstep by superstep, and the time that takes. */
#include "postproc/analysis/comm/scaling/scaling.h"
#include "postproc/analysis/comm/scaling/homes.h"
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Bound on the counters of one pass over the transfers. */
#define PASS_BYTES (64u << 20)

struct ct_scaling {
	struct ct_scaling_row *row;
	size_t rows;
};

/* The flow of one device in one superstep and choice. */
struct flow {
	uint64_t sent, received;
};

/* Counters of the supersteps first … first+count-1: [superstep][choice][device].
 * After them come the crossing transfers of each choice, and all bytes. */
struct pass {
	const struct ct_homes *homes;
	struct flow *flow;
	uint64_t *crossing;
	uint32_t flows_before[CT_PLACEMENTS * CT_SCALING_DEVICES_MAX]; /* of a superstep */
	uint32_t flows;                                                /* of a superstep */
	uint64_t first, count;
	bool is_bound; /* there are no deliveries: transfers must do */
	size_t words;  /* of flow and crossing together */
};

static void add_flow(struct flow *flow, uint32_t from, uint32_t to, uint64_t bytes)
{
	flow[from].sent += bytes;
	flow[to].received += bytes;
}

/* Bits of the devices where a choice has the CTAs. */
static uint32_t devices_of(const struct ct_homes *homes, uint32_t choice, const uint32_t *cta,
			   uint32_t count)
{
	uint32_t devices = 0, all = (1u << ct_homes_devices(homes, choice)) - 1;

	for (uint32_t i = 0; i < count && devices != all; i++)
		devices |= 1u << homes->home[(uint64_t)cta[i] * homes->row_bytes + choice];
	return devices;
}

static int take_delivery(void *user, const struct ct_comm_delivery *delivery)
{
	struct pass *pass = user;
	const struct ct_homes *homes = pass->homes;
	uint64_t step = delivery->target_superstep - pass->first;

	if (delivery->target_superstep < pass->first || step >= pass->count)
		return 0;
	for (uint32_t choice = 0; choice < homes->choices; choice++) {
		struct flow *flow = &pass->flow[step * pass->flows + pass->flows_before[choice]];
		uint32_t from = devices_of(homes, choice, delivery->source, delivery->sources);
		uint32_t to = devices_of(homes, choice, delivery->target, delivery->targets);

		for (uint32_t left = from; left; left &= left - 1) {
			uint32_t source = (uint32_t)__builtin_ctz(left);

			for (uint32_t others = to & ~(1u << source); others; others &= others - 1)
				add_flow(flow, source, (uint32_t)__builtin_ctz(others),
					 delivery->bytes);
		}
	}
	return 0;
}

static int take_transfer(void *user, const struct ct_comm_transfer *transfer)
{
	struct pass *pass = user;
	const struct ct_homes *homes = pass->homes;
	const uint8_t *from = &homes->home[(uint64_t)transfer->source_cta * homes->row_bytes];
	const uint8_t *to = &homes->home[(uint64_t)transfer->target_cta * homes->row_bytes];
	uint64_t step = transfer->target_superstep - pass->first;
	struct flow *flow;

	if (transfer->target_superstep < pass->first || step >= pass->count ||
	    transfer->source_cta == transfer->target_cta)
		return 0;
	flow = &pass->flow[step * pass->flows];
	for (uint32_t first = 0; first < homes->row_bytes; first += 8) {
		uint64_t homes_from, homes_to;

		/* Eight choices at once: most placements keep neighbours together. */
		memcpy(&homes_from, from + first, 8);
		memcpy(&homes_to, to + first, 8);
		if (homes_from == homes_to)
			continue;
		for (uint32_t i = first; i < first + 8; i++) {
			if (from[i] == to[i])
				continue;
			if (pass->is_bound)
				add_flow(&flow[pass->flows_before[i]], from[i], to[i],
					 transfer->bytes);
			pass->crossing[i] += !transfer->is_rest;
		}
	}
	return 0;
}

static int add_words(void *user, uint32_t from, const void *data, size_t bytes)
{
	struct pass *pass = user;
	const uint64_t *more = data;
	uint64_t *sum = (uint64_t *)pass->flow;

	if (from)
		for (size_t i = 0; i < bytes / sizeof(*more); i++)
			sum[i] += more[i];
	return 0;
}

/* Rank 0 has the sums over all ranks afterwards. */
static int gather(struct pass *pass, struct ct_ranks *ranks)
{
	const void *data[ranks->size];
	size_t bytes[ranks->size];

	memset(data, 0, sizeof(data));
	memset(bytes, 0, sizeof(bytes));
	if (ranks->rank) {
		data[0] = pass->flow;
		bytes[0] = pass->words * sizeof(uint64_t);
	}
	return ranks->trade(ranks, data, bytes, add_words, pass);
}

static int count_crossing(struct pass *pass, struct ct_comm *comm,
			  const struct ct_scaling_options *options)
{
	int err;

	memset(pass->flow, 0, pass->words * sizeof(uint64_t));
	err = ct_comm_each_delivery(comm, take_delivery, pass);
	pass->is_bound = err == -ENODATA;
	err = ct_ranks_agree(options->ranks, err == -ENODATA ? 0 : err);
	if (err == 0)
		err = ct_ranks_agree(options->ranks,
				     ct_comm_each_transfer(comm, take_transfer, pass));
	if (err == 0 && options->ranks->size > 1)
		err = ct_ranks_agree(options->ranks, gather(pass, options->ranks));
	return err;
}

static void add_step(struct ct_scaling_row *row, uint64_t superstep, const struct flow *flow,
		     const struct ct_scaling_options *options)
{
	uint64_t bytes = 0, most = 0;

	for (uint32_t device = 0; device < row->devices; device++) {
		bytes += flow[device].sent;
		if (flow[device].sent > most)
			most = flow[device].sent;
		if (flow[device].received > most)
			most = flow[device].received;
	}
	row->superstep_bytes[superstep] = bytes;
	row->superstep_most[superstep] = most;
	row->crossing_bytes += bytes;
	if (bytes)
		row->predicted_seconds += options->latency + (double)most / options->bandwidth;
}

/* Rows are by devices, then placement; choices the other way round. */
static struct ct_scaling_row *row_of(struct ct_scaling *scaling, const struct ct_homes *homes,
				     uint32_t choice)
{
	return &scaling->row[(choice % homes->counts) * CT_PLACEMENTS + choice / homes->counts];
}

static void add_pass(struct ct_scaling *scaling, const struct pass *pass,
		     const struct ct_scaling_options *options)
{
	const struct ct_homes *homes = pass->homes;

	for (uint32_t choice = 0; choice < homes->choices; choice++) {
		struct ct_scaling_row *row = row_of(scaling, homes, choice);

		for (uint64_t step = 0; step < pass->count; step++)
			add_step(row, pass->first + step,
				 &pass->flow[step * pass->flows + pass->flows_before[choice]],
				 options);
		row->crossing_transfers += pass->crossing[choice];
		row->is_bound = pass->is_bound;
	}
}

static int open_pass(struct pass *pass, const struct ct_homes *homes, uint64_t supersteps)
{
	*pass = (struct pass){.homes = homes};
	for (uint32_t choice = 0; choice < homes->choices; choice++) {
		pass->flows_before[choice] = pass->flows;
		pass->flows += ct_homes_devices(homes, choice);
	}
	pass->count = PASS_BYTES / (pass->flows * sizeof(struct flow));
	if (pass->count > supersteps)
		pass->count = supersteps;
	pass->words = pass->count * pass->flows * 2 + homes->choices;
	pass->flow = malloc(pass->words * sizeof(uint64_t));
	if (!pass->flow)
		return -ENOMEM;
	pass->crossing = (uint64_t *)pass->flow + pass->count * pass->flows * 2;
	return 0;
}

/* All passes over the transfers; rows on rank 0. */
static int count_all(struct ct_scaling *scaling, struct ct_comm *comm, const struct ct_homes *homes,
		     uint64_t supersteps, const struct ct_scaling_options *options)
{
	struct pass pass;
	int err = ct_ranks_agree(options->ranks, open_pass(&pass, homes, supersteps));

	for (; err == 0 && pass.first < supersteps; pass.first += pass.count) {
		if (pass.count > supersteps - pass.first)
			pass.count = supersteps - pass.first;
		err = count_crossing(&pass, comm, options);
		if (err == 0 && scaling->rows)
			add_pass(scaling, &pass, options);
	}
	free(pass.flow);
	return err;
}

static int open_rows(struct ct_scaling *scaling, const struct ct_homes *homes, uint64_t supersteps)
{
	scaling->row = calloc(homes->choices, sizeof(*scaling->row));
	if (!scaling->row)
		return -ENOMEM;
	scaling->rows = homes->choices;
	for (uint32_t choice = 0; choice < homes->choices; choice++) {
		struct ct_scaling_row *row = row_of(scaling, homes, choice);

		row->devices = ct_homes_devices(homes, choice);
		row->placement = ct_homes_placement(homes, choice);
		row->superstep_bytes = calloc(supersteps + 1, sizeof(*row->superstep_bytes));
		row->superstep_most = calloc(supersteps + 1, sizeof(*row->superstep_most));
		if (!row->superstep_bytes || !row->superstep_most)
			return -ENOMEM;
	}
	return 0;
}

static double balance_of(const struct ct_homes *homes, uint32_t choice)
{
	uint64_t ctas[CT_SCALING_DEVICES_MAX] = {0}, most = 0;

	if (!homes->ctas)
		return 1;
	for (uint64_t cta = 0; cta < homes->ctas; cta++) {
		uint64_t count = ++ctas[homes->home[cta * homes->row_bytes + choice]];

		if (count > most)
			most = count;
	}
	return (double)most * ct_homes_devices(homes, choice) / (double)homes->ctas;
}

static bool is_better(const struct ct_scaling_row *row, const struct ct_scaling_row *other)
{
	if (row->predicted_seconds < other->predicted_seconds ||
	    row->predicted_seconds > other->predicted_seconds)
		return row->predicted_seconds < other->predicted_seconds;
	return row->crossing_bytes < other->crossing_bytes;
}

static void complete_rows(struct ct_scaling *scaling, const struct ct_homes *homes,
			  uint64_t other_bytes)
{
	for (uint32_t choice = 0; choice < homes->choices; choice++) {
		struct ct_scaling_row *row = row_of(scaling, homes, choice);

		row->balance = balance_of(homes, choice);
		if (other_bytes)
			row->crossing_part = (double)row->crossing_bytes / (double)other_bytes;
	}
	for (size_t i = 0; i < scaling->rows; i += CT_PLACEMENTS) {
		struct ct_scaling_row *best = &scaling->row[i];

		for (size_t p = 1; p < CT_PLACEMENTS; p++)
			if (is_better(&scaling->row[i + p], best))
				best = &scaling->row[i + p];
		best->is_best = 1;
	}
}

static int add_bytes(void *user, uint32_t from, const void *data, size_t bytes)
{
	uint64_t *sum = user, more;

	if (from && bytes == sizeof(more)) {
		memcpy(&more, data, sizeof(more));
		*sum += more;
	}
	return 0;
}

/* The sum of all ranks' values, on rank 0. */
static int sum_up(const struct ct_scaling_options *options, uint64_t *value)
{
	uint32_t ranks = options->ranks->size;
	const void *data[ranks];
	size_t bytes[ranks];
	uint64_t own = *value;

	if (ranks == 1)
		return 0;
	memset(data, 0, sizeof(data));
	memset(bytes, 0, sizeof(bytes));
	data[0] = &own;
	bytes[0] = sizeof(own);
	return options->ranks->trade(options->ranks, data, bytes, add_bytes, value);
}

static int model(struct ct_scaling *scaling, struct ct_comm *comm,
		 const struct ct_scaling_options *options)
{
	const struct ct_comm_figures *figures = ct_comm_figures(comm);
	uint64_t supersteps = figures ? figures->supersteps : 0;
	struct ct_homes homes;
	int err;

	supersteps = options->ranks->greatest(options->ranks, supersteps);
	err = ct_homes_init(&homes, comm, options);
	if (err < 0)
		return err;
	if (options->ranks->rank == 0)
		err = open_rows(scaling, &homes, supersteps);
	err = ct_ranks_agree(options->ranks, err);
	if (err == 0)
		err = ct_ranks_agree(options->ranks, sum_up(options, &homes.other_bytes));
	if (err == 0)
		err = count_all(scaling, comm, &homes, supersteps, options);
	if (err == 0 && scaling->rows)
		complete_rows(scaling, &homes, homes.other_bytes);
	ct_homes_fini(&homes);
	return err;
}

static bool is_in_range(const struct ct_scaling_options *options)
{
	return options->ranks && options->devices_min >= 2 &&
	       options->devices_min <= options->devices_max &&
	       options->devices_max <= CT_SCALING_DEVICES_MAX && isfinite(options->bandwidth) &&
	       options->bandwidth > 0 && isfinite(options->latency) && options->latency >= 0;
}

int ct_scaling_open(struct ct_scaling **out, struct ct_comm *comm,
		    const struct ct_scaling_options *options)
{
	struct ct_scaling *scaling;
	int err;

	*out = NULL;
	if (!is_in_range(options))
		return -EINVAL;
	scaling = calloc(1, sizeof(*scaling));
	err = ct_ranks_agree(options->ranks, scaling ? 0 : -ENOMEM);
	if (err == 0)
		err = model(scaling, comm, options);
	if (err != 0) {
		ct_scaling_close(scaling);
		return err;
	}
	*out = scaling;
	return 0;
}

void ct_scaling_close(struct ct_scaling *scaling)
{
	if (!scaling)
		return;
	for (size_t i = 0; i < scaling->rows; i++) {
		free(scaling->row[i].superstep_bytes);
		free(scaling->row[i].superstep_most);
	}
	free(scaling->row);
	free(scaling);
}

const struct ct_scaling_row *ct_scaling_rows(const struct ct_scaling *scaling, size_t *count)
{
	*count = scaling->rows;
	return scaling->row;
}

const char *ct_placement_text(enum ct_placement placement)
{
	switch (placement) {
	case CT_PLACEMENT_BLOCK:
		return "block";
	case CT_PLACEMENT_CYCLIC:
		return "cyclic";
	case CT_PLACEMENT_GRAPH:
		break;
	}
	return "graph";
}
