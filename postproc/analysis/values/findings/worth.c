/* SPDX-License-Identifier: Apache-2.0 */
/* Costs of sectors, requests and bytes. */
#include "postproc/analysis/values/findings/worth.h"

#include "base/parallel.h"
#include "postproc/analysis/calls/calls.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR 32.0

static void take_machine(struct ct_values_worth *worth, const struct ct_machine *m)
{
	const double l1 = SECTOR / (m->l1_bandwidth * m->sm_count * m->clock_hz);
	const double l2 = l1 + SECTOR / m->l2_bandwidth;

	*worth = (struct ct_values_worth){
	    .sector = {l1, l2, l2 + SECTOR / m->dram_read_bandwidth},
	    .latency = {m->l1_latency / m->clock_hz, m->l2_latency / m->clock_hz,
			m->dram_latency / m->clock_hz},
	    .kernel_seconds = m->kernel_seconds,
	    .call = {[CT_VALUES_SET] = m->kernel_seconds, [CT_VALUES_COPY] = m->kernel_seconds},
	    .byte = {[CT_VALUES_SET] = 1 / m->dram_triad_bandwidth,
		     [CT_VALUES_COPY] = 2 / m->dram_copy_bandwidth,
		     [CT_VALUES_COPY_IN] = 1 / m->pageable_to_device_bandwidth,
		     [CT_VALUES_COPY_OUT] = 1 / m->pageable_to_host_bandwidth},
	};
}

/* Takes the rate of copies, where their times are known, from their begin to their end; those of
 * a few bytes say nothing of bandwidth. */
static void take_rate(struct ct_values_worth *worth, enum ct_values_way way,
		      const struct ct_calls_copies *copies)
{
	const uint64_t least = 1 << 20;

	if (copies->bytes < least || copies->bytes / copies->count < least / 16 ||
	    !copies->total_ns)
		return;
	worth->byte[way] = 1e-9 * (double)copies->total_ns / (double)copies->bytes;
	worth->call[way] = 0;
}

/* All that a row accesses, by the levels that serve its site; what no launch that was driven has
 * accessed comes from the L2. */
static void fill_row(struct ct_values_traffic *traffic, const struct ct_values_row *row,
		     const struct ct_served_site *site)
{
	double all = 0;

	for (unsigned l = 0; l < CT_SERVED_LEVELS; l++)
		all += site->sectors[l];
	for (unsigned l = 0; l < CT_SERVED_LEVELS; l++) {
		double part = all > 0 ? site->sectors[l] / all : l == CT_SERVED_L2;

		traffic->sectors[l] = part * (double)row->counts.sectors;
		if (row->class != CT_CLASS_STORE && all > 0)
			traffic->waits[l] = traffic->sectors[l] * site->requests / all;
	}
}

/* By group: what each launch uses a slice of, no launch before it has left in the L2. NULL: memory
 * is short. */
static bool *find_sliced(const struct ct_values_figures *figures)
{
	bool *sliced = calloc(figures->groups + 1, sizeof(*sliced));

	for (size_t i = 0; i < figures->lives && sliced; i++)
		sliced[figures->life[i].group] = true;
	for (size_t i = 0; i < figures->lives && sliced; i++) {
		const struct ct_values_usage *usage = &figures->life[i].usage;

		if (usage->launches < 2 || usage->shared)
			sliced[figures->life[i].group] = false;
	}
	return sliced;
}

static void miss_l2(struct ct_values_traffic *traffic)
{
	traffic->sectors[CT_SERVED_MEMORY] += traffic->sectors[CT_SERVED_L2];
	traffic->waits[CT_SERVED_MEMORY] += traffic->waits[CT_SERVED_L2];
	traffic->sectors[CT_SERVED_L2] = traffic->waits[CT_SERVED_L2] = 0;
}

static void add(struct ct_values_traffic *to, const struct ct_values_traffic *from, double part)
{
	for (unsigned l = 0; l < CT_SERVED_LEVELS; l++) {
		to->sectors[l] += part * from->sectors[l];
		to->waits[l] += part * from->waits[l];
	}
}

static uint32_t kernel_of(const struct ct_served_job *served, const char *symbol)
{
	uint32_t k = 0;

	while (k < served->kernels.count && strcmp(served->kernels.list[k].symbol, symbol) != 0)
		k++;
	return k;
}

/* Kernels are driven through the caches side by side; each has its own rows. */
struct filling {
	struct ct_values_figures *figures;
	const struct ct_served_job *served;
	const struct ct_machine *machine;
	const struct ct_unit *units;
	uint32_t sites; /* of all units */
	const bool *sliced;
};

static void fill_rows(const struct filling *filling, uint32_t kernel,
		      const struct ct_served_site *site)
{
	struct ct_values_worth *worth = filling->figures->worth;

	for (size_t r = 0; r < filling->figures->rows; r++) {
		const struct ct_values_row *row = &filling->figures->row[r];
		uint32_t first = filling->served->first_site[row->unit - filling->units];

		if (row->kernel != kernel)
			continue;
		fill_row(&worth->row[r], row, &site[first + row->site]);
		if (filling->sliced[row->group])
			miss_l2(&worth->row[r]);
		add(&worth->kernel[kernel], &worth->row[r], 1);
	}
}

static int fill_kernel(void *user, size_t kernel)
{
	const struct filling *filling = user;
	const struct ct_values_figures *figures = filling->figures;
	uint32_t number = kernel_of(filling->served, figures->kernel[kernel].symbol);
	struct ct_served_site *site;
	int err;

	if (number == filling->served->kernels.count || !figures->seconds ||
	    !(figures->seconds[kernel] > 0))
		return 0;
	site = calloc(filling->sites + 1u, sizeof(*site));
	err = site ? ct_served_sites(site, filling->served, number, filling->machine) : -ENOMEM;
	if (err == 0)
		fill_rows(filling, (uint32_t)kernel, site);
	free(site);
	return err < 0 ? err : 0;
}

static int fill_kernels(struct ct_values_figures *figures, const struct ct_served_job *served,
			const struct ct_machine *machine)
{
	struct filling filling = {.figures = figures, .served = served, .machine = machine};
	size_t count = ct_trace_units(served->trace, &filling.units);
	bool *sliced = find_sliced(figures);
	int err = sliced ? 0 : -ENOMEM;

	filling.sites = served->first_site[count];
	filling.sliced = sliced;
	figures->worth->row = (struct ct_values_traffic *)(figures->worth + 1);
	figures->worth->kernel = figures->worth->row + figures->rows;
	if (err == 0)
		err = ct_parallel(figures->kernels, fill_kernel, &filling);
	free(sliced);
	return err;
}

int ct_values_set_worth(struct ct_values_figures *figures, const struct ct_calls *calls,
			const struct ct_served_job *served)
{
	struct ct_machine machine;

	/* Times of CPU threads are none of a GPU. */
	if (ct_machine_is_cpu(calls->trace))
		return 0;
	ct_machine_of_trace(&machine, calls->trace);
	free(figures->worth);
	figures->worth = calloc(1, sizeof(*figures->worth) + (figures->rows + figures->kernels) *
								 sizeof(struct ct_values_traffic));
	if (!figures->worth)
		return -ENOMEM;
	take_machine(figures->worth, &machine);
	if (!calls->copies_are_calls) {
		take_rate(figures->worth, CT_VALUES_COPY_IN, &calls->copy[CT_COPY_TO_DEVICE]);
		take_rate(figures->worth, CT_VALUES_COPY_OUT, &calls->copy[CT_COPY_TO_HOST]);
		take_rate(figures->worth, CT_VALUES_COPY, &calls->copy[CT_COPY_ON_DEVICE]);
		take_rate(figures->worth, CT_VALUES_SET, &calls->set);
	}
	return served && !served->is_off ? fill_kernels(figures, served, &machine) : 0;
}

void ct_values_traffic_add(struct ct_values_traffic *to, const struct ct_values_figures *figures,
			   size_t row, double part)
{
	if (figures->worth && figures->worth->row)
		add(to, &figures->worth->row[row], part);
}

struct ct_values_traffic ct_values_traffic_nearest(const struct ct_values_traffic *all,
						   double sectors)
{
	struct ct_values_traffic nearest = {.sectors = {0}};

	for (unsigned l = 0; l < CT_SERVED_LEVELS && sectors > 0; l++) {
		double taken = fmin(sectors, all->sectors[l]);

		if (!(taken > 0))
			continue;
		nearest.sectors[l] = taken;
		nearest.waits[l] = all->waits[l] * taken / all->sectors[l];
		sectors -= taken;
	}
	return nearest;
}

struct costs {
	double moving, waiting;
};

static struct costs costs_of(const struct ct_values_worth *worth,
			     const struct ct_values_traffic *traffic)
{
	struct costs costs = {0, 0};

	for (unsigned l = 0; l < CT_SERVED_LEVELS; l++) {
		costs.moving += traffic->sectors[l] * worth->sector[l];
		costs.waiting += traffic->waits[l] * worth->latency[l];
	}
	return costs;
}

double ct_values_worth_of(const struct ct_values_figures *figures, uint32_t kernel,
			  const struct ct_values_traffic *avoided)
{
	const struct ct_values_worth *worth = figures->worth;
	struct costs all, part;
	double running, saved;

	if (!worth || !worth->kernel || !figures->seconds || !(figures->seconds[kernel] > 0))
		return 0;
	running = figures->seconds[kernel] -
		  worth->kernel_seconds * (double)figures->kernel[kernel].launches;
	all = costs_of(worth, &worth->kernel[kernel]);
	part = costs_of(worth, avoided);
	if (!(running > 0) || !(all.moving > 0))
		return 0;
	saved = fmin(1, running / all.moving) * part.moving;
	if (running > all.moving && all.waiting > 0)
		saved += (running - all.moving) * part.waiting / all.waiting;
	return fmin(saved, running);
}

double ct_values_worth_of_write(const struct ct_values_figures *figures,
				const struct ct_values_node *node, double bytes, double calls)
{
	struct ct_values_traffic stores = {.sectors = {[CT_SERVED_L2] = bytes / SECTOR}};

	if (!figures->worth)
		return 0;
	if (node->way == CT_VALUES_LAUNCH)
		return ct_values_worth_of(figures, node->kernel, &stores);
	return bytes * figures->worth->byte[node->way] + calls * figures->worth->call[node->way];
}
